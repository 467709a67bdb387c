package dev.countersign.cli.explain;

import dev.countersign.cli.explain.Finding.State;
import java.util.Optional;

/**
 * The result for each rule. All rules before the broken rule hold. Of the rules after the broken
 * rule, only those for the signature and the body are still checked.
 */
record RuleReport(CapturedSignature signature, CapturedBodyDigest digest, Hints hints) {

  Finding of(ProfileRule rule, Optional<Objection> objection) {
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
              : new Finding(rule, State.NOT_CHECKED, "fix the broken rule first");
    };
  }

  /**
   * The note on the broken rule. If the signature does not verify, the note is short, because the
   * cause is printed after the signature base.
   */
  private static String note(Objection objection) {
    return objection.rule() == ProfileRule.SIGNATURE ? "it does not" : objection.message();
  }

  private Finding time(boolean reached) {
    if (hints.at().isEmpty()) {
      return new Finding(
          ProfileRule.TIME, State.NOT_CHECKED, "give the time of receipt with --at TIME");
    }
    return reached
        ? new Finding(ProfileRule.TIME, State.HOLDS, "at " + hints.at().get())
        : new Finding(ProfileRule.TIME, State.NOT_CHECKED, "fix the broken rule first");
  }

  private Finding signature(boolean reached) {
    if (hints.publicKey().isEmpty()) {
      return new Finding(
          ProfileRule.SIGNATURE, State.NOT_CHECKED, "give the public key with --public-key FILE");
    }
    Optional<EditableBase> signed = signature.signedBase(hints.publicKey().get());
    if (reached || signed.isPresent()) {
      return new Finding(ProfileRule.SIGNATURE, State.HOLDS, form(signed));
    }
    return new Finding(ProfileRule.SIGNATURE, State.BROKEN, "it does not match this request");
  }

  /**
   * States which text of {@code @signature-params} was signed. Says nothing if the text in
   * Signature-Input equals the serialized text.
   */
  private String form(Optional<EditableBase> signed) {
    if (signature.serialized().isEmpty()) {
      return "";
    }
    return signed.equals(signature.serialized())
        ? "over the serialized @signature-params (RFC 9421 section 2.3), which Signature-Input"
            + " spells differently"
        : "over @signature-params as spelled in Signature-Input; RFC 9421 section 2.3 signs the"
            + " serialized text, and other verifiers accept only that";
  }

  private Finding body() {
    if (digest.digest().isEmpty()) {
      return new Finding(
          ProfileRule.BODY,
          digest.length() == 0 ? State.HOLDS : State.NOT_CHECKED,
          digest.length() == 0 ? "there is no body" : "there is no digest to compare");
    }
    return digest.differs()
        ? new Finding(ProfileRule.BODY, State.BROKEN, "its digest differs")
        : new Finding(ProfileRule.BODY, State.HOLDS, digest.length() + " bytes");
  }
}
