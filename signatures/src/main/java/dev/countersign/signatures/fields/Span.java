package dev.countersign.signatures.fields;

/** A stretch of the input: from start, up to and without end, both 0-based. */
record Span(int start, int end) {

  String in(String input) {
    return input.substring(start, end);
  }
}
