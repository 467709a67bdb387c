package dev.countersign.signatures.base;

import dev.countersign.signatures.fields.ByteSequence;
import dev.countersign.signatures.fields.Dictionary;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The value of a field as it appears in a signature base (RFC 9421 section 2.1). It is made from
 * one or more lines of the field in the message.
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
   * Parses a dictionary field, so that single members can be covered (section 2.1.2).
   *
   * @throws dev.countersign.signatures.fields.FieldParseException when it is not a dictionary
   * @throws IllegalArgumentException when a key occurs twice
   */
  static Dictionary dictionary(List<String> lines) {
    Dictionary dictionary = Dictionary.parse(canonical(lines));
    DuplicateKeys.refuseIn(dictionary);
    return dictionary;
  }

  /**
   * The canonical text of a structured field (section 2.1.1).
   *
   * @throws dev.countersign.signatures.fields.FieldParseException when it is of another type
   * @throws IllegalArgumentException when a key occurs twice
   */
  static String strict(List<String> lines, FieldType type) {
    return type.serialize(canonical(lines));
  }

  /**
   * Each line as a byte sequence (section 2.1.3).
   *
   * @throws IllegalArgumentException when a character does not represent a byte of a field
   */
  static String bytes(List<String> lines) {
    List<String> sequences = new ArrayList<>(lines.size());
    for (String line : canonical(lines)) {
      // RFC 9110 section 5.5: no field value contains CR, LF or NUL. A character above 0xff is not
      // a byte.
      if (line.chars().anyMatch(c -> c > 0xff || c == '\r' || c == '\n' || c == 0)) {
        throw new IllegalArgumentException(
            "its value contains a character that fields must not contain");
      }
      sequences.add(ByteSequence.of(line.getBytes(StandardCharsets.ISO_8859_1)).serialize());
    }
    return String.join(", ", sequences);
  }

  private static List<String> canonical(List<String> lines) {
    return lines.stream().map(FieldValue::canonical).toList();
  }

  // RFC 9112 section 5.2: a space replaces each line folding before the value is interpreted, so a
  // folding at either end is trimmed like other whitespace.
  private static String canonical(String line) {
    return trim(line.indexOf('\n') < 0 ? line : unfold(line));
  }

  /** Removes spaces and tabs at both ends: only the whitespace of RFC 9110 section 5.6.3. */
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
   * Replaces each obsolete line folding and the whitespace around it by one space (RFC 9112 section
   * 5.2). Any other line break stays, and the value is then refused.
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

  /** The end of a folding that begins at a position; the position itself if none begins there. */
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
