package dev.countersign.signatures;

import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The text that is signed: a line for each covered component, and the signature parameters last
 * (RFC 9421 section 2.5).
 *
 * <p>Signer and verifier build it alone, each from its own view of the message; it is never sent.
 * When a signature does not verify, the two bases differ, and the first line that differs tells
 * why.
 */
public final class SignatureBase {
  private final String text;

  private SignatureBase(String text) {
    this.text = text;
  }

  /**
   * Builds the base of a message.
   *
   * @param components the covered components in their order
   * @param signatureParams the value of {@code @signature-params}, as in Signature-Input
   * @throws VerificationException {@link Failure#COMPONENTS_WRONG} when a component has no value
   */
  static SignatureBase of(
      List<ComponentIdentifier> components, String signatureParams, HttpMessage message) {
    StringBuilder text = new StringBuilder(320);
    for (ComponentIdentifier component : components) {
      text.append(component.serialize())
          .append(": ")
          .append(ComponentValue.of(component, message))
          .append('\n');
    }
    text.append("\"@signature-params\": ").append(signatureParams);
    return new SignatureBase(text.toString());
  }

  /** The base with line feeds between its lines and none at the end. */
  public String text() {
    return text;
  }

  /** The bytes to be signed; the base is ASCII. */
  public byte[] bytes() {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof SignatureBase that && text.equals(that.text);
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }

  /** The base itself, to be printed. */
  @Override
  public String toString() {
    return text;
  }
}
