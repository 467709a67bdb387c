package dev.countersign.signatures.diagnosis;

import java.util.Locale;
import java.util.Optional;
import java.util.function.IntFunction;

/**
 * Normalizes the white space and the escapes of JSON texts, so that only their other differences
 * remain. The texts are not parsed fully.
 */
final class JsonText {
  // RFC 8259 section 7: the characters after a backslash, and the characters that they stand for.
  private static final String ESCAPE_LETTERS = "\"\\/bfnrt";
  private static final String ESCAPED_CHARACTERS = "\"\\/\b\f\n\r\t";
  private static final String STRUCTURE = "{}[]:,";

  private JsonText() {}

  /** The decoded content of a JSON string; empty if a backslash does not begin a JSON escape. */
  static Optional<String> unescape(String content) {
    return rewrite(content, Character::toString);
  }

  /**
   * The same JSON with only the necessary escapes, each in one spelling; empty if a backslash does
   * not begin a JSON escape.
   */
  static Optional<String> normalizeEscapes(String json) {
    return rewrite(json, JsonText::escapeWhereNeeded);
  }

  private static String escapeWhereNeeded(int c) {
    if (c == '"' || c == '\\') {
      return "\\" + (char) c;
    }
    return c < ' ' ? String.format(Locale.ROOT, "\\u%04x", c) : Character.toString(c);
  }

  private static Optional<String> rewrite(String text, IntFunction<String> format) {
    StringBuilder rewritten = new StringBuilder(text.length());
    int start = 0;
    for (int escape; (escape = text.indexOf('\\', start)) >= 0; ) {
      boolean isUnicode = text.startsWith("u", escape + 1);
      int value = isUnicode ? fourDigits(text, escape + 2) : shortEscape(text, escape + 1);
      if (value < 0) {
        return Optional.empty();
      }
      // A surrogate pair has two escapes. Its two halves, appended in turn, are one character.
      rewritten.append(text, start, escape).append(format.apply(value));
      start = escape + (isUnicode ? 6 : 2);
    }
    return Optional.of(rewritten.append(text, start, text.length()).toString());
  }

  private static int shortEscape(String text, int i) {
    int index = i < text.length() ? ESCAPE_LETTERS.indexOf(text.charAt(i)) : -1;
    return index < 0 ? -1 : ESCAPED_CHARACTERS.charAt(index);
  }

  private static int fourDigits(String text, int start) {
    int value = 0;
    for (int i = start; i < start + 4; i++) {
      int digit = i < text.length() ? Percent.hexValue(text.charAt(i)) : -1;
      if (digit < 0) {
        return -1;
      }
      value = value * 16 + digit;
    }
    return value;
  }

  /**
   * The same JSON without white space outside its strings. One space remains between two values
   * that only white space separates.
   */
  static String withoutWhiteSpace(String json) {
    StringBuilder dense = new StringBuilder(json.length());
    boolean quoted = false;
    boolean gap = false;
    for (int i = 0; i < json.length(); i++) {
      char c = json.charAt(i);
      if (!quoted && (c == ' ' || c == '\t' || c == '\n' || c == '\r')) {
        gap = true;
        continue;
      }
      if (gap && !dense.isEmpty() && !isStructure(dense.charAt(dense.length() - 1))) {
        dense.append(isStructure(c) ? "" : " ");
      }
      gap = false;
      dense.append(c);
      if (c == '\\' && quoted && i + 1 < json.length()) {
        dense.append(json.charAt(++i));
      } else if (c == '"') {
        quoted = !quoted;
      }
    }
    return dense.toString();
  }

  private static boolean isStructure(char c) {
    return STRUCTURE.indexOf(c) >= 0;
  }
}
