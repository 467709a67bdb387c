package dev.countersign.signatures;

import dev.countersign.signatures.base.ComponentIdentifier;
import dev.countersign.signatures.base.HttpMessage;
import dev.countersign.signatures.base.HttpMessage.BodyFraming;
import dev.countersign.signatures.base.VerificationException;
import dev.countersign.signatures.base.VerificationFailure;
import dev.countersign.signatures.digest.ContentDigest;
import dev.countersign.signatures.digest.DigestAlgorithm;
import dev.countersign.signatures.digest.DigestFieldException;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Describes the body that a message's signed fields announce, and compares it with the body that is
 * read.
 */
final class ExpectedBody {
  private static final String CONTENT_DIGEST = "content-digest";

  private final Optional<ContentDigest> digest;
  private final boolean covered;
  private final BodyRule.Need need;

  private ExpectedBody(Optional<ContentDigest> digest, boolean covered, BodyRule.Need need) {
    this.digest = digest;
    this.covered = covered;
    this.need = need;
  }

  /**
   * Reads Content-Digest, and checks that it was sent if the rule or the signature requires it.
   *
   * @throws VerificationException when the field is missing or malformed, is sent without a body
   *     although the rule forbids that, or is covered as a trailer
   */
  static ExpectedBody of(ReceivedSignature received, HttpMessage message, BodyRule rule) {
    List<String> lines = message.fieldLines(CONTENT_DIGEST);
    boolean covered = received.coversWhole(CONTENT_DIGEST);
    BodyFraming framing = message.bodyFraming();
    if (received.components().stream().anyMatch(ExpectedBody::isDigestInTrailers)) {
      throw new VerificationException(
          VerificationFailure.DIGEST_UNEXPECTED,
          "a Content-Digest in the trailers is not compared with the body; send it as a header");
    }
    if (rule.need() == BodyRule.Need.EXACTLY_WITH_BODY
        && framing == BodyFraming.NONE
        && !lines.isEmpty()) {
      throw unexpectedDigest();
    }
    boolean needed = rule.need() != BodyRule.Need.NEVER && framing == BodyFraming.PRESENT;
    if (lines.isEmpty() && (needed || covered)) {
      throw missingDigest();
    }
    Optional<ContentDigest> digest =
        lines.isEmpty() ? Optional.empty() : Optional.of(read(lines, rule));
    return new ExpectedBody(digest, covered, rule.need());
  }

  private static boolean isDigestInTrailers(ComponentIdentifier component) {
    return component.name().equals(CONTENT_DIGEST)
        && component.parameters().contains("tr")
        && !component.parameters().contains("req");
  }

  private static ContentDigest read(List<String> lines, BodyRule rule) {
    ContentDigest digest;
    try {
      digest = ContentDigest.parse(lines);
    } catch (DigestFieldException e) {
      throw VerificationException.unreadable(
          VerificationFailure.DIGEST_MALFORMED, "Content-Digest", e);
    }
    for (DigestAlgorithm algorithm : rule.algorithms()) {
      if (!digest.algorithms().contains(algorithm)) {
        throw malformedDigest("it must have a member " + algorithm.key() + "=:…:");
      }
    }
    return digest;
  }

  Optional<ContentDigest> digest() {
    return digest;
  }

  /**
   * Checks a body that has been read.
   *
   * @param present whether the body has any bytes
   * @param matches whether the body matches every digest that was sent; true if no digest was sent
   * @throws VerificationException {@link VerificationFailure#DIGEST_MISMATCH}, {@link
   *     VerificationFailure#DIGEST_MISSING} or {@link VerificationFailure#DIGEST_UNEXPECTED}
   */
  void check(boolean present, boolean matches) {
    // A digest that the signature does not cover may have been replaced together with the body.
    boolean signed = digest.isPresent() && covered;
    if (present && !signed && need != BodyRule.Need.NEVER) {
      throw missingDigest();
    }
    if (!present && digest.isPresent() && need == BodyRule.Need.EXACTLY_WITH_BODY) {
      throw unexpectedDigest();
    }
    if (!matches) {
      throw new VerificationException(
          VerificationFailure.DIGEST_MISMATCH,
          "the body does not match Content-Digest; hash the bytes exactly as sent");
    }
  }

  private static VerificationException malformedDigest(String what) {
    return new VerificationException(
        VerificationFailure.DIGEST_MALFORMED, "Content-Digest: " + what);
  }

  private static VerificationException missingDigest() {
    return new VerificationException(
        VerificationFailure.DIGEST_MISSING,
        "a message with a body needs Content-Digest: sha-256=:…:, listed among the components");
  }

  private static VerificationException unexpectedDigest() {
    return new VerificationException(
        VerificationFailure.DIGEST_UNEXPECTED,
        "a message without a body must not have Content-Digest or list it among the components");
  }

  /**
   * The requirements of a profile for a body and its Content-Digest (RFC 9421 section 7.2.8).
   *
   * @param need when a Content-Digest is required
   * @param algorithms the digest algorithms that Content-Digest must have; digests of other
   *     algorithms must match too if they are sent
   */
  record BodyRule(Need need, Set<DigestAlgorithm> algorithms) {

    /** When a message needs a Content-Digest that the signature covers. */
    enum Need {
      /** Required with a body, and forbidden without a body. */
      EXACTLY_WITH_BODY,
      /** Required with a body. A message without a body may have the digest of zero bytes. */
      WITH_BODY,
      /** Never required. A Content-Digest that is sent is still compared with the body. */
      NEVER
    }

    BodyRule {
      algorithms = Set.copyOf(algorithms);
    }

    static BodyRule of(Need need) {
      return new BodyRule(need, Set.of());
    }

    BodyRule with(Need other) {
      return new BodyRule(other, algorithms);
    }

    BodyRule withAlgorithm(DigestAlgorithm algorithm) {
      Set<DigestAlgorithm> more = EnumSet.of(algorithm);
      more.addAll(algorithms);
      return new BodyRule(need, more);
    }
  }
}
