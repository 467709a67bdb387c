// Generates a key pair with WebCrypto. The private key is offered as a file; it exists only in this closure.
(function () {
  "use strict";
  const part = document.querySelector("[data-key-pair]");
  if (!part) {
    return;
  }
  if (!window.isSecureContext || !window.crypto.subtle) {
    document.querySelector("[data-no-key-pair]").hidden = false;
    return;
  }
  part.hidden = false;
  const form = part.closest("form");
  const field = document.querySelector("[data-public-key]");
  const make = part.querySelector("[data-make-key-pair]");
  const made = part.querySelector("[data-key-pair-made]");
  const save = part.querySelector("[data-save-private-key]");
  const status = part.querySelector("[data-key-pair-status]");
  let address = null;
  let publicKey = null;
  let saved = false;

  function pem(label, buffer) {
    const base64 = btoa(Array.from(new Uint8Array(buffer), function (byte) { return String.fromCharCode(byte); }).join(""));
    return "-----BEGIN " + label + "-----\n" + base64.match(/.{1,64}/g).join("\n") + "\n-----END " + label + "-----\n";
  }

  function fileName() {
    const name = form.dataset.clientName || document.getElementById("name").value;
    const plain = name.trim().replace(/[^A-Za-z0-9._-]+/g, "-").replace(/^[-.]+|[-.]+$/g, "").slice(0, 60);
    return (plain || "client") + ".private.pem";
  }

  // Forgets the key.
  function forget() {
    URL.revokeObjectURL(address);
    address = null;
    saved = false;
    made.hidden = true;
    save.removeAttribute("download");
    save.setAttribute("href", "#");
  }

  function fill(text) {
    publicKey = text;
    field.value = text;
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }

  async function generate() {
    const pair = await window.crypto.subtle.generateKey(
      { name: "RSASSA-PKCS1-v1_5", modulusLength: 3072, publicExponent: new Uint8Array([1, 0, 1]), hash: "SHA-256" },
      true, ["sign", "verify"]);
    const half = await window.crypto.subtle.exportKey("spki", pair.publicKey);
    const whole = await window.crypto.subtle.exportKey("pkcs8", pair.privateKey);
    address = URL.createObjectURL(new Blob([pem("PRIVATE KEY", whole)], { type: "application/x-pem-file" }));
    fill(pem("PUBLIC KEY", half));
  }

  make.addEventListener("click", async function () {
    if (address) {
      forget();
    }
    make.disabled = true;
    status.textContent = "Generating…";
    try {
      await generate();
      status.textContent = "A key pair was generated. Save the private key before you continue.";
      made.hidden = false;
      save.href = address;
      save.download = fileName();
      made.focus();
    } catch (failed) {
      status.textContent = "This browser could not generate a key pair: " + failed.name + ".";
    }
    make.disabled = false;
  });

  // A browser does not report whether a file was saved, so it can be saved again until the user leaves the page.
  save.addEventListener("click", function () {
    save.download = fileName();
    saved = true;
    status.textContent = save.download + " is saved by your browser. Check that the file exists before you continue: "
      + "this page forgets the key when you leave it.";
  });

  part.querySelector("[data-discard-key-pair]").addEventListener("click", function () {
    forget();
    if (field.value === publicKey) {
      fill("");
    }
    status.textContent = "The pair is discarded.";
    make.focus();
  });

  form.addEventListener("submit", function (event) {
    if (address && !saved && field.value === publicKey) {
      event.preventDefault();
      event.stopPropagation();
      status.textContent = "Save the private key first, or discard the pair: after this page, nobody has the key.";
      made.focus();
    }
  });
  window.addEventListener("beforeunload", function (event) {
    if (address && !saved) {
      event.preventDefault();
    }
  });
})();
