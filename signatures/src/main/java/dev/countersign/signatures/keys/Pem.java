package dev.countersign.signatures.keys;

import static dev.countersign.signatures.keys.KeyFileException.Reason.EMPTY;
import static dev.countersign.signatures.keys.KeyFileException.Reason.NOT_BASE64;
import static dev.countersign.signatures.keys.KeyFileException.Reason.NOT_PEM;
import static dev.countersign.signatures.keys.KeyFileException.Reason.TOO_MANY;
import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The text form of a key: base64 of DER between two lines that name the kind of key (<a
 * href="https://www.rfc-editor.org/rfc/rfc7468#section-2">RFC 7468, section 2</a>). The text is
 * read with or without those lines, with any whitespace, and with other text around it, which
 * OpenSSL sometimes writes.
 */
final class Pem {
  private static final Pattern HEADER = Pattern.compile("-----BEGIN ([A-Z0-9 ]{1,40})-----");
  private static final Pattern WHITESPACE = Pattern.compile("[\\s\\p{Z}]+");

  private Pem() {}

  static String write(String label, byte[] der) {
    String body = Base64.getMimeEncoder(64, "\n".getBytes(US_ASCII)).encodeToString(der);
    return "-----BEGIN " + label + "-----\n" + body + "\n-----END " + label + "-----\n";
  }

  /** Returns the DER in the text's only block, or in the whole text if it has no header lines. */
  static byte[] read(String text) {
    requireOneBlock(text);
    Matcher header = HEADER.matcher(text);
    if (header.find()) {
      int end = text.indexOf("-----END " + header.group(1) + "-----", header.end());
      if (end < 0) {
        throw new KeyFileException(
            NOT_PEM, "the END line that matches the BEGIN line is missing: copy the whole text");
      }
      return base64(text.substring(header.end(), end));
    }
    if (text.contains("--")) {
      throw new KeyFileException(
          NOT_PEM,
          "the BEGIN line is damaged or missing: it has five dashes on either side, as in"
              + " -----BEGIN PUBLIC KEY-----");
    }
    return base64(text);
  }

  static void requireOneBlock(String text) {
    if (text.indexOf("-----BEGIN") != text.lastIndexOf("-----BEGIN")) {
      throw new KeyFileException(
          TOO_MANY, "the text has more than one PEM block: keep only the block of the key");
    }
  }

  static byte[] base64(String body) {
    // All whitespace is removed before decoding, because copying a key often adds some.
    String compact = WHITESPACE.matcher(body).replaceAll("");
    if (compact.isEmpty()) {
      throw new KeyFileException(EMPTY, "the PEM block is empty: copy the whole text of the key");
    }
    try {
      return Base64.getDecoder().decode(compact);
    } catch (IllegalArgumentException e) {
      throw new KeyFileException(NOT_BASE64, "the key is not base64: " + hint(compact));
    }
  }

  private static String hint(String compact) {
    if (compact.contains("\\n") || compact.contains("\\r")) {
      return "it has the two characters backslash and n instead of a line break";
    }
    if (compact.indexOf('-') >= 0 || compact.indexOf('_') >= 0) {
      return "it has '-' or '_', as base64url does; PEM uses '+' and '/'";
    }
    return "it has an invalid character or the end is cut off; copy the whole text again";
  }
}
