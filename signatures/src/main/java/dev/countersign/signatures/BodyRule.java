package dev.countersign.signatures;

import dev.countersign.signatures.digest.DigestAlgorithm;
import java.util.EnumSet;
import java.util.Set;

/**
 * The requirements of a profile for a body and its Content-Digest (RFC 9421 section 7.2.8).
 *
 * @param need when a Content-Digest is required
 * @param algorithms digest algorithms that are required; any others sent must match as well
 */
record BodyRule(Need need, Set<DigestAlgorithm> algorithms) {

  /** When a message needs a Content-Digest that the signature covers. */
  enum Need {
    /** With a body; without a body there must be none. */
    EXACTLY_WITH_BODY,
    /** With a body; a message without one may have the digest of zero bytes. */
    WITH_BODY,
    /** Never; one that is sent is still compared. */
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
