package dev.countersign.signatures;

import java.util.List;
import java.util.stream.Collectors;

/** Finds the value that a component has in a message (RFC 9421 section 2). */
final class ComponentValue {
  private ComponentValue() {}

  /**
   * The value of a component.
   *
   * @throws VerificationException {@link Failure#COMPONENTS_WRONG} when the message has no such
   *     component, or its value cannot stand in a signature base
   */
  static String of(ComponentIdentifier identifier, HttpMessage message) {
    if (!identifier.parameters().isEmpty()) {
      throw wrong(identifier, "has parameters that are not supported");
    }
    String value =
        identifier.isDerived() ? derived(identifier, message) : field(identifier, message);
    // RFC 9421 section 2.5: the base is ASCII, and a line break would forge a line of it.
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c > '~' || (c < ' ' && c != '\t')) {
        throw wrong(identifier, "has a value with characters other than printable ASCII");
      }
    }
    return value;
  }

  private static String derived(ComponentIdentifier identifier, HttpMessage message) {
    return DerivedComponent.named(identifier.name())
        .orElseThrow(() -> wrong(identifier, "is not a derived component that is known here"))
        .of(message, identifier);
  }

  /** RFC 9421 section 2.1: each line trimmed, then all joined with a comma and a space. */
  private static String field(ComponentIdentifier identifier, HttpMessage message) {
    List<String> lines = message.fieldLines(identifier.name());
    return switch (lines.size()) {
      // An absent field is an error and never an empty value (RFC 9421 section 2.1).
      case 0 -> throw wrong(identifier, "is covered, and the message has no such field");
      case 1 -> trim(lines.get(0));
      default -> lines.stream().map(ComponentValue::trim).collect(Collectors.joining(", "));
    };
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

  private static boolean isWhitespace(char c) {
    return c == ' ' || c == '\t';
  }

  private static VerificationException wrong(ComponentIdentifier identifier, String what) {
    return new VerificationException(
        Failure.COMPONENTS_WRONG, "the component " + identifier.serialize() + " " + what);
  }
}
