package dev.countersign.cli;

import dev.countersign.client.text.PlainText;

/** Makes untrusted text safe for a terminal, on one line. */
final class OneLine {
  private OneLine() {}

  /** Replaces invisible characters by spaces, and runs of spaces by a single one. */
  static String of(String text) {
    return PlainText.wholeLine(text).replaceAll(" {2,}", " ").strip();
  }
}
