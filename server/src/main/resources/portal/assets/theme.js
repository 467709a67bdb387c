// Runs before anything is drawn: dark or light, as chosen here or else as the system is set.
(function () {
  "use strict";
  const KEY = "countersign-theme";
  const system = window.matchMedia("(prefers-color-scheme: dark)");

  function apply() {
    const chosen = localStorage.getItem(KEY);
    const theme = chosen || (system.matches ? "dark" : "light");
    document.documentElement.setAttribute("data-bs-theme", theme);
  }

  apply();
  system.addEventListener("change", apply);
  document.addEventListener("DOMContentLoaded", function () {
    const button = document.getElementById("theme-switch");
    if (button) {
      button.addEventListener("click", function () {
        const now = document.documentElement.getAttribute("data-bs-theme");
        localStorage.setItem(KEY, now === "dark" ? "light" : "dark");
        apply();
      });
    }
  });
})();
