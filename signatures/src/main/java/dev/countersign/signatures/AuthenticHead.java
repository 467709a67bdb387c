package dev.countersign.signatures;

import dev.countersign.signatures.keys.CryptoProvider;
import java.io.IOException;
import java.io.InputStream;

/**
 * A message whose signature has verified and whose body is still to come. {@link #verifyBody} ends
 * the way with a {@link VerifiedSignature}.
 *
 * <p>RFC 9421 section 7.2.8: a covered digest that nobody compares protects nothing.
 */
public final class AuthenticHead {
  private static final int CHUNK = 16 * 1024;

  private final ReceivedSignature received;
  private final VerifiedBase verified;
  private final ExpectedBody expectedBody;

  AuthenticHead(ReceivedSignature received, VerifiedBase verified, ExpectedBody expectedBody) {
    this.received = received;
    this.verified = verified;
    this.expectedBody = expectedBody;
  }

  /** The one of the keys offered with which the signature has verified. */
  public VerificationKey key() {
    return verified.key();
  }

  /**
   * Holds the body against its signed digest.
   *
   * @param body the bytes on the wire, empty when there is no body
   * @throws VerificationException {@link Failure#DIGEST_MISMATCH}, {@link Failure#DIGEST_MISSING}
   *     or {@link Failure#DIGEST_UNEXPECTED}
   */
  public VerifiedSignature verifyBody(byte[] body, CryptoProvider crypto) {
    BodyVerification verification = body(crypto);
    verification.update(body, 0, body.length);
    return verification.end();
  }

  /**
   * Holds a body of any size against its signed digest. The stream is read to its end, in constant
   * memory, and not closed.
   *
   * @throws VerificationException as the other method
   * @throws IOException when the stream fails
   */
  public VerifiedSignature verifyBody(InputStream body, CryptoProvider crypto) throws IOException {
    BodyVerification verification = body(crypto);
    byte[] chunk = new byte[CHUNK];
    for (int read = body.read(chunk); read >= 0; read = body.read(chunk)) {
      verification.update(chunk, 0, read);
    }
    return verification.end();
  }

  /** Begins to hold a body that arrives in pieces against its signed digest. */
  public BodyVerification body(CryptoProvider crypto) {
    return new BodyVerification(received, verified, expectedBody, crypto);
  }
}
