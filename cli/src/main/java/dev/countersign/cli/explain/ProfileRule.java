package dev.countersign.cli.explain;

import dev.countersign.signatures.base.VerificationFailure;

/** The rules of the interface's profile, in the order in which a service checks them. */
public enum ProfileRule {
  HOST("the Host header is one that a service accepts"),
  FIELDS("Signature-Input and Signature were sent and can be read"),
  LABEL("one signature is labelled sig"),
  COMPONENTS("the signature covers the components of the interface, in their order"),
  PARAMETERS("the signature has the required created, keyid and alg"),
  KEYID("keyid is not a mistyped clientId"),
  TIME("the signature is neither too old nor from the future"),
  DATE("Date is within one second of created"),
  DIGEST("there is a Content-Digest if and only if there is a body"),
  SIGNATURE("the signature verifies with the public key"),
  BODY("the body matches the signed digest");

  private final String sentence;

  ProfileRule(String sentence) {
    this.sentence = sentence;
  }

  /** The rule that a failure breaks. */
  static ProfileRule brokenBy(VerificationFailure failure) {
    return switch (failure) {
      case SIGNATURE_MISSING, SIGNATURE_MALFORMED -> FIELDS;
      case LABEL_MISSING, SIGNATURE_AMBIGUOUS -> LABEL;
      case COMPONENTS_WRONG -> COMPONENTS;
      case PARAMETERS_WRONG, ALGORITHM_WRONG, NONCE_USED -> PARAMETERS;
      case KEY_UNKNOWN -> KEYID;
      case CREATED_TOO_OLD, CREATED_IN_FUTURE, EXPIRED -> TIME;
      case DATE_MISSING, DATE_MALFORMED, DATE_MISMATCH -> DATE;
      case DIGEST_MISSING, DIGEST_MALFORMED, DIGEST_UNEXPECTED -> DIGEST;
      case SIGNATURE_MISMATCH -> SIGNATURE;
      case DIGEST_MISMATCH -> BODY;
    };
  }

  /** The rule as a statement that is true or false. */
  public String sentence() {
    return sentence;
  }
}
