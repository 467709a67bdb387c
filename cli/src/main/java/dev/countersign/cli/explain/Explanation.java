package dev.countersign.cli.explain;

import java.util.List;
import java.util.Optional;

/**
 * The explanation of a captured request.
 *
 * @param base the signature base that was verified; if none was verified, the signature base that
 *     this program builds from the request as received, or empty if the signature fields do not
 *     describe one
 * @param reason {@code verified}; {@code not_checked} if there was no public key to verify with; or
 *     the reason with which a service would refuse the request
 * @param cause empty if the signature verified
 */
public record Explanation(
    List<Finding> findings, Optional<String> base, String reason, Optional<Cause> cause) {
  /** The reason for a request that breaks no rule. */
  public static final String VERIFIED = "verified";

  public static final String NOT_CHECKED = "not_checked";

  public Explanation {
    findings = List.copyOf(findings);
  }

  /** Returns whether the signature was verified. The age of the signature may be unchecked. */
  public boolean isVerified() {
    return reason.equals(VERIFIED);
  }
}
