package dev.countersign.cli;

import dev.countersign.client.text.PlainText;

/** Text from elsewhere as one line that cannot steer a terminal. */
final class OneLine {
  private OneLine() {}

  /** What cannot be seen becomes a space, and spaces in a row one. */
  static String of(String text) {
    return PlainText.wholeLine(text).replaceAll(" {2,}", " ").strip();
  }
}
