package dev.countersign.client.text;

/** Text from a stranger, made fit for a log or a terminal, which it must not steer. */
public final class PlainText {
  private static final int MOST = 1000;
  private static final int MOST_OF_MESSAGE = 4000;

  private PlainText() {}

  /** The text on one line: what cannot be seen becomes a blank, and what is too long is cut. */
  public static String line(String text) {
    return clean(text, false, MOST);
  }

  /** A whole message on one line, whose parts are cut already. */
  public static String message(String text) {
    return clean(text, false, MOST_OF_MESSAGE);
  }

  /** A text of any length on one line. */
  public static String wholeLine(String text) {
    return clean(text, false, Integer.MAX_VALUE);
  }

  /** The text with its line feeds, and nothing else that cannot be seen. */
  public static String lines(String text) {
    return clean(text, true, Integer.MAX_VALUE);
  }

  private static String clean(String text, boolean lineFeeds, int most) {
    StringBuilder clean = new StringBuilder(Math.min(text.length(), 200));
    int at = 0;
    while (at < text.length() && clean.length() < most) {
      int codePoint = text.codePointAt(at);
      boolean kept = isSeen(codePoint) || (lineFeeds && codePoint == '\n');
      clean.appendCodePoint(kept ? codePoint : ' ');
      at += Character.charCount(codePoint);
    }
    return at < text.length() ? clean.append('…').toString() : clean.toString();
  }

  /** Whether a character only shows; format characters can turn the direction of a line. */
  public static boolean isSeen(int codePoint) {
    return switch (Character.getType(codePoint)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.SURROGATE,
          Character.UNASSIGNED,
          Character.PRIVATE_USE ->
          false;
      default -> true;
    };
  }
}
