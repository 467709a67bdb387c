package dev.countersign.signatures;

import dev.countersign.signatures.fields.ByteSequence;
import dev.countersign.signatures.fields.Dictionary;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The value of a field as it stands in a signature base (RFC 9421 section 2.1), from the lines that
 * the message has of it, at least one.
 */
final class FieldValue {
  private FieldValue() {}

  /** Each line trimmed and unfolded, all joined with a comma and a space (section 2.1). */
  static String combined(List<String> lines) {
    return lines.size() == 1
        ? canonical(lines.get(0))
        : lines.stream().map(FieldValue::canonical).collect(Collectors.joining(", "));
  }

  /**
   * A dictionary field, of which one member may be covered (section 2.1.2).
   *
   * @throws dev.countersign.signatures.fields.FieldParseException when it is no dictionary
   * @throws IllegalArgumentException when a key of it stands twice
   */
  static Dictionary dictionary(List<String> lines) {
    Dictionary dictionary = Dictionary.parse(canonical(lines));
    Repetition.refuseIn(dictionary);
    return dictionary;
  }

  /**
   * The canonical text of a structured field (section 2.1.1).
   *
   * @throws dev.countersign.signatures.fields.FieldParseException when it is of another type
   * @throws IllegalArgumentException when a key of it stands twice
   */
  static String strict(List<String> lines, FieldType type) {
    return type.serialize(canonical(lines));
  }

  /**
   * Each line as a byte sequence (section 2.1.3).
   *
   * @throws IllegalArgumentException when a character stands for no byte of a field
   */
  static String bytes(List<String> lines) {
    List<String> sequences = new ArrayList<>(lines.size());
    for (String line : canonical(lines)) {
      // RFC 9110 section 5.5: no field has these three, whatever its other bytes mean.
      if (line.chars().anyMatch(c -> c > 0xff || c == '\r' || c == '\n' || c == 0)) {
        throw new IllegalArgumentException("a character of its value is no byte of a field");
      }
      sequences.add(ByteSequence.of(line.getBytes(StandardCharsets.ISO_8859_1)).serialize());
    }
    return String.join(", ", sequences);
  }

  private static List<String> canonical(List<String> lines) {
    return lines.stream().map(FieldValue::canonical).toList();
  }

  // RFC 9112 section 5.2: a folding is replaced before the value is interpreted, so one at an end
  // is whitespace at that end.
  private static String canonical(String line) {
    return trim(line.indexOf('\n') < 0 ? line : unfold(line));
  }

  /** Removes spaces and tabs at both ends: the whitespace of RFC 9110 section 5.6.3, no more. */
  static String trim(String line) {
    int start = 0;
    int end = line.length();
    while (start < end && isWhitespace(line.charAt(start))) {
      start++;
    }
    while (end > start && isWhitespace(line.charAt(end - 1))) {
      end--;
    }
    return line.substring(start, end);
  }

  /**
   * Puts a space in place of each obsolete line folding with the whitespace around it (RFC 9112
   * section 5.2). A line break of another kind stays, and is refused with the value.
   */
  private static String unfold(String line) {
    StringBuilder unfolded = new StringBuilder(line.length());
    int i = 0;
    while (i < line.length()) {
      int end = endOfFold(line, i);
      if (end == i) {
        unfolded.append(line.charAt(i++));
      } else {
        int length = unfolded.length();
        while (length > 0 && isWhitespace(unfolded.charAt(length - 1))) {
          length--;
        }
        unfolded.setLength(length);
        unfolded.append(' ');
        i = end;
      }
    }
    return unfolded.toString();
  }

  /** Where a folding that begins at a position ends; the position itself where none begins. */
  private static int endOfFold(String line, int start) {
    int i = start;
    if (i < line.length() && line.charAt(i) == '\r') {
      i++;
    }
    if (i >= line.length() || line.charAt(i) != '\n') {
      return start;
    }
    int end = i + 1;
    while (end < line.length() && isWhitespace(line.charAt(end))) {
      end++;
    }
    return end == i + 1 ? start : end;
  }

  private static boolean isWhitespace(char c) {
    return c == ' ' || c == '\t';
  }
}
