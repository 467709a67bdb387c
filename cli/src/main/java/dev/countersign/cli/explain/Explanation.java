package dev.countersign.cli.explain;

import java.util.List;
import java.util.Optional;

/**
 * All that a captured request tells of itself.
 *
 * @param base the base that verified, otherwise our base of it as received; empty where its
 *     signature fields do not describe one
 * @param reason {@code verified}, {@code not_checked} without a public key, or the reason for which
 *     a service refuses the request
 * @param cause empty where the signature verified
 */
public record Explanation(
    List<Finding> findings, Optional<String> base, String reason, Optional<Cause> cause) {
  /** The reason of a request to which there is no objection. */
  public static final String VERIFIED = "verified";

  public static final String NOT_CHECKED = "not_checked";

  public Explanation {
    findings = List.copyOf(findings);
  }

  /** Whether the signature, its time apart, holds; nothing less is a success. */
  public boolean isVerified() {
    return reason.equals(VERIFIED);
  }
}
