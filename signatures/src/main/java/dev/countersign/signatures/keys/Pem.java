package dev.countersign.signatures.keys;

import static dev.countersign.signatures.keys.KeyFileException.Reason.EMPTY;
import static dev.countersign.signatures.keys.KeyFileException.Reason.NOT_BASE64;
import static dev.countersign.signatures.keys.KeyFileException.Reason.NOT_PEM;
import static dev.countersign.signatures.keys.KeyFileException.Reason.TOO_MANY;
import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.Base64;
import java.util.Locale;
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
  private static final Pattern DAMAGED_HEADER =
      Pattern.compile("[^A-Za-z0-9\\r\\n]{2,9}BEGIN[^\\r\\n]{1,60}");
  private static final Pattern NOT_IN_HEADER = Pattern.compile("[^A-Z0-9 -]");
  // The sign '=' belongs only at the end of base64.
  private static final Pattern FOREIGN =
      Pattern.compile("[^A-Za-z0-9+/=\\s\\p{Z}]|=(?=[\\s\\p{Z}]*+[^=\\s\\p{Z}])");
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
      return base64(text, header.end(), end);
    }
    if (text.contains("--")) {
      throw new KeyFileException(
          NOT_PEM,
          "the BEGIN line is damaged or missing: it has five dashes on either side, as in"
              + " -----BEGIN PUBLIC KEY-----"
              + describeForeignInHeader(text));
    }
    return base64(text, 0, text.length());
  }

  static void requireOneBlock(String text) {
    if (text.indexOf("-----BEGIN") != text.lastIndexOf("-----BEGIN")) {
      throw new KeyFileException(
          TOO_MANY,
          "the text has more than one PEM block: keep only the block of the key"
              + (text.contains("BEGIN CERTIFICATE-")
                  ? ". For the key of the first certificate: openssl x509 -in FILE -pubkey -noout"
                  : ""));
    }
  }

  /** Decodes a part of the text. A refusal names the first character that does not belong there. */
  static byte[] base64(String text, int start, int end) {
    // All whitespace is removed before decoding, because copying a key often adds some.
    String compact = WHITESPACE.matcher(text.substring(start, end)).replaceAll("");
    if (compact.isEmpty()) {
      throw new KeyFileException(EMPTY, "the PEM block is empty: copy the whole text of the key");
    }
    try {
      return Base64.getDecoder().decode(compact);
    } catch (IllegalArgumentException e) {
      throw new KeyFileException(NOT_BASE64, "the key is not base64: " + hint(text, start, end));
    }
  }

  private static String hint(String text, int start, int end) {
    Matcher foreign = FOREIGN.matcher(text).region(start, end);
    if (!foreign.find()) {
      return "the end is cut off; copy the whole text again";
    }
    int index = foreign.start();
    return "it has " + describeCharacter(text, index) + "; " + advice(text, index);
  }

  private static String advice(String text, int index) {
    return switch (text.charAt(index)) {
      case '\\' -> "two characters such as backslash and n must be a line break";
      case '-', '_' -> "'-' and '_' belong to base64url; PEM uses '+' and '/'";
      case '>' -> "mail programs put it before the lines of a quoted text: remove it";
      case '<', '&' -> "this is HTML: copy the text that the page shows";
      case '=' ->
          "only the end of the key has this character. Mails encoded as quoted-printable have it in"
              + " between: copy the text that the mail program shows";
      default -> "remove it, or copy the whole text again";
    };
  }

  /** Describes the first character of the damaged BEGIN line that no BEGIN line may contain. */
  private static String describeForeignInHeader(String text) {
    Matcher line = DAMAGED_HEADER.matcher(text);
    if (!line.find()) {
      return "";
    }
    Matcher foreign = NOT_IN_HEADER.matcher(text).region(line.start(), line.end());
    return foreign.find() ? ". It has " + describeCharacter(text, foreign.start()) : "";
  }

  /** Describes a character by its code point and its line, because it may be invisible. */
  private static String describeCharacter(String text, int index) {
    long line =
        text.substring(0, index).replace("\r\n", "\n").chars().filter(Pem::isLineBreak).count() + 1;
    return String.format(Locale.ROOT, "U+%04X in line %d", text.codePointAt(index), line);
  }

  private static boolean isLineBreak(int c) {
    return c == '\n' || c == '\r';
  }
}
