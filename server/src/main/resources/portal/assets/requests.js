// The live view. htmx polls the latest rows into a hidden part of the table, and this script moves the new ones from
// there to their places.
(function () {
  "use strict";
  const MOST_ROWS = 200;
  const ANNOUNCE_EVERY = 10000;
  // An answer reaches back 30 s. After a longer break, the table would have a gap.
  const LONGEST_BREAK = 25000;
  const OPEN = "Live: new requests appear at the top.";
  let answeredAt = Date.now();
  let news = 0;

  function isPoll(event) {
    return event.detail.elt.id === "live";
  }

  function say(text, state) {
    document.getElementById("live-state").textContent = text;
    document.getElementById("live").dataset.state = state;
  }

  // Both parts are in the order of their ids, newest first.
  function insert(arrived, rows) {
    const inserted = [];
    let next = rows.firstElementChild;
    Array.from(arrived.rows).forEach(function (row) {
      const known = rows.querySelector("#" + row.id);
      if (known) {
        next = known.nextElementSibling;
      } else {
        rows.insertBefore(row, next);
        inserted.push(row);
      }
    });
    arrived.replaceChildren();
    while (rows.rows.length > MOST_ROWS) {
      rows.deleteRow(-1);
    }
    news += inserted.filter(function (row) { return row.isConnected; }).length;
  }

  document.addEventListener("htmx:configRequest", function (event) {
    if (!isPoll(event)) {
      return;
    }
    if (document.hidden || event.detail.elt.dataset.state === "ended") {
      event.preventDefault();
    }
    const newest = document.querySelector("#request-rows tr");
    if (newest) {
      event.detail.parameters.after = newest.id.replace("request-", "");
    }
  });

  // An answer that is not to be shown is kept from htmx, which would log it or leave the page.
  document.addEventListener("htmx:beforeOnLoad", function (event) {
    if (!isPoll(event)) {
      return;
    }
    const answer = event.detail.xhr;
    if (answer.status === 401) {
      event.preventDefault();
      say("The live view has ended. You are no longer signed in.", "ended");
    } else if (answer.status >= 400) {
      event.preventDefault();
      wait();
    } else if (Date.now() - answeredAt > LONGEST_BREAK) {
      event.preventDefault();
      window.location.reload();
    } else {
      answeredAt = Date.now();
      show(answer.getResponseHeader("Countersign-Skipped"));
    }
  });

  function show(skipped) {
    if (skipped) {
      say(OPEN + " They arrive faster than the page can show them: " + skipped + " requests were skipped.", "open");
    } else if (document.getElementById("live").dataset.state !== "open") {
      say(OPEN, "open");
    }
  }

  function wait() {
    say("The connection was lost. Trying again…", "waiting");
  }

  ["htmx:sendError", "htmx:timeout"].forEach(function (failure) {
    document.addEventListener(failure, function (event) {
      if (isPoll(event)) {
        wait();
      }
    });
  });

  document.addEventListener("htmx:afterSwap", function (event) {
    const target = event.detail.target;
    if (target && target.id === "arrived") {
      insert(target, document.getElementById("request-rows"));
    }
    if (target && target.id === "results") {
      const count = document.querySelectorAll("#request-rows tr").length;
      document.getElementById("news").textContent = count === 1 ? "1 request shown" : count + " requests shown";
      news = 0;
      answeredAt = Date.now();
    }
  });

  document.addEventListener("htmx:historyRestore", function () { answeredAt = Date.now(); });

  // Announces neither each row nor each poll, so that a screen reader is not blocked.
  setInterval(function () {
    if (news > 0) {
      document.getElementById("news").textContent = news === 1 ? "1 new request" : news + " new requests";
      news = 0;
    }
  }, ANNOUNCE_EVERY);
})();
