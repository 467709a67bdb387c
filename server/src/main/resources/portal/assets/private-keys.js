// Keeps private keys out of every field of the portal, before anything is sent. The server refuses them as well.
(function () {
  "use strict";
  const ADVICE = "This is a private key. It was cleared and not sent. It has left its owner, so discard that key pair, "
    + "generate a new one, and paste its public key.";
  const TRACES = /\b(?:BEGIN|END) [A-Z0-9 ]{0,40}PRIVATE KEY|PuTTY-User-Key-File-|"d"\s*:|<(?:D|InverseQ)>/;

  // The bytes that the longest prefixes of a text mean in base64; "" if they mean none.
  function heads(text) {
    const runs = [text].concat(text.split(/-----[A-Z0-9 ]{1,48}-----/));
    const long = text.match(/[A-Za-z0-9+/]{16}/);
    if (long) {
      runs.push(text.slice(long.index));
    }
    return runs.map(function (run) {
      const packed = run.replace(/\s+/g, "").match(/^[A-Za-z0-9+/]*/)[0].slice(0, 96);
      return atob(packed.slice(0, packed.length - packed.length % 4));
    });
  }

  // DER (RFC 5958, RFC 8017): a version number opens a private key, a long number only a PKCS#1 public key.
  function opensPrivateKey(bytes) {
    const at = function (place) { return place < bytes.length ? bytes.charCodeAt(place) : -1; };
    const inside = function (place) {
      return at(place + 1) < 0x80 ? place + 2 : place + 2 + (at(place + 1) & 0x7f);
    };
    if (/^openssh-key-v1/.test(bytes) || TRACES.test(bytes)) {
      return true;
    }
    if (at(0) !== 0x30) {
      return false;
    }
    const first = inside(0);
    if (at(first) === 0x02) {
      return at(first + 1) === 1;
    }
    // EncryptedPrivateKeyInfo: an algorithm of PKCS#5 or PKCS#12.
    const oid = bytes.slice(inside(first) + 2, inside(first) + 12);
    return at(first) === 0x30 && at(inside(first)) === 0x06
      && (oid.indexOf("\x2a\x86\x48\x86\xf7\x0d\x01\x05") === 0 || oid.indexOf("\x2a\x86\x48\x86\xf7\x0d\x01\x0c\x01") === 0);
  }

  function isPrivate(text) {
    return TRACES.test(text) || heads(text).some(opensPrivateKey);
  }

  function warn(field) {
    let note = document.getElementById(field.id + "-private");
    if (!note) {
      note = document.createElement("div");
      note.id = field.id + "-private";
      note.className = "alert alert-danger mt-2";
      note.setAttribute("role", "alert");
      note.tabIndex = -1;
      field.insertAdjacentElement("afterend", note);
    }
    note.textContent = ADVICE;
  }

  // Returns whether a field contained a private key, and clears it then.
  function clear(field) {
    const held = isPrivate(field.value);
    if (held) {
      field.value = "";
      warn(field);
    } else if (field.value) {
      const note = document.getElementById(field.id + "-private");
      if (note) {
        note.remove();
      }
    }
    return held;
  }

  function isWatched(element) {
    return element instanceof HTMLTextAreaElement
      || (element instanceof HTMLInputElement && /^(text|search)$/.test(element.type));
  }

  // In the capture phase, so that the field is cleared before any other listener runs.
  document.addEventListener("input", function (event) {
    if (isWatched(event.target)) {
      clear(event.target);
    }
  }, true);

  document.addEventListener("submit", function (event) {
    const held = Array.from(event.target.elements).filter(isWatched).filter(clear);
    if (held.length) {
      event.preventDefault();
      event.stopImmediatePropagation();
      held[0].focus();
    }
  }, true);

  document.addEventListener("htmx:configRequest", function (event) {
    const values = Array.from(event.detail.formData.values());
    if (values.some(function (value) { return typeof value === "string" && isPrivate(value); })) {
      event.preventDefault();
    }
  });
})();
