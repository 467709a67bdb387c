package dev.countersign.signatures;

import dev.countersign.signatures.base.ComponentIdentifier;
import dev.countersign.signatures.base.SignatureBase;
import dev.countersign.signatures.base.SignatureParameters;
import java.util.List;

/**
 * Proof that a signature has verified and meets its profile, with a list of what it covers.
 *
 * <p>Only {@link VerifiedHead#verifyBody} creates one. Anything that {@link #components()} does not
 * list may have been changed on the way.
 */
public final class VerifiedSignature {
  private final ReceivedSignature received;
  private final ReceivedSignature.VerifiedBase verified;

  VerifiedSignature(ReceivedSignature received, ReceivedSignature.VerifiedBase verified) {
    this.received = received;
    this.verified = verified;
  }

  ReceivedSignature received() {
    return received;
  }

  /** The label of the signature in the message, chosen by its signer. */
  public String label() {
    return received.label();
  }

  /** The key that verified the signature. */
  public VerificationKey key() {
    return verified.key();
  }

  /**
   * The components that the signature covers, in their order. Their values are those of the signer.
   * Content-Digest has been compared with the body. A covered Repr-Digest has not been compared
   * with anything; see {@link dev.countersign.signatures.digest.ReprDigest}.
   */
  public List<ComponentIdentifier> components() {
    return received.components();
  }

  /** Returns whether a component without parameters is covered. */
  public boolean covers(String name) {
    return received.covers(name);
  }

  /**
   * Returns whether this exact component is covered, with the same parameters: {@code
   * "content-digest";req} is not {@code "content-digest"}.
   */
  public boolean covers(ComponentIdentifier component) {
    return received.covers(component);
  }

  /**
   * Returns whether the body is the signer's: its Content-Digest is covered and was compared. False
   * only if the profile allows an unsigned body, and for a message without a body.
   */
  public boolean coversBody() {
    return received.coversWhole("content-digest");
  }

  /** The parameters, which the signature also covers. */
  public SignatureParameters parameters() {
    return received.parameters();
  }

  /** The base that was signed. */
  public SignatureBase base() {
    return verified.base();
  }
}
