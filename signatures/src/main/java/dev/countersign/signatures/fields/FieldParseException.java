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

  /** Records no stack trace: anonymous callers can send many fields that cannot be read. */
  @Override
  public synchronized Throwable fillInStackTrace() {
    return this;
  }

  /** The whole input, raw: show {@link #caret()} to people instead. */
  public String input() {
    return input;
  }

  /** The 0-based index into the input; its length where the input ended too early. */
  public int position() {
    return position;
  }

  /** What the parser would have taken at the position, such as {@code ')' or a space}. */
  public String expectation() {
    return expectation;
  }

  /**
   * Two lines: the input, and a caret under the position with the expectation behind it. A long
   * input is cut to about 100 columns around the position; whatever is not printable ASCII is shown
   * as U+FFFD, one for one.
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
