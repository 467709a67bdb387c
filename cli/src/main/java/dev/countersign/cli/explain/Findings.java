package dev.countersign.cli.explain;

import dev.countersign.cli.explain.Finding.State;
import java.util.Optional;

/**
 * What came of each rule: those before the broken one hold, and behind it signature and body are
 * still looked at on their own.
 */
record Findings(CapturedSignature signature, CapturedBodyDigest digest, Hints hints) {

  Finding of(Rule rule, Optional<Objection> objection) {
    if (objection.isPresent() && objection.get().rule() == rule) {
      return new Finding(rule, State.BROKEN, note(objection.get()));
    }
    boolean reached = objection.isEmpty() || objection.get().rule().compareTo(rule) > 0;
    return switch (rule) {
      case TIME -> time(reached);
      case SIGNATURE -> signature(reached);
      case BODY -> body();
      default ->
          reached
              ? new Finding(rule, State.HOLDS, "")
              : new Finding(rule, State.NOT_CHECKED, "mend what is broken first");
    };
  }

  /** Of a signature that does not verify the cause says more, below the bases. */
  private static String note(Objection objection) {
    return objection.rule() == Rule.SIGNATURE ? "it does not" : objection.message();
  }

  private Finding time(boolean reached) {
    if (hints.at().isEmpty()) {
      return new Finding(
          Rule.TIME, State.NOT_CHECKED, "--at TIME tells when the service received it");
    }
    return reached
        ? new Finding(Rule.TIME, State.HOLDS, "at " + hints.at().get())
        : new Finding(Rule.TIME, State.NOT_CHECKED, "mend what is broken first");
  }

  private Finding signature(boolean reached) {
    if (hints.publicKey().isEmpty()) {
      return new Finding(
          Rule.SIGNATURE, State.NOT_CHECKED, "--public-key FILE gives the key to check it with");
    }
    if (reached || isSigned()) {
      return new Finding(Rule.SIGNATURE, State.HOLDS, "");
    }
    return new Finding(
        Rule.SIGNATURE, State.BROKEN, "it is not over what the request says and carries");
  }

  private boolean isSigned() {
    return signature
        .bytes()
        .flatMap(bytes -> SignedDigest.read(bytes, hints.publicKey().orElseThrow()))
        .flatMap(signed -> signature.base().map(base -> signed.isOf(base.text())))
        .orElse(false);
  }

  private Finding body() {
    if (digest.digest().isEmpty()) {
      return new Finding(
          Rule.BODY,
          digest.length() == 0 ? State.HOLDS : State.NOT_CHECKED,
          digest.length() == 0 ? "there is no body" : "there is no digest to compare");
    }
    return digest.differs()
        ? new Finding(Rule.BODY, State.BROKEN, "it has another one")
        : new Finding(Rule.BODY, State.HOLDS, digest.length() + " bytes");
  }
}
