package dev.countersign.cli.explain;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A signature base as a list of lines that can be changed one at a time (RFC 9421 section 2.5). */
record EditableBase(List<String> lines) {
  static final String PARAMS = "\"@signature-params\"";

  EditableBase {
    lines = List.copyOf(lines);
  }

  static EditableBase of(String base) {
    return new EditableBase(List.of(base.split("\n", -1)));
  }

  String text() {
    return String.join("\n", lines);
  }

  /** The value in a component's line. The identifier includes its quotes. */
  Optional<String> value(String identifier) {
    String start = identifier + ": ";
    return lines.stream()
        .filter(line -> line.startsWith(start))
        .map(line -> line.substring(start.length()))
        .findFirst();
  }

  /**
   * Returns a copy with a new value for a component, or an equal copy if there is no line for the
   * component.
   */
  EditableBase with(String identifier, String value) {
    String start = identifier + ": ";
    List<String> changed = new ArrayList<>();
    for (String line : lines) {
      changed.add(line.startsWith(start) ? start + value : line);
    }
    return new EditableBase(changed);
  }
}
