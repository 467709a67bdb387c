// Removes the token from the address, where a history or a screenshot would keep it.
(function () {
  "use strict";
  const token = window.location.hash.slice(1);
  if (token) {
    document.getElementById("token").value = token;
    window.history.replaceState(null, "", window.location.pathname);
  }
  if (document.getElementById("token").value) {
    document.getElementById("link-field").hidden = true;
  }
  const password = document.getElementById("password");
  const again = document.getElementById("again");
  function compare() {
    again.setCustomValidity(again.value === password.value ? "" : "The two passwords differ.");
  }
  password.addEventListener("input", compare);
  again.addEventListener("input", compare);
})();
