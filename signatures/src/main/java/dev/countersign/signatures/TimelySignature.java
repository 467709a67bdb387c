package dev.countersign.signatures;

/**
 * A received signature whose time is right; still not to be trusted. {@link
 * ReceivedSignature#checkTime} makes it, {@link #checkDigest} takes it further.
 */
public final class TimelySignature {
  private final ReceivedSignature received;

  TimelySignature(ReceivedSignature received) {
    this.received = received;
  }

  /**
   * Checks that there is a Content-Digest where the profile and the message's framing ask for one,
   * and that it can be used. The body itself is not looked at.
   *
   * @throws VerificationException {@link Failure#DIGEST_MISSING}, {@link Failure#DIGEST_MALFORMED}
   *     or {@link Failure#DIGEST_UNEXPECTED}
   */
  public VerifiableSignature checkDigest() {
    return new VerifiableSignature(received, received.expectedBody());
  }
}
