package dev.countersign.signatures;

import dev.countersign.signatures.fields.Parameters;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Names one component of a message: a field name or a derived component, with its parameters (RFC
 * 9421 section 2).
 *
 * @param name a field's name in lower case, or a derived component's name with its {@code @}
 * @param parameters such as {@code sf}; two identifiers are equal only with equal parameters
 */
public record ComponentIdentifier(String name, Parameters parameters) {

  private static final String NAME_MARKS = "!#$%&'*+-.^_`|~";

  public ComponentIdentifier {
    // RFC 9421 section 2.1: field names in lower case; section 2.2: derived ones begin with '@'.
    int first = name.startsWith("@") ? 1 : 0;
    if (name.length() == first || !isLowerCaseToken(name, first)) {
      throw new IllegalArgumentException(
          "a component is a field's name in lower case or begins with @, was \"" + name + '"');
    }
  }

  /** RFC 9110 section 5.6.2: what a field's name consists of. */
  private static boolean isLowerCaseToken(String name, int start) {
    for (int i = start; i < name.length(); i++) {
      char c = name.charAt(i);
      if (!(c >= 'a' && c <= 'z') && !(c >= '0' && c <= '9') && NAME_MARKS.indexOf(c) < 0) {
        return false;
      }
    }
    return true;
  }

  /** The identifier of a component without parameters. */
  public static ComponentIdentifier of(String name) {
    return new ComponentIdentifier(name, Parameters.empty());
  }

  /** Whether this names a derived component rather than a field (RFC 9421 section 2.2). */
  public boolean isDerived() {
    return name.startsWith("@");
  }

  /** The identifier as it stands in a signature base: {@code "date"}. */
  public String serialize() {
    return '"' + name + '"' + parameters.serialize();
  }

  /** A list of identifiers as it stands in Signature-Input: {@code ("@method" "date")}. */
  public static String serialize(List<ComponentIdentifier> identifiers) {
    return identifiers.stream()
        .map(ComponentIdentifier::serialize)
        .collect(Collectors.joining(" ", "(", ")"));
  }
}
