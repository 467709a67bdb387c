package dev.countersign.signatures;

import dev.countersign.signatures.HttpMessage.BodyFraming;
import dev.countersign.signatures.digest.ContentDigest;
import dev.countersign.signatures.digest.DigestAlgorithm;
import dev.countersign.signatures.digest.DigestFieldException;
import dev.countersign.signatures.keys.CryptoProvider;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What a request's signed fields say of its body, to be held against the body once it is read. */
final class ExpectedBody {
  private static final String CONTENT_DIGEST = "content-digest";

  private final Optional<ContentDigest> digest;

  private ExpectedBody(Optional<ContentDigest> digest) {
    this.digest = digest;
  }

  /**
   * Reads the Content-Digest, which is sent exactly when the framing says that there is a body.
   *
   * @throws VerificationException when the field is missing, malformed, or sent without a body
   */
  static ExpectedBody of(ReceivedSignature received, HttpMessage message) {
    List<String> lines = message.fieldLines(CONTENT_DIGEST);
    if (message.bodyFraming() == BodyFraming.NONE && !lines.isEmpty()) {
      throw unexpectedDigest();
    }
    if (lines.isEmpty()
        && (message.bodyFraming() == BodyFraming.PRESENT || received.covers(CONTENT_DIGEST))) {
      throw missingDigest();
    }
    if (lines.isEmpty()) {
      return new ExpectedBody(Optional.empty());
    }
    return new ExpectedBody(Optional.of(parse(lines)));
  }

  private static ContentDigest parse(List<String> lines) {
    try {
      ContentDigest digest = ContentDigest.parse(lines);
      if (!digest.algorithms().contains(DigestAlgorithm.SHA_256)) {
        throw noSha256();
      }
      return digest;
    } catch (DigestFieldException e) {
      throw e.reason() == DigestFieldException.Reason.NO_ACTIVE_ALGORITHM
          ? noSha256()
          : malformedDigest(e.getMessage());
    }
  }

  /**
   * Checks a body as it was received.
   *
   * @param body the bytes on the wire, empty when there is no body
   * @throws VerificationException {@link Failure#DIGEST_MISMATCH}, {@link Failure#DIGEST_MISSING}
   *     or {@link Failure#DIGEST_UNEXPECTED}
   */
  void check(byte[] body, CryptoProvider crypto) {
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

  private static VerificationException noSha256() {
    return malformedDigest("there is no sha-256=:…: among its members");
  }

  private static VerificationException malformedDigest(@Nullable String why) {
    return new VerificationException(Failure.DIGEST_MALFORMED, "Content-Digest: " + why);
  }

  private static VerificationException missingDigest() {
    return new VerificationException(
        Failure.DIGEST_MISSING,
        "a request with a body needs Content-Digest: sha-256=:…:, listed among the components");
  }

  private static VerificationException unexpectedDigest() {
    return new VerificationException(
        Failure.DIGEST_UNEXPECTED,
        "a request without a body has no Content-Digest, and does not list it");
  }
}
