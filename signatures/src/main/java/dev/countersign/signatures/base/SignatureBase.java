package dev.countersign.signatures.base;

import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The text that is signed: a line for each covered component, and the signature parameters last
 * (RFC 9421 section 2.5).
 *
 * <p>Signer and verifier each build it from their own view of the message; it is never sent. When a
 * signature does not verify, the two bases differ, and the first line that differs tells why:
 * {@link dev.countersign.signatures.diagnosis.BaseDifference} finds it.
 */
public final class SignatureBase {
  private static final int MAX_COMPARED_PAIRWISE = 8;

  private final String text;

  private SignatureBase(String text) {
    this.text = text;
  }

  /**
   * Builds the base that a signature over a message has, with {@code @signature-params} serialized
   * (RFC 9421 section 2.3).
   *
   * @throws VerificationException {@link VerificationFailure#COMPONENTS_WRONG} when a component is
   *     covered twice or the message does not have it
   */
  public static SignatureBase of(
      SignatureInput input, HttpMessage message, StructuredFieldRegistry types) {
    return of(input.components(), input.signatureParams(), message, types);
  }

  /**
   * Builds the base of a message.
   *
   * @param components the covered components in their order
   * @param signatureParams the value of {@code @signature-params}
   */
  public static SignatureBase of(
      List<ComponentIdentifier> components,
      String signatureParams,
      HttpMessage message,
      StructuredFieldRegistry types) {
    refuseRepeated(components);
    ParsedParts parts = new ParsedParts();
    StringBuilder text = new StringBuilder(320);
    for (ComponentIdentifier component : components) {
      text.append(component.serialize())
          .append(": ")
          .append(ComponentValue.of(component, message, types, parts))
          .append('\n');
    }
    text.append("\"@signature-params\": ").append(signatureParams);
    return new SignatureBase(text.toString());
  }

  /** RFC 9421 section 2: each component identifier occurs only once. */
  private static void refuseRepeated(List<ComponentIdentifier> components) {
    if (components.size() <= MAX_COMPARED_PAIRWISE && !hasEqualPair(components)) {
      return;
    }
    // Compares texts instead of identifiers: a sender can craft identifiers with equal hashes,
    // which would make a set of identifiers very slow.
    Set<String> seen = new HashSet<>();
    for (ComponentIdentifier component : components) {
      if (!seen.add(component.identity())) {
        throw VerificationException.faultyComponent(
            component, "the component " + component.serialize() + " is covered twice");
      }
    }
  }

  /** For a few components, comparing all pairs takes a fraction of the time of a set. */
  private static boolean hasEqualPair(List<ComponentIdentifier> components) {
    for (int i = 1; i < components.size(); i++) {
      for (int j = 0; j < i; j++) {
        if (components.get(i).equals(components.get(j))) {
          return true;
        }
      }
    }
    return false;
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
