package dev.countersign.signatures.fields;

/** A place in the input that only moves forward, and the errors that point at it. */
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

  /** Consumes the character that {@link #peek} has shown. */
  void advance() {
    position++;
  }

  /** Consumes the next character if it is this one. */
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

  /** The text up to the next such character, which is not consumed; empty if there is none. */
  String textTo(char c) {
    int end = input.indexOf(c, position);
    return end < 0 ? "" : input.substring(position, end);
  }

  /** Consumes as many characters. */
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
