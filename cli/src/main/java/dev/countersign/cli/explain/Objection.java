package dev.countersign.cli.explain;

import dev.countersign.signatures.VerificationException;
import java.util.Locale;
import java.util.Optional;

/**
 * Why a service would refuse a request.
 *
 * @param rule which is broken
 * @param reason as a problem document has it
 * @param refusal what the verifier threw; empty where this package found it out
 */
record Objection(
    Rule rule, String reason, String message, Optional<VerificationException> refusal) {

  Objection(Rule rule, String reason, String message) {
    this(rule, reason, message, Optional.empty());
  }

  static Objection of(VerificationException refusal) {
    return new Objection(
        Rule.brokenBy(refusal.failure()),
        refusal.failure().name().toLowerCase(Locale.ROOT),
        String.valueOf(refusal.getMessage()),
        Optional.of(refusal));
  }
}
