// The live view: rows arrive as server-sent events and are added at the top of the table.
// The extension in htmx's WebJar is the one of htmx 1, which calls functions that htmx 2 does not have.
(function () {
  "use strict";
  const MOST_ROWS = 200;
  const ANNOUNCE_EVERY = 10000;
  let source = null;
  let element = null;
  let news = 0;

  function say(text, state) {
    document.getElementById("live-state").textContent = text;
    element.dataset.state = state;
  }

  function prepend(html) {
    const rows = document.getElementById("request-rows");
    const batch = document.createElement("template");
    batch.innerHTML = html;
    // After a lost connection some rows arrive a second time.
    batch.content.querySelectorAll("tr").forEach(function (row) {
      const known = document.getElementById(row.id);
      if (known) {
        known.remove();
      } else {
        news += 1;
      }
    });
    rows.prepend(batch.content);
    while (rows.rows.length > MOST_ROWS) {
      rows.deleteRow(-1);
    }
  }

  function stop() {
    if (source) {
      source.close();
    }
    source = null;
    element = null;
  }

  function start(found) {
    element = found;
    news = 0;
    source = new EventSource(found.dataset.live);
    source.addEventListener("open", function () { say("Live: new requests appear at the top.", "open"); });
    source.addEventListener("requests", function (event) { prepend(event.data); });
    source.addEventListener("passed", function (event) {
      say("Live: new requests appear at the top. They arrive faster than the page can show them: " + event.data + ".", "open");
    });
    source.addEventListener("end", function (event) {
      say("The live view has ended. " + event.data, "ended");
      source.close();
    });
    source.addEventListener("error", function () {
      if (source.readyState === EventSource.CLOSED) {
        say("The live view has ended. Reload the page to start it again.", "ended");
      } else {
        say("The connection was lost. Trying again…", "waiting");
      }
    });
  }

  function follow() {
    const found = document.querySelector("[data-live]");
    if (found !== element) {
      stop();
      if (found) {
        start(found);
      }
    }
  }

  // Announces neither each row nor each second, so that a screen reader is not blocked.
  setInterval(function () {
    if (news > 0) {
      document.getElementById("news").textContent = news === 1 ? "1 new request" : news + " new requests";
      news = 0;
    }
  }, ANNOUNCE_EVERY);

  document.addEventListener("htmx:afterSwap", function (event) {
    if (event.detail.target && event.detail.target.id === "results") {
      const count = document.querySelectorAll("#request-rows tr").length;
      document.getElementById("news").textContent = count === 1 ? "1 request shown" : count + " requests shown";
      follow();
    }
  });
  document.addEventListener("htmx:historyRestore", follow);
  window.addEventListener("pagehide", stop);
  window.addEventListener("pageshow", follow);
  follow();
})();
