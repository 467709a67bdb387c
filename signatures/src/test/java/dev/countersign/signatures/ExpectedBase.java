package dev.countersign.signatures;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.signatures.base.ComponentIdentifier;
import dev.countersign.signatures.base.HttpMessage;
import dev.countersign.signatures.base.SignatureBase;
import dev.countersign.signatures.base.SignatureInput;
import dev.countersign.signatures.base.SignatureParameters;
import dev.countersign.signatures.base.StructuredFieldRegistry;
import java.util.List;

/** A signature base as a specification prints it, to be compared with ours. */
final class ExpectedBase {
  private static final String SIGNATURE_PARAMS = "\"@signature-params\": ";

  private ExpectedBase() {}

  /**
   * Expects lines of a base, which name the components themselves.
   *
   * @param lines each ended with a line feed, without that of the signature parameters
   */
  static void assertLines(HttpMessage message, StructuredFieldRegistry types, String lines) {
    List<ComponentIdentifier> components =
        lines
            .lines()
            .map(line -> line.substring(0, line.indexOf(": ")))
            .map(ComponentIdentifier::parse)
            .toList();
    SignatureInput input = new SignatureInput(components, SignatureParameters.none());
    assertThat(SignatureBase.of(input, message, types).text())
        .isEqualTo(lines + SIGNATURE_PARAMS + ComponentIdentifier.serialize(components));
  }

  static void assertLines(HttpMessage message, String lines) {
    assertLines(message, StructuredFieldRegistry.registered(), lines);
  }

  /** Expects a whole base; its last line lists the components. */
  static void assertBase(HttpMessage message, String base) {
    SignatureInput input = SignatureInput.parse(signatureParams(base));
    assertThat(SignatureBase.of(input, message, StructuredFieldRegistry.registered()).text())
        .isEqualTo(base);
  }

  /** Returns the value of the last line. */
  static String signatureParams(String base) {
    String line = base.substring(base.lastIndexOf('\n') + 1);
    assertThat(line).startsWith(SIGNATURE_PARAMS);
    return line.substring(SIGNATURE_PARAMS.length());
  }
}
