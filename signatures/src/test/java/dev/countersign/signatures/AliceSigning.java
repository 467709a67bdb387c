package dev.countersign.signatures;

import static dev.countersign.signatures.HandSigner.ALICE;

import dev.countersign.signatures.base.HttpMessage;
import dev.countersign.signatures.base.SignatureBase;
import dev.countersign.signatures.base.SignatureInput;
import dev.countersign.signatures.base.StructuredFieldRegistry;
import dev.countersign.signatures.fields.InnerList;

/**
 * Alice's signatures over test messages: over the message's base, or over one that a test makes up.
 * Both are verified alike.
 */
final class AliceSigning {
  /** The time and the key of Alice's signatures. */
  static final String BY_ALICE = ";created=1709622489;keyid=\"cl-alice\"";

  private AliceSigning() {}

  /** Adds Alice's signature {@code sig} over these components to the message. */
  static <T extends HttpMessage & AnyMessage<T>> T signed(T message, String components) {
    return signedAs("sig", message, components + BY_ALICE);
  }

  /** Adds her signature with this label to the message, for a text of components and parameters. */
  static <T extends HttpMessage & AnyMessage<T>> T signedAs(String label, T message, String text) {
    return add(label, message, text, base(message, text));
  }

  /** Adds a signature over these lines to the message, whatever its content. */
  static <T extends AnyMessage<T>> T forged(T message, String components, String... lines) {
    String text = components + BY_ALICE;
    return add("sig", message, text, base(text, lines));
  }

  static <T extends AnyMessage<T>> T add(String label, T message, String text, String base) {
    return message
        .plus("Signature-Input", label + '=' + text)
        .plus("Signature", label + "=:" + ALICE.signature(base) + ':');
  }

  private static String base(HttpMessage message, String text) {
    return SignatureBase.of(
            SignatureInput.componentsOf(InnerList.parse(text)),
            text,
            message,
            StructuredFieldRegistry.registered())
        .text();
  }

  private static String base(String text, String... lines) {
    StringBuilder base = new StringBuilder();
    for (String line : lines) {
      base.append(line).append('\n');
    }
    return base.append("\"@signature-params\": ").append(text).toString();
  }
}
