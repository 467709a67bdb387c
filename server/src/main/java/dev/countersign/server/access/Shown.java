package dev.countersign.server.access;

/** An offending value as an error message may show it: one line, printable, not too long. */
final class Shown {
  private static final int LIMIT = 60;

  private Shown() {}

  static String of(String value) {
    if (value.isEmpty()) {
      return "an empty text";
    }
    StringBuilder shown = new StringBuilder();
    value.chars().limit(LIMIT).forEach(c -> shown.append(c >= ' ' && c <= '~' ? (char) c : '?'));
    return "\"" + shown + (value.length() > LIMIT ? "…" : "") + "\"";
  }
}
