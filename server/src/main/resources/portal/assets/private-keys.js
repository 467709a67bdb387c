// Keeps private keys out of every field of the portal, before anything is sent. The server refuses them as well.
(function () {
  "use strict";
  const ADVICE = "This is a private key. It was cleared and not sent. It has left its owner, so discard that key pair, "
    + "generate a new one, and paste its public key.";
  // The library makes the same decisions in its class PrivateKeyTraces, which explains them.
  const BOUNDARY = /\b(BEGIN|END) [A-Z0-9 ]{0,40}?(?:(PRIVATE KEY(?: BLOCK)?)|(?=-))/g;
  const PRIVATE_MEMBER = /(?:^|[^A-Za-z0-9_$.-])(d|dp|dq|p|q|qi|oth|k)(?![A-Za-z0-9_$.-])/g;
  const PRIVATE_ELEMENT = /<(?:[A-Za-z0-9]{1,9}:)?(D|P|Q|DP|DQ|InverseQ)>/g;
  const LONG_VALUE = /\\{0,4}["']?[A-Za-z0-9+/_-]{16}/y;
  const NULL = /null(?![A-Za-z0-9_])/y;
  const EMPTY_QUOTES = /(\\{0,4}["'])\1/y;
  const HEAD_CHARACTERS = 64;
  const LONG_RUN_CHARACTERS = 16;
  const MAX_INNER_TEXTS = 8;

  // The text without invisible characters and with hyphens for all dashes. Spaces, tabs, and escaped tabs and line
  // breaks become simple spaces; line breaks remain.
  function plainText(text) {
    return text.replace(/\p{Cf}/gu, "").replace(/\\[rnt]/g, " ").replace(/\p{Pd}/gu, "-").replace(/[^\S\r\n]/g, " ");
  }

  function starts(pattern, text, place) {
    pattern.lastIndex = place;
    return pattern.test(text);
  }

  // A private BEGIN or END line next to a possible key.
  function hasFilledBlock(text) {
    const boundaries = Array.from(text.matchAll(BOUNDARY));
    const filled = boundaries.some(function (boundary, i) {
      const isEnd = boundary[1] === "END";
      const before = i === 0 ? 0 : boundaries[i - 1].index + boundaries[i - 1][0].length;
      const after = i + 1 === boundaries.length ? text.length : boundaries[i + 1].index;
      const part = isEnd ? text.slice(before, boundary.index) : text.slice(boundary.index + boundary[0].length, after);
      return boundary[2] && /[A-Z0-9]/.test(part);
    });
    return filled || (boundaries.length === 1 && Boolean(boundaries[0][2]));
  }

  function afterSpaces(text, place, acrossLines) {
    let after = place;
    while (text[after] === " " || (acrossLines && (text[after] === "\n" || text[after] === "\r"))) {
      after++;
    }
    return after;
  }

  // The place after the quote that closes a name, or the same place if there is no quote.
  function afterClosingQuote(text, place) {
    let quote = place;
    while (text[quote] === "\\" && quote < place + 4) {
      quote++;
    }
    return text[quote] === "\"" || text[quote] === "'" ? quote + 1 : place;
  }

  function isEmptyValue(text, value, isQuoted) {
    return (!isQuoted && (value >= text.length || "\r\n,}".includes(text[value])))
      || starts(NULL, text, value) || starts(EMPTY_QUOTES, text, value);
  }

  // A private member of a JWK that is neither null nor empty.
  function hasPrivateMember(text) {
    const isJwk = /(?:^|[^A-Za-z0-9_])kty(?![A-Za-z0-9_])/.test(text);
    const isJson = /^[ \r\n]*[{[]/.test(text);
    return Array.from(text.matchAll(PRIVATE_MEMBER)).some(function (name) {
      const open = name.index + name[0].length;
      const end = afterClosingQuote(text, open);
      const isQuoted = end > open;
      const colon = afterSpaces(text, end, isQuoted);
      if (text[colon] !== ":") {
        return false;
      }
      const value = afterSpaces(text, colon + 1, isQuoted);
      const isLikely = isJwk || (name[1] === "d" && isQuoted && (isJson || starts(LONG_VALUE, text, value)));
      return isLikely && !isEmptyValue(text, value, isQuoted);
    });
  }

  // A private element of an RSAKeyValue in XML that is not empty.
  function hasPrivateElement(text) {
    const isRsa = text.includes("RSAKeyValue") || text.includes("RSAParameters");
    return Array.from(text.matchAll(PRIVATE_ELEMENT)).some(function (element) {
      const value = afterSpaces(text, element.index + element[0].length, true);
      const isDistinctive = element[1] === "D" || element[1] === "InverseQ";
      return (isRsa || (isDistinctive && starts(LONG_VALUE, text, value))) && text[value] !== "<";
    });
  }

  function decode(compact, start, limit) {
    const length = Math.min(compact.length - start, limit);
    return atob(compact.substr(start, length - length % 4));
  }

  // What the first bytes of DER or of another form open (RFC 5958, RFC 8017, RFC 9580): "private", "likely private"
  // if they may also be there by chance, "public" or "unknown".
  function kindOf(bytes) {
    const at = function (place) { return place < bytes.length ? bytes.charCodeAt(place) : -1; };
    const inside = function (place) {
      return at(place + 1) < 0x80 ? place + 2 : place + 2 + (at(place + 1) & 0x7f);
    };
    if (/^openssh-key-v1/.test(bytes)) {
      return "private";
    }
    if (/^\x95[^]{2}\x04[^]{4}[\x01-\x03\x10-\x13\x16\x19-\x1c]/.test(bytes)) {
      return "likely private";
    }
    if (at(0) !== 0x30) {
      return "unknown";
    }
    const first = inside(0);
    if (at(first) === 0x02) {
      // A version number opens a private key, a long number only a PKCS#1 public key.
      if (at(first + 1) !== 1) {
        return "public";
      }
      const next = first + 3;
      // In a list of revoked certificates, or in a certificate of version 1, a name follows the algorithm, not a key.
      const after = inside(next) + at(next + 1);
      const hasKey = at(next + 1) > 0x7f || after >= bytes.length || at(after) === 0x04;
      const isClear = at(next) === 0x02 || at(next) === 0x04
        || (at(next) === 0x30 && at(inside(next)) === 0x06 && hasKey);
      return isClear ? "private" : "likely private";
    }
    if (at(first) === 0x06) {
      return bytes.startsWith("\x2a\x86\x48\x86\xf7\x0d\x01\x07", first + 2) ? "public" : "unknown";
    }
    if (at(first) !== 0x30) {
      return "unknown";
    }
    // EncryptedPrivateKeyInfo: an algorithm of PKCS#5 or PKCS#12.
    const second = inside(first);
    const encrypted = bytes.startsWith("\x2a\x86\x48\x86\xf7\x0d\x01\x05", second + 2)
      || bytes.startsWith("\x2a\x86\x48\x86\xf7\x0d\x01\x0c\x01", second + 2);
    if (at(second) === 0x06) {
      return encrypted ? "private" : "public";
    }
    return at(second) === 0x02 || at(second) === 0xa0 ? "public" : "unknown";
  }

  // The number of base64 characters of the structure that begins with these bytes.
  function lengthOf(bytes) {
    const first = bytes.charCodeAt(1);
    const count = first < 0x80 ? 0 : first & 0x7f;
    if (bytes.length < 2 || count > 3 || bytes.length < 2 + count) {
      return 0;
    }
    let length = count ? 0 : first & 0x7f;
    for (let i = 0; i < count; i++) {
      length = length * 256 + bytes.charCodeAt(2 + i);
    }
    return Math.floor(((2 + count + length) * 4 + 2) / 3);
  }

  function isText(bytes) {
    return bytes.length >= 9 && /^[\0\x09-\x0d\x20-\x7f\x80-\xff]{3}[\0\x09-\x0d\x20-\x7f]*$/.test(bytes);
  }

  // Base64 that begins like a private key, or, in the outermost text, encodes a text with a private key.
  function hasEncodedKey(spacedBase64, isOutermost) {
    const compact = spacedBase64.replace(/\s+/g, "");
    const places = [0];
    let place = 0;
    spacedBase64.split(/\s+/).forEach(function (run) {
      if (run.length >= LONG_RUN_CHARACTERS && place > 0) {
        places.push(place);
      }
      place += run.length;
    });
    let publicKeyEnd = 0;
    let innerTexts = 0;
    for (const start of places) {
      const head = decode(compact, start, HEAD_CHARACTERS);
      const kind = kindOf(head);
      // The bytes of a public key can look like a private key by chance. But the public key may be cut off, with a
      // private key behind it.
      if (kind === "private" || (kind === "likely private" && start >= publicKeyEnd)) {
        return true;
      }
      if (kind === "public") {
        publicKeyEnd = Math.max(publicKeyEnd, start + lengthOf(head));
      } else if (isOutermost && innerTexts < MAX_INNER_TEXTS && isText(head)) {
        // Each inner text is decoded up to the end of the base64, so their number is limited.
        innerTexts++;
        if (hasKey(decode(compact, start, compact.length).replaceAll("\0", ""), false)) {
          return true;
        }
      }
    }
    return false;
  }

  function hasKey(text, isOutermost) {
    const plain = plainText(text);
    return hasFilledBlock(plain) || plain.includes("PuTTY-User-Key-File-")
      || hasPrivateMember(plain) || hasPrivateElement(plain)
      || plain.split(/[^A-Za-z0-9+/ \r\n]/).some(function (part) { return hasEncodedKey(part, isOutermost); });
  }

  function isPrivate(text) {
    return hasKey(text, true);
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
