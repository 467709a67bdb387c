// Renders the charts, and fetches new figures every 15 seconds while the page is visible.
(function () {
  "use strict";
  const EVERY = 15000;
  const source = document.getElementById("charts").dataset.source;
  // The digits are those of the page, whatever the language of the browser is.
  const LOCALE = "en-GB";
  const still = window.matchMedia("(prefers-reduced-motion: reduce)").matches;

  function color(name) {
    return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  }

  function time(text) {
    const hour = source.endsWith("WEEK")
      ? { weekday: "short", hour: "2-digit", minute: "2-digit" }
      : { hour: "2-digit", minute: "2-digit" };
    return new Date(text).toLocaleString(LOCALE, hour);
  }

  function line(label, name, dashed) {
    return {
      label: label,
      data: [],
      borderColor: color(name),
      backgroundColor: color(name),
      borderDash: dashed ? [6, 4] : [],
      borderWidth: 2,
      pointRadius: 1.5,
      spanGaps: false,
    };
  }

  function chart(id, type, datasets, options) {
    const canvas = document.getElementById(id);
    if (!canvas) {
      return null;
    }
    const text = color("--tblr-body-color");
    const grid = color("--tblr-border-color");
    return new Chart(canvas, {
      type: type,
      data: { labels: [], datasets: datasets },
      options: Object.assign({
        locale: LOCALE,
        animation: still ? false : { duration: 300 },
        maintainAspectRatio: false,
        interaction: { intersect: false, mode: "index" },
        plugins: { legend: { labels: { color: text } } },
        scales: {
          x: { ticks: { color: text, maxTicksLimit: 8, maxRotation: 0 }, grid: { color: grid } },
          y: { beginAtZero: true, ticks: { color: text }, grid: { color: grid } },
        },
      }, options || {}),
    });
  }

  const requests = chart("requests-chart", "line",
      [line("accepted", "--tblr-green"), line("refused", "--tblr-red", true)]);
  const latency = chart("latency-chart", "line",
      [line("median, ms", "--tblr-blue"), line("p99, ms", "--tblr-orange", true)]);
  const bar = line("refusals", "--tblr-red");
  const refusals = chart("refusals-chart", "bar", [bar], { indexAxis: "y" });

  function show(chartOf, labels, series) {
    if (chartOf) {
      chartOf.data.labels = labels;
      series.forEach(function (data, at) { chartOf.data.datasets[at].data = data; });
      chartOf.update();
    }
  }

  function put(id, value, unit) {
    document.getElementById(id).textContent =
        value === null ? "–" : value.toLocaleString(LOCALE) + (unit || "");
  }

  function update() {
    if (document.hidden) {
      return;
    }
    fetch(source, { headers: { Accept: "application/json" } })
      .then(function (answer) {
        if (answer.redirected) {
          // Redirected to the sign-in: the session has ended.
          window.location.reload();
        }
        if (answer.redirected || !answer.ok) {
          throw new Error("no figures now");
        }
        return answer.json();
      })
      .then(function (figures) {
        const times = figures.times.map(time);
        show(requests, times, [figures.accepted, figures.refused]);
        show(latency, times, [figures.p50, figures.p99]);
        show(refusals, Object.keys(figures.refusals), [Object.values(figures.refusals)]);
        put("total-accepted", figures.totals.accepted);
        put("total-refused", figures.totals.refused);
        put("total-p50", figures.totals.p50, " ms");
        put("total-p99", figures.totals.p99, " ms");
      })
      .catch(function () { /* The next round tries again. */ });
  }

  update();
  setInterval(update, EVERY);
  document.addEventListener("visibilitychange", update);
})();
