package dev.countersign.signatures;

import dev.countersign.signatures.fields.Parameters;
import dev.countersign.signatures.fields.StringItem;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * Names one component of a message: a field name or a derived component, with its parameters (RFC
 * 9421 section 2).
 *
 * @param name a field's name in lower case, or a derived component's name with its {@code @}
 * @param parameters such as {@code sf}; two identifiers are equal only with equal parameters
 */
public record ComponentIdentifier(String name, Parameters parameters) {

  public ComponentIdentifier {
    if (name.isEmpty() || !name.equals(name.toLowerCase(Locale.ROOT))) {
      throw new IllegalArgumentException(
          "a component's name is in lower case, was \"" + name + '"');
    }
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
    return new StringItem(name).serialize() + parameters.serialize();
  }

  /** A list of identifiers as it stands in Signature-Input: {@code ("@method" "date")}. */
  public static String serialize(List<ComponentIdentifier> identifiers) {
    return identifiers.stream()
        .map(ComponentIdentifier::serialize)
        .collect(Collectors.joining(" ", "(", ")"));
  }
}
