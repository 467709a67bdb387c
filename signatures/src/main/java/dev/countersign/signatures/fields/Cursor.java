package dev.countersign.signatures.fields;

/** A position in the input that only moves forward. Creates the errors that point at a position. */
final class Cursor {

  /** The result of {@link #peek} after the last character. */
  static final int END = -1;

  private final String input;
  private final int length;
  private int position;

  Cursor(String input) {
    this.input = input;
    this.length = input.length();
  }

  String input() {
    return input;
  }

  int position() {
    return position;
  }

  boolean atEnd() {
    return position == length;
  }

  int peek() {
    return position < length ? input.charAt(position) : END;
  }

  /** Consumes the character that {@link #peek} returns. */
  void advance() {
    position++;
  }

  /** Consumes the next character if it is {@code c}. */
  boolean skip(char c) {
    if (peek() != c) {
      return false;
    }
    position++;
    return true;
  }

  void skipSpaces() {
    while (peek() == ' ') {
      position++;
    }
  }

  // RFC 9110 5.6.3: OWS = *( SP / HTAB )
  void skipOptionalWhitespace() {
    while (peek() == ' ' || peek() == '\t') {
      position++;
    }
  }

  /**
   * Returns the text up to the next occurrence of a character, and consumes nothing. Empty if the
   * character does not occur.
   */
  String textTo(char c) {
    int end = input.indexOf(c, position);
    return end < 0 ? "" : input.substring(position, end);
  }

  /** Consumes this many characters. */
  void advance(int characters) {
    position += characters;
  }

  String textFrom(int start) {
    return input.substring(start, position);
  }

  FieldParseException expected(String expectation) {
    return expectedAt(position, expectation);
  }

  FieldParseException expectedAt(int place, String expectation) {
    return new FieldParseException(input, place, expectation);
  }
}
