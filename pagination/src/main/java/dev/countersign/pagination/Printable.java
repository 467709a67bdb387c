package dev.countersign.pagination;

import java.util.Locale;

/** Makes untrusted text safe for a message, so that it cannot break a line, a log or a terminal. */
final class Printable {
  // In characters. The result ends after the character or escape that reaches this length.
  private static final int MAXIMUM_LENGTH = 64;

  private Printable() {}

  /**
   * Returns a text of visible ASCII characters unchanged, and puts any other text in quotes.
   * Escapes each character that is neither printable ASCII nor a letter or digit. Cuts a text that
   * is too long, and returns {@code empty} for an empty text.
   */
  static String of(String text) {
    if (text.isEmpty()) {
      return "empty";
    }
    StringBuilder out = new StringBuilder();
    boolean plain = true;
    int at = 0;
    while (at < text.length() && out.length() < MAXIMUM_LENGTH) {
      int codePoint = text.codePointAt(at);
      plain &= codePoint > ' ' && codePoint < 0x7F;
      append(out, codePoint);
      at += Character.charCount(codePoint);
    }
    if (at < text.length()) {
      out.append('…');
    }
    return plain ? out.toString() : "\"" + out + "\"";
  }

  private static void append(StringBuilder out, int codePoint) {
    if ((codePoint >= ' ' && codePoint < 0x7F) || Character.isLetterOrDigit(codePoint)) {
      out.appendCodePoint(codePoint);
    } else {
      out.append(String.format(Locale.ROOT, "\\u{%X}", codePoint));
    }
  }
}
