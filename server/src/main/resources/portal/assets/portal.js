// The parts that every page needs: copy buttons, and forms that are sent only once.
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
  window.addEventListener("pageshow", function () {
    document.querySelectorAll("form[data-sent]").forEach(function (form) {
      delete form.dataset.sent;
    });
  });
})();
