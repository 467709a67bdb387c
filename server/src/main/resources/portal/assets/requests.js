// The live view. htmx polls the latest rows into a hidden part of the table, and this script moves the new ones from
// there to their places.
(function () {
  "use strict";
  const MAX_ROWS = 200;
  const ANNOUNCE_EVERY = 10000;
  const OPEN = "Live: new requests appear at the top.";
  let tableRequestedAt = performance.timeOrigin;
  let pollSentAt = tableRequestedAt;
  let news = 0;

  function isPoll(event) {
    return event.detail.elt.id === "live";
  }

  function showState(text, state) {
    document.getElementById("live-state").textContent = text;
    document.getElementById("live").dataset.state = state;
  }

  // The service read the rows of the table at this time or later. The time is kept beside the rows, because the browser
  // may restore the table of an earlier filter.
  function readAt() {
    return Number(document.getElementById("live").dataset.readAt) || tableRequestedAt;
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
    while (rows.rows.length > MAX_ROWS) {
      rows.deleteRow(-1);
    }
    news += inserted.filter(function (row) { return row.isConnected; }).length;
  }

  document.addEventListener("htmx:configRequest", function (event) {
    if (!isPoll(event)) {
      tableRequestedAt = Date.now();
      return;
    }
    if (document.hidden || event.detail.elt.dataset.state === "ended") {
      event.preventDefault();
      return;
    }
    pollSentAt = Date.now();
    event.detail.parameters.away = Math.max(0, Math.ceil((pollSentAt - readAt()) / 1000));
    const newest = document.querySelector("#request-rows tr");
    if (newest) {
      event.detail.parameters.after = newest.id.replace("request-", "");
    }
  });

  // Handles refusals here, because htmx would log them or follow HX-Redirect.
  document.addEventListener("htmx:beforeOnLoad", function (event) {
    if (!isPoll(event)) {
      return;
    }
    const answer = event.detail.xhr;
    const hasRows = answer.status === 200 && answer.responseText.includes('<tr id="request-');
    if (answer.status === 204 || hasRows) {
      document.getElementById("live").dataset.readAt = pollSentAt;
      showOpen(answer.getResponseHeader("Countersign-Skipped"));
      return;
    }
    event.preventDefault();
    if (answer.status === 401) {
      showState("The live view has ended. You are no longer signed in.", "ended");
    } else if (answer.status === 408 || answer.status === 429 || answer.status >= 500 || answer.status === 200) {
      showState("The service does not answer. Trying again…", "waiting");
    } else {
      showState("The live view has ended. Reload the page to start it again.", "ended");
    }
  });

  function showOpen(skipped) {
    if (skipped) {
      showState(OPEN + " They arrive faster than the page can show them: " + skipped + " requests were skipped.", "open");
    } else if (document.getElementById("live").dataset.state !== "open") {
      showState(OPEN, "open");
    }
  }

  ["htmx:sendError", "htmx:timeout"].forEach(function (failure) {
    document.addEventListener(failure, function (event) {
      if (isPoll(event)) {
        showState("The connection was lost. Trying again…", "waiting");
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
    }
  });

  // Announces neither each row nor each poll, so that a screen reader is not blocked.
  setInterval(function () {
    if (news > 0) {
      document.getElementById("news").textContent = news === 1 ? "1 new request" : news + " new requests";
      news = 0;
    }
  }, ANNOUNCE_EVERY);
})();
