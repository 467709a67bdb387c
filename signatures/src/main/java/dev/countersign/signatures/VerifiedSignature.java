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
  private final SignatureBase base;

  VerifiedSignature(ReceivedSignature received, SignatureBase base) {
    this.received = received;
    this.base = base;
  }

  /** The components that the signature covers, in their order. */
  public List<ComponentIdentifier> components() {
    return received.components();
  }

  /** Whether a component without parameters is covered. */
  public boolean covers(String name) {
    return received.covers(name);
  }

  /** The parameters, which the signature covers as well. */
  public SignatureParameters parameters() {
    return received.parameters();
  }

  /** The base that was signed. */
  public SignatureBase base() {
    return base;
  }
}
