package dev.countersign.signatures;

import dev.countersign.signatures.HttpMessage.BodyFraming;
import dev.countersign.signatures.digest.ContentDigest;
import dev.countersign.signatures.digest.ContentDigestException;
import dev.countersign.signatures.keys.CryptoProvider;
import java.util.List;
import java.util.Optional;

/** What a message's signed fields say of its body, to be held against the body once it is read. */
final class ExpectedBody {
  private static final String CONTENT_DIGEST = "content-digest";

  private final Optional<ContentDigest> digest;
  private final boolean covered;
  private final BodyRule rule;

  private ExpectedBody(Optional<ContentDigest> digest, boolean covered, BodyRule rule) {
    this.digest = digest;
    this.covered = covered;
    this.rule = rule;
  }

  /**
   * Reads the Content-Digest, where the rule and the framing want one or it was sent.
   *
   * @throws VerificationException when the field is missing, malformed, or sent without a body
   */
  static ExpectedBody of(ReceivedSignature received, HttpMessage message, BodyRule rule) {
    List<String> lines = message.fieldLines(CONTENT_DIGEST);
    boolean covered = received.covers(CONTENT_DIGEST);
    if (rule == BodyRule.DIGEST_EXACTLY_WITH_BODY
        && message.bodyFraming() == BodyFraming.NONE
        && !lines.isEmpty()) {
      throw unexpectedDigest();
    }
    boolean bodyNeedsOne =
        rule != BodyRule.DIGEST_OPTIONAL && message.bodyFraming() == BodyFraming.PRESENT;
    if (lines.isEmpty() && (bodyNeedsOne || covered)) {
      throw missingDigest();
    }
    // Content of a response to HEAD, or of a 304, is described and not sent (RFC 9110 section
    // 9.3.2 and 15.4.5): there is nothing to compare.
    if (lines.isEmpty() || isWithoutContentByDefinition(message)) {
      return new ExpectedBody(Optional.empty(), covered, rule);
    }
    try {
      return new ExpectedBody(Optional.of(ContentDigest.parse(lines)), covered, rule);
    } catch (ContentDigestException e) {
      throw new VerificationException(
          Failure.DIGEST_MALFORMED, "Content-Digest: " + e.getMessage());
    }
  }

  private static boolean isWithoutContentByDefinition(HttpMessage message) {
    return message instanceof ResponseMessage response
        && (response.status() == 304
            || response.request().filter(request -> request.method().equals("HEAD")).isPresent());
  }

  /**
   * Checks a body as it was received.
   *
   * @param body the bytes on the wire, empty when there is no body
   * @throws VerificationException {@link Failure#DIGEST_MISMATCH}, {@link Failure#DIGEST_MISSING}
   *     or {@link Failure#DIGEST_UNEXPECTED}
   */
  void check(byte[] body, CryptoProvider crypto) {
    checkPresence(body.length > 0);
    if (digest.isPresent() && !digest.get().matches(body, crypto)) {
      throw mismatch();
    }
  }

  private void checkPresence(boolean body) {
    // A digest that the signature does not cover may have been replaced together with the body.
    boolean signed = digest.isPresent() && covered;
    if (body && !signed && rule != BodyRule.DIGEST_OPTIONAL) {
      throw missingDigest();
    }
    if (!body && digest.isPresent() && rule == BodyRule.DIGEST_EXACTLY_WITH_BODY) {
      throw unexpectedDigest();
    }
  }

  private static VerificationException mismatch() {
    return new VerificationException(
        Failure.DIGEST_MISMATCH,
        "the body does not have the digest in Content-Digest; hash the bytes exactly as sent");
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
