package dev.countersign.signatures;

import java.util.List;

/**
 * Proof that a signature is in time, has verified and covers the body, and of what else it covers.
 *
 * <p>Only {@link AuthenticHead#verifyBody} makes one. Whatever {@link #components()} does not list
 * may have been changed on the way.
 */
public final class VerifiedSignature {
  private final ReceivedSignature received;
  private final VerifiedBase verified;

  VerifiedSignature(ReceivedSignature received, VerifiedBase verified) {
    this.received = received;
    this.verified = verified;
  }

  /** The label that the signature has in the message, chosen by its signer. */
  public String label() {
    return received.label();
  }

  /** The key with which it verified. */
  public VerificationKey key() {
    return verified.key();
  }

  /** The components that the signature covers, in their order. */
  public List<ComponentIdentifier> components() {
    return received.components();
  }

  /** Whether a component without parameters is covered. */
  public boolean covers(String name) {
    return received.covers(name);
  }

  /**
   * Whether a component is covered, compared with its parameters: {@code "content-digest";req} is
   * not {@code "content-digest"}.
   */
  public boolean covers(ComponentIdentifier component) {
    return received.covers(component);
  }

  /** The parameters, which the signature covers as well. */
  public SignatureParameters parameters() {
    return received.parameters();
  }

  /** The base that was signed. */
  public SignatureBase base() {
    return verified.base();
  }
}
