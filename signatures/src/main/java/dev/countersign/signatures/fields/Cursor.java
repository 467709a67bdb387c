package dev.countersign.signatures.fields;

/** A place in the input that only moves forward, and the errors that point at it. */
final class Cursor {

  /** What {@link #peek} sees behind the last character. */
  static final int END = -1;

  private final String input;
  private int position;

  Cursor(String input) {
    this.input = input;
  }

  String input() {
    return input;
  }

  int position() {
    return position;
  }

  boolean atEnd() {
    return position == input.length();
  }

  int peek() {
    return atEnd() ? END : input.charAt(position);
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
