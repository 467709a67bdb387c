package dev.countersign.signatures;

import dev.countersign.signatures.base.VerificationException;
import dev.countersign.signatures.base.VerificationFailure;

/**
 * A received signature whose times are valid. It must not be trusted yet. {@link
 * ReceivedSignature#checkTime} creates it, and {@link #checkDigest} is the next step.
 */
public final class FreshSignature {
  private final ReceivedSignature received;

  FreshSignature(ReceivedSignature received) {
    this.received = received;
  }

  /**
   * Checks that there is a usable Content-Digest if the profile and the message's framing require
   * one. The body itself is not examined.
   *
   * @throws VerificationException {@link VerificationFailure#DIGEST_MISSING}, {@link
   *     VerificationFailure#DIGEST_MALFORMED} or {@link VerificationFailure#DIGEST_UNEXPECTED}
   */
  public VerifiableSignature checkDigest() {
    ExpectedBody expectedBody = received.checkDigest();
    return new VerifiableSignature(received, expectedBody);
  }
}
