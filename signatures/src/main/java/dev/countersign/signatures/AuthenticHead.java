package dev.countersign.signatures;

import dev.countersign.signatures.keys.CryptoProvider;

/**
 * A message whose signature has verified and whose body is still to come. {@link #verifyBody} ends
 * the way with a {@link VerifiedSignature}.
 */
public final class AuthenticHead {
  private final ReceivedSignature received;
  private final VerifiedBase verified;
  private final ExpectedBody expectedBody;

  AuthenticHead(ReceivedSignature received, VerifiedBase verified, ExpectedBody expectedBody) {
    this.received = received;
    this.verified = verified;
    this.expectedBody = expectedBody;
  }

  /**
   * Holds the body against its signed digest (RFC 9421 section 7.2.8: a covered digest that nobody
   * compares protects nothing).
   *
   * @param body the bytes on the wire, empty when there is no body
   * @throws VerificationException {@link Failure#DIGEST_MISMATCH}, {@link Failure#DIGEST_MISSING}
   *     or {@link Failure#DIGEST_UNEXPECTED}
   */
  public VerifiedSignature verifyBody(byte[] body, CryptoProvider crypto) {
    expectedBody.check(body, crypto);
    return new VerifiedSignature(received, verified);
  }
}
