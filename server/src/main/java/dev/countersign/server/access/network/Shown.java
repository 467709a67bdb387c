package dev.countersign.server.access.network;

/** Shortens an offending value for an error message: one line, printable, of limited length. */
public final class Shown {
  private static final int LIMIT = 60;

  private Shown() {}

  public static String of(String value) {
    if (value.isEmpty()) {
      return "an empty text";
    }
    StringBuilder shown = new StringBuilder();
    value.chars().limit(LIMIT).forEach(c -> shown.append(c >= ' ' && c <= '~' ? (char) c : '?'));
    return "\"" + shown + (value.length() > LIMIT ? "…" : "") + "\"";
  }
}
