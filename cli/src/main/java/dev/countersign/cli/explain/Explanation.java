package dev.countersign.cli.explain;

import java.util.List;
import java.util.Optional;

/**
 * The explanation of a captured request.
 *
 * @param base the base that verified, or else the base that this program builds from the request as
 *     received; empty if the signature fields do not describe one
 * @param reason {@code verified}, {@code not_checked} without a public key, or the reason that a
 *     service gives when it refuses the request
 * @param cause empty if the signature verified
 */
public record Explanation(
    List<Finding> findings, Optional<String> base, String reason, Optional<Cause> cause) {
  /** The reason for a request without any objection. */
  public static final String VERIFIED = "verified";

  public static final String NOT_CHECKED = "not_checked";

  public Explanation {
    findings = List.copyOf(findings);
  }

  /** Returns whether the signature holds, apart from its time; nothing less is a success. */
  public boolean isVerified() {
    return reason.equals(VERIFIED);
  }
}
