package dev.countersign.signatures;

/** Reports that an Accept-Signature field cannot be read or fulfilled. */
public final class AcceptSignatureException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final Reason reason;

  AcceptSignatureException(Reason reason, String message) {
    super(message, null, false, false);
    this.reason = reason;
  }

  /** The cause, as a stable name. */
  public Reason reason() {
    return reason;
  }

  /** The reason why a requested signature was not created. */
  public enum Reason {
    /** The field breaks the grammar of RFC 9421 section 5.1. */
    MALFORMED,
    /**
     * The message cannot carry the requested signature, for example because it lacks a component.
     */
    NOT_APPLICABLE,
    /**
     * The signer does not have the requested key or algorithm, does not know a requested parameter,
     * or has a profile that refuses the signature.
     */
    NOT_FULFILLABLE
  }
}
