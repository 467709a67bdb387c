package dev.countersign.cli.explain;

import dev.countersign.protocol.Reason;
import dev.countersign.signatures.base.VerificationException;
import java.util.Optional;

/**
 * The reason why a service would refuse a request.
 *
 * @param rule the broken rule
 * @param reason the reason that the service would give
 * @param refusal the verifier's exception; empty if this package found the fault
 */
record Objection(
    ProfileRule rule, Reason reason, String message, Optional<VerificationException> refusal) {

  Objection(ProfileRule rule, Reason reason, String message) {
    this(rule, reason, message, Optional.empty());
  }

  static Objection of(VerificationException refusal) {
    return new Objection(
        ProfileRule.brokenBy(refusal.failure()),
        Reason.of(refusal.failure()),
        String.valueOf(refusal.getMessage()),
        Optional.of(refusal));
  }
}
