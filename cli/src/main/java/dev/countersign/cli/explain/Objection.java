package dev.countersign.cli.explain;

import dev.countersign.protocol.Reason;
import dev.countersign.signatures.VerificationException;
import java.util.Optional;

/**
 * Why a service would refuse a request.
 *
 * @param rule which is broken
 * @param reason for which it would
 * @param refusal what the verifier threw; empty where this package found it out
 */
record Objection(
    Rule rule, Reason reason, String message, Optional<VerificationException> refusal) {

  Objection(Rule rule, Reason reason, String message) {
    this(rule, reason, message, Optional.empty());
  }

  static Objection of(VerificationException refusal) {
    return new Objection(
        Rule.brokenBy(refusal.failure()),
        Reason.of(refusal.failure()),
        String.valueOf(refusal.getMessage()),
        Optional.of(refusal));
  }
}
