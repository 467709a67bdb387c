package dev.countersign.signatures;

import java.util.List;
import java.util.stream.Stream;

/** The lines of a header or trailer section in the order sent; every change makes a copy. */
record FieldLines(List<WireRequest.Line> lines) {
  static final FieldLines NONE = new FieldLines(List.of());

  FieldLines plus(String name, String value) {
    WireRequest.Line line = new WireRequest.Line(name, value);
    return new FieldLines(Stream.concat(lines.stream(), Stream.of(line)).toList());
  }

  FieldLines without(String name) {
    return new FieldLines(lines.stream().filter(line -> !line.isNamed(name)).toList());
  }

  List<String> named(String name) {
    return lines.stream().filter(l -> l.isNamed(name)).map(WireRequest.Line::value).toList();
  }
}
