// Shows a message if a comparison failed. A response is shown by htmx.
(function () {
  "use strict";
  const TOO_LARGE = 413;

  function show(id) {
    document.getElementById("comparison").replaceChildren();
    document.getElementById(id).hidden = false;
  }

  document.addEventListener("htmx:beforeRequest", function () {
    document.getElementById("too-large").hidden = true;
    document.getElementById("not-compared").hidden = true;
  });
  document.addEventListener("htmx:responseError", function (event) {
    show(event.detail.xhr.status === TOO_LARGE ? "too-large" : "not-compared");
  });
  document.addEventListener("htmx:sendError", function () { show("not-compared"); });
})();
