package dev.countersign.cli.captured;

/** An offending text as a message may show it: in quotes, one line, printable, not too long. */
final class Shown {
  private static final int LIMIT = 60;

  private Shown() {}

  static String of(String text) {
    StringBuilder shown = new StringBuilder("\"");
    text.chars().limit(LIMIT).forEach(c -> shown.append(c >= ' ' && c <= '~' ? (char) c : '?'));
    return shown.append(text.length() > LIMIT ? "…" : "").append('"').toString();
  }
}
