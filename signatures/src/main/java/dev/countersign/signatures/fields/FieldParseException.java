package dev.countersign.signatures.fields;

/**
 * Thrown for a field value that is not a structured field, with the position of the error.
 *
 * <p>The message names the rule and the place, never a part of the input, so it can be logged.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9651#section-4.2">RFC 9651 4.2</a>
 */
public final class FieldParseException extends IllegalArgumentException {

  private static final long serialVersionUID = 1;
  // The maximum number of characters of the input that the caret text shows.
  private static final int COLUMNS = 100;
  private static final String CUT = "...";

  private final String input;
  private final int position;
  private final String expectation;

  FieldParseException(String input, int position, String expectation) {
    super("expected " + expectation + " at position " + position);
    this.input = input;
    this.position = position;
    this.expectation = expectation;
  }

  /** Records no stack trace, because anonymous callers can send many malformed fields. */
  @Override
  public synchronized Throwable fillInStackTrace() {
    return this;
  }

  /** The whole input, unescaped. To show it to people, use {@link #caret()} instead. */
  public String input() {
    return input;
  }

  /**
   * The 0-based index of the error in the input; the input's length if the input ended too early.
   */
  public int position() {
    return position;
  }

  /** A description of what the parser expected at the position, such as {@code ')' or a space}. */
  public String expectation() {
    return expectation;
  }

  /**
   * Two lines: the input, then a caret under the position, followed by the expectation. A long
   * input is cut to about 100 columns around the position; each character that is not printable
   * ASCII is shown as U+FFFD.
   */
  public String caret() {
    int start = Math.max(0, Math.min(position - COLUMNS / 2, input.length() - COLUMNS));
    int end = Math.min(input.length(), start + COLUMNS);
    String before = start > 0 ? CUT : "";
    String after = end < input.length() ? CUT : "";
    String shown = Ascii.printable(input.subSequence(start, end));
    return before
        + shown
        + after
        + "\n"
        + " ".repeat(before.length() + position - start)
        + "^ expected "
        + expectation;
  }
}
