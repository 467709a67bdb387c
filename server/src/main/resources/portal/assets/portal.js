// The parts that every page needs: copy buttons, forms that are sent only once, and checks while somebody types.
(function () {
  "use strict";

  document.addEventListener("click", function (event) {
    const button = event.target.closest("[data-copy]");
    if (!button) {
      return;
    }
    const source = button.dataset.copyFrom
      ? document.getElementById(button.dataset.copyFrom).textContent
      : button.dataset.copy;
    navigator.clipboard.writeText(source).then(function () {
      const before = button.textContent;
      button.textContent = "Copied";
      setTimeout(function () { button.textContent = before; }, 1500);
    });
  });

  // A second click must not send a form twice.
  document.addEventListener("submit", function (event) {
    const form = event.target;
    if (!event.defaultPrevented && form.method === "post" && !form.hasAttribute("hx-post")) {
      if (form.dataset.sent) {
        event.preventDefault();
      }
      form.dataset.sent = "yes";
    }
  });
  // A field that the service checks while somebody types. Its result is about one text, so it must not stay beside
  // another one, also if the service cannot be reached.
  function resultOf(field) {
    return field.matches("[data-live-check]") ? document.querySelector(field.getAttribute("hx-target")) : null;
  }

  document.addEventListener("input", function (event) {
    const result = resultOf(event.target);
    if (result) {
      result.replaceChildren();
      window.htmx.trigger(event.target, "htmx:abort");
    }
  });
  ["htmx:sendError", "htmx:responseError", "htmx:timeout"].forEach(function (failure) {
    document.addEventListener(failure, function (event) {
      const result = resultOf(event.detail.elt);
      if (result) {
        result.textContent = "This was not checked, because the service did not answer.";
      }
    });
  });
  window.addEventListener("pageshow", function () {
    document.querySelectorAll("form[data-sent]").forEach(function (form) {
      delete form.dataset.sent;
    });
  });
})();
