package dev.countersign.cli.terminal;

import dev.countersign.protocol.PlainText;

/** Makes untrusted text safe for a terminal, on one line. */
public final class OneLine {
  private OneLine() {}

  /** Replaces invisible characters by spaces, and runs of spaces by a single one. */
  public static String of(String text) {
    return PlainText.wholeLine(text).replaceAll(" {2,}", " ").strip();
  }
}
