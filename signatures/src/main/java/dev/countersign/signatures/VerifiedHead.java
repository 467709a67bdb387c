package dev.countersign.signatures;

import dev.countersign.signatures.base.VerificationException;
import dev.countersign.signatures.base.VerificationFailure;
import dev.countersign.signatures.keys.CryptoProvider;
import java.io.IOException;
import java.io.InputStream;

/**
 * A message whose signature has verified, but whose body has not been checked yet. {@link
 * #verifyBody} completes the verification and returns a {@link VerifiedSignature}.
 *
 * <p>RFC 9421 section 7.2.8: a covered digest protects nothing unless it is compared with the body.
 */
public final class VerifiedHead {
  /** The number of bytes that are read from a stream at a time. */
  private static final int CHUNK = 16 * 1024;

  private final ReceivedSignature received;
  private final ReceivedSignature.VerifiedBase verified;
  private final ExpectedBody expectedBody;

  VerifiedHead(
      ReceivedSignature received,
      ReceivedSignature.VerifiedBase verified,
      ExpectedBody expectedBody) {
    this.received = received;
    this.verified = verified;
    this.expectedBody = expectedBody;
  }

  /** The key that verified the signature. */
  public VerificationKey key() {
    return verified.key();
  }

  /**
   * Compares the body with its signed digest.
   *
   * @param body the bytes on the wire, empty when there is no body
   * @throws VerificationException {@link VerificationFailure#DIGEST_MISMATCH}, {@link
   *     VerificationFailure#DIGEST_MISSING} or {@link VerificationFailure#DIGEST_UNEXPECTED}
   */
  public VerifiedSignature verifyBody(byte[] body, CryptoProvider crypto) {
    BodyVerification verification = body(crypto);
    verification.update(body, 0, body.length);
    return verification.end();
  }

  /**
   * Compares a body of any size with its signed digest. Reads the stream to its end, in constant
   * memory, and does not close it.
   *
   * @throws VerificationException in the same cases as {@link #verifyBody(byte[], CryptoProvider)}
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

  /** Starts the verification of a body that arrives in pieces. */
  public BodyVerification body(CryptoProvider crypto) {
    return new BodyVerification(received, verified, expectedBody, crypto);
  }
}
