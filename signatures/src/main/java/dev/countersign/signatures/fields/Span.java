package dev.countersign.signatures.fields;

/** A range of the input, from start (inclusive) to end (exclusive), both 0-based. */
record Span(int start, int end) {

  String in(String input) {
    return input.substring(start, end);
  }
}
