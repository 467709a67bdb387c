package dev.countersign.signatures;

import dev.countersign.signatures.digest.ContentDigest;
import dev.countersign.signatures.keys.CryptoProvider;
import java.util.Optional;

/**
 * What a request's signed fields say of its body, to be held against the body once it is read (RFC
 * 9421 section 7.2.8: a covered digest that nobody compares protects nothing).
 */
public final class ExpectedBody {
  private final Optional<ContentDigest> digest;

  ExpectedBody(Optional<ContentDigest> digest) {
    this.digest = digest;
  }

  /**
   * Checks a body as it was received.
   *
   * @param body the bytes on the wire, empty when there is no body
   * @throws VerificationException {@link Failure#DIGEST_MISMATCH}, {@link Failure#DIGEST_MISSING}
   *     or {@link Failure#DIGEST_UNEXPECTED}
   */
  public void check(byte[] body, CryptoProvider crypto) {
    if (digest.isEmpty() && body.length > 0) {
      throw missingDigest();
    }
    if (digest.isPresent() && body.length == 0) {
      throw unexpectedDigest();
    }
    if (digest.isPresent() && !digest.get().matches(body, crypto)) {
      throw new VerificationException(
          Failure.DIGEST_MISMATCH,
          "the body does not have the digest in Content-Digest; hash the bytes exactly as sent");
    }
  }

  static VerificationException missingDigest() {
    return new VerificationException(
        Failure.DIGEST_MISSING,
        "a request with a body needs Content-Digest: sha-256=:…:, listed among the components");
  }

  static VerificationException unexpectedDigest() {
    return new VerificationException(
        Failure.DIGEST_UNEXPECTED,
        "a request without a body has no Content-Digest, and does not list it");
  }
}
