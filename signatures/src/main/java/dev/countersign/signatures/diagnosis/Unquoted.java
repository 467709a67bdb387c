package dev.countersign.signatures.diagnosis;

import java.util.ArrayList;
import java.util.List;

/** Finds characters outside quoted strings, and splits texts at them. */
final class Unquoted {
  private Unquoted() {}

  /**
   * The first position of a character outside quotes, at or after the start position; -1 if there
   * is no such position.
   */
  static int indexOf(char wanted, String text, int start) {
    boolean quoted = false;
    for (int i = start; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == wanted && !quoted) {
        return i;
      }
      if (c == '"') {
        quoted = !quoted;
      } else if (c == '\\' && quoted) {
        i++;
      }
    }
    return -1;
  }

  /** The parts between the separators, trimmed; there is always at least one part. */
  static List<String> split(String text, char separator) {
    List<String> parts = new ArrayList<>();
    int start = 0;
    for (int end; (end = indexOf(separator, text, start)) >= 0; start = end + 1) {
      parts.add(text.substring(start, end).strip());
    }
    parts.add(text.substring(start).strip());
    return parts;
  }
}
