package dev.countersign.protocol;

import java.net.URI;
import java.util.regex.Pattern;

/**
 * Makes untrusted text safe to show: in a log or a terminal, where it could otherwise act as
 * control codes, and in a spreadsheet, where it could otherwise run as a formula.
 */
public final class PlainText {
  private static final int MAX_LINE_LENGTH = 1000;
  private static final int MAX_MESSAGE_LENGTH = 4000;

  private static final int MAX_VALUE_LENGTH = 60;

  private static final String SPREADSHEET_RISKS = "=+-@\t\r'";
  private static final Pattern NUMBER = Pattern.compile("[+-]?\\d+(?:\\.\\d+)?(?:[eE][+-]?\\d+)?");

  private PlainText() {}

  /**
   * Returns a URL for a message, without its query and fragment, which may be secret. If it has an
   * {@code @}, returns only its scheme: a password may contain a slash or a question mark.
   */
  public static String url(URI url) {
    String text = url.toString();
    return line(
        text.indexOf('@') < 0
            ? text.replaceFirst("([?#]).+", "$1…")
            : text.replaceFirst("^((?:[A-Za-z][A-Za-z0-9+.-]*:)?(?://)?).*", "$1…"));
  }

  /**
   * Returns an offending value for a message: in quotes, on one line, in printable ASCII, cut after
   * 60 characters.
   */
  public static String quoted(String value) {
    if (value.isEmpty()) {
      return "an empty text";
    }
    StringBuilder shown = new StringBuilder("\"");
    value
        .chars()
        .limit(MAX_VALUE_LENGTH)
        .forEach(c -> shown.append(c >= ' ' && c <= '~' ? (char) c : '?'));
    return shown.append(value.length() > MAX_VALUE_LENGTH ? "…\"" : "\"").toString();
  }

  /** Returns a text of any length on one line, without repeated or surrounding blanks. */
  public static String compactLine(String text) {
    return wholeLine(text).replaceAll(" {2,}", " ").strip();
  }

  /**
   * Returns the text on one line. Invisible characters become blanks, and text that is too long is
   * cut.
   */
  public static String line(String text) {
    return clean(text, false, MAX_LINE_LENGTH);
  }

  /** Returns a message on one line, with a higher limit because its parts have already been cut. */
  public static String message(String text) {
    return clean(text, false, MAX_MESSAGE_LENGTH);
  }

  /** Returns a text of any length on one line. */
  public static String wholeLine(String text) {
    return clean(text, false, Integer.MAX_VALUE);
  }

  /** Returns the text with its line feeds; other invisible characters become blanks. */
  public static String lines(String text) {
    return clean(text, true, Integer.MAX_VALUE);
  }

  /**
   * Returns a cell for a CSV file that cannot run as a formula. A spreadsheet runs a cell that
   * begins with {@code = + - @}, a tab or a carriage return, so such a cell gets a leading
   * apostrophe. So does a cell that begins with an apostrophe, which makes the change reversible:
   * remove one leading apostrophe, if there is one. A number is returned unchanged, with or without
   * a sign.
   */
  public static String spreadsheetCell(String text) {
    boolean risky = !text.isEmpty() && SPREADSHEET_RISKS.indexOf(text.charAt(0)) >= 0;
    return risky && !NUMBER.matcher(text).matches() ? "'" + text : text;
  }

  private static String clean(String text, boolean keepLineFeeds, int maximum) {
    StringBuilder clean = new StringBuilder(Math.min(text.length(), 200));
    int at = 0;
    while (at < text.length() && clean.length() < maximum) {
      int codePoint = text.codePointAt(at);
      boolean kept = isVisible(codePoint) || (keepLineFeeds && codePoint == '\n');
      clean.appendCodePoint(kept ? codePoint : ' ');
      at += Character.charCount(codePoint);
    }
    return at < text.length() ? clean.append('…').toString() : clean.toString();
  }

  /**
   * Returns whether a character is visible and has no other effect. Format characters are excluded,
   * because they can reverse the direction of a line.
   */
  public static boolean isVisible(int codePoint) {
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

  /**
   * Returns whether a character is visible or a plain space. Other spaces are excluded, because two
   * texts that differ in them look alike.
   */
  public static boolean isVisibleOrSpace(int codePoint) {
    return codePoint == ' '
        || (isVisible(codePoint) && Character.getType(codePoint) != Character.SPACE_SEPARATOR);
  }
}
