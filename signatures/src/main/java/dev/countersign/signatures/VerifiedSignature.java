package dev.countersign.signatures;

import dev.countersign.signatures.base.ComponentIdentifier;
import dev.countersign.signatures.base.SignatureBase;
import dev.countersign.signatures.base.SignatureParameters;
import java.util.List;

/**
 * Proof that a signature has verified and meets its profile, with a list of the components that the
 * signature covers.
 *
 * <p>Only {@link VerifiedHead#verifyBody} and {@link BodyVerification#end} create it. Anything that
 * {@link #components()} does not list may have been changed on the way.
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
   * The components that the signature covers, in their order. Their values are the values that the
   * signer signed. A covered Content-Digest has been compared with the body. A covered Repr-Digest
   * has not been compared with anything; see {@link dev.countersign.signatures.digest.ReprDigest}.
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
   * Returns whether the signer signed the body: Content-Digest is covered and was compared with the
   * body. Returns false only if the profile allows an unsigned body or the message has no body.
   */
  public boolean coversBody() {
    return received.coversWhole("content-digest");
  }

  /** The parameters, which the signature also covers. */
  public SignatureParameters parameters() {
    return received.parameters();
  }

  /** The signature base that was signed and verified. */
  public SignatureBase base() {
    return verified.base();
  }
}
