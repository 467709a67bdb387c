package dev.countersign.cli;

/** Text from elsewhere as one line that cannot steer a terminal. */
final class OneLine {
  private OneLine() {}

  /** Control characters become spaces, and spaces in a row one. */
  static String of(String text) {
    StringBuilder line = new StringBuilder(text.length());
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      line.append(Character.isISOControl(c) || c == '\u2028' || c == '\u2029' ? ' ' : c);
    }
    return line.toString().replaceAll(" {2,}", " ").strip();
  }
}
