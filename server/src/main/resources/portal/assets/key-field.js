// The field of a public key: accepts a file that is dropped on it or chosen, and checks again when the key changes.
(function () {
  "use strict";
  const field = document.querySelector("[data-public-key]");
  if (!field) {
    return;
  }
  const MAX_BYTES = 64 * 1024;
  const proof = document.getElementById("proof");
  const chosen = document.getElementById("key-file");

  document.querySelectorAll("[data-with-script]").forEach(function (part) { part.hidden = false; });

  function fill(text) {
    field.value = text;
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }

  // A DER file is not text, so it is shown in base64.
  function textOf(bytes) {
    const isDer = bytes[0] === 0x30 && bytes.subarray(1, 8).some(function (byte) { return byte < 9; });
    if (!isDer) {
      const isUtf16 = bytes[0] === 0xff && bytes[1] === 0xfe;
      return new TextDecoder(isUtf16 ? "utf-16le" : "utf-8").decode(bytes);
    }
    return btoa(Array.from(bytes, function (byte) { return String.fromCharCode(byte); }).join(""));
  }

  function read(file) {
    if (file.size > MAX_BYTES) {
      document.getElementById("key-check").textContent = "The file is too large for a key.";
      return;
    }
    const reader = new FileReader();
    reader.addEventListener("load", function () { fill(textOf(new Uint8Array(reader.result))); });
    reader.addEventListener("error", function () {
      document.getElementById("key-check").textContent = "The file cannot be read.";
    });
    reader.readAsArrayBuffer(file);
  }

  chosen.addEventListener("change", function () {
    if (chosen.files.length) {
      read(chosen.files[0]);
      chosen.value = "";
    }
  });
  field.addEventListener("dragover", function (event) {
    event.preventDefault();
    field.classList.add("border-primary");
  });
  field.addEventListener("dragleave", function () { field.classList.remove("border-primary"); });
  field.addEventListener("drop", function (event) {
    field.classList.remove("border-primary");
    if (event.dataTransfer.files.length) {
      event.preventDefault();
      read(event.dataTransfer.files[0]);
    }
  });

  // A challenge belongs to one key.
  field.addEventListener("input", function () { proof.replaceChildren(); });
})();
