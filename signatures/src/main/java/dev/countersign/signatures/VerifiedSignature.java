package dev.countersign.signatures;

import java.util.List;

/**
 * Proof that a signature has verified and is all that its profile demands, and of what it covers.
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

  ReceivedSignature received() {
    return received;
  }

  /** The label that the signature has in the message, chosen by its signer. */
  public String label() {
    return received.label();
  }

  /** The key with which it verified. */
  public VerificationKey key() {
    return verified.key();
  }

  /**
   * The components that the signature covers, in their order. Their values are the signer's. Of
   * digests, Content-Digest has been compared with the body; a covered Repr-Digest has not been
   * compared with anything, see {@link dev.countersign.signatures.digest.ReprDigest}.
   */
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

  /**
   * Whether the body is the signer's: its Content-Digest is covered, and was compared. False only
   * where the profile allows an unsigned body, and for a message that has none.
   */
  public boolean coversBody() {
    return received.coversWhole("content-digest");
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
