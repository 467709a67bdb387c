package dev.countersign.signatures;

import dev.countersign.signatures.base.VerificationException;
import dev.countersign.signatures.base.VerificationFailure;
import dev.countersign.signatures.digest.DigestComparison;
import dev.countersign.signatures.keys.CryptoProvider;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * Compares a body of any size with its signed digest, in constant memory. The body arrives in
 * pieces: pass every piece in order, then call {@link #end} once:
 *
 * <pre>{@code
 * BodyVerification body = head.body(crypto);
 * for (int read = in.read(chunk); read >= 0; read = in.read(chunk)) {
 *   body.update(chunk, 0, read);
 * }
 * VerifiedSignature signature = body.end();
 * }</pre>
 *
 * <p>Do not trust any byte of the body before {@link #end} has returned.
 */
public final class BodyVerification {
  private final ReceivedSignature received;
  private final ReceivedSignature.VerifiedBase verified;
  private final ExpectedBody expectedBody;
  private final Optional<DigestComparison> comparison;
  private boolean present;
  private boolean ended;

  BodyVerification(
      ReceivedSignature received,
      ReceivedSignature.VerifiedBase verified,
      ExpectedBody expectedBody,
      CryptoProvider crypto) {
    this.received = received;
    this.verified = verified;
    this.expectedBody = expectedBody;
    this.comparison = expectedBody.digest().map(digest -> digest.comparison(crypto));
  }

  /**
   * Adds the next bytes of the body, taken from a part of this array.
   *
   * @throws IllegalStateException when the body has ended
   */
  public void update(byte[] bytes, int offset, int length) {
    requireNotEnded();
    present |= length > 0;
    comparison.ifPresent(digests -> digests.update(bytes, offset, length));
  }

  /**
   * Adds the remaining bytes of the buffer, and moves the buffer's position to its limit.
   *
   * @throws IllegalStateException when the body has ended
   */
  public void update(ByteBuffer bytes) {
    requireNotEnded();
    present |= bytes.hasRemaining();
    comparison.ifPresentOrElse(
        digests -> digests.update(bytes), () -> bytes.position(bytes.limit()));
  }

  /**
   * Ends the body, checks its digest, and returns the proof that the message is verified.
   *
   * @throws VerificationException {@link VerificationFailure#DIGEST_MISMATCH}, {@link
   *     VerificationFailure#DIGEST_MISSING} or {@link VerificationFailure#DIGEST_UNEXPECTED}
   * @throws IllegalStateException when the body has already ended
   */
  public VerifiedSignature end() {
    requireNotEnded();
    ended = true;
    expectedBody.check(present, comparison.map(DigestComparison::finishAndCompare).orElse(true));
    return new VerifiedSignature(received, verified);
  }

  private void requireNotEnded() {
    if (ended) {
      throw new IllegalStateException("the body has ended; each body needs its own verification");
    }
  }
}
