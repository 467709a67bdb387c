package dev.countersign.signatures;

import static dev.countersign.signatures.base.VerificationFailure.COMPONENTS_WRONG;
import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.signatures.base.ComponentIdentifier;
import dev.countersign.signatures.base.HttpMessage;
import dev.countersign.signatures.base.SignatureBase;
import dev.countersign.signatures.base.SignatureInput;
import dev.countersign.signatures.base.StructuredFieldRegistry;
import dev.countersign.signatures.base.VerificationException;
import java.util.List;

/** The value of one component in a message, as in a line of a base. */
final class Values {
  private Values() {}

  /**
   * @param identifier as in a list, such as {@code "date";req}
   */
  static String of(HttpMessage message, String identifier) {
    return of(message, identifier, StructuredFieldRegistry.registered());
  }

  static String of(HttpMessage message, String identifier, StructuredFieldRegistry types) {
    SignatureInput input = SignatureInput.parse("(" + identifier + ")");
    String text = SignatureBase.of(input, message, types).text();
    String start = input.components().get(0).serialize() + ": ";
    String end = "\n\"@signature-params\": " + input.signatureParams();
    assertThat(text).startsWith(start).endsWith(end);
    return text.substring(start.length(), text.length() - end.length());
  }

  /** Asserts that the component cannot be covered, and that the refusal names it. */
  static VerificationException assertRefused(HttpMessage message, String identifier) {
    return assertRefused(message, identifier, StructuredFieldRegistry.registered());
  }

  static VerificationException assertRefused(
      HttpMessage message, String identifier, StructuredFieldRegistry types) {
    VerificationException refusal =
        Verdicts.is(COMPONENTS_WRONG, () -> of(message, identifier, types));
    assertThat(refusal.component()).contains(ComponentIdentifier.parse(identifier));
    return refusal;
  }

  static List<ComponentIdentifier> components(String... identifiers) {
    return List.of(identifiers).stream().map(ComponentIdentifier::parse).toList();
  }
}
