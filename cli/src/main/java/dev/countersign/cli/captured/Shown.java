package dev.countersign.cli.captured;

/** An offending text for a message: quoted, on one line, printable and short. */
final class Shown {
  private static final int LIMIT = 60;

  private Shown() {}

  static String of(String text) {
    StringBuilder shown = new StringBuilder("\"");
    text.chars().limit(LIMIT).forEach(c -> shown.append(c >= ' ' && c <= '~' ? (char) c : '?'));
    return shown.append(text.length() > LIMIT ? "…" : "").append('"').toString();
  }
}
