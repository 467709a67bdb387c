package dev.countersign.signatures;

/** An Accept-Signature that cannot be read or fulfilled. */
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

  /** Why a requested signature is not made. */
  public enum Reason {
    /** The field breaks the grammar of RFC 9421 section 5.1. */
    MALFORMED,
    /** The message does not have the components that are asked for. */
    NOT_APPLICABLE,
    /** This signer cannot use the key, its algorithm or a parameter. */
    NOT_FULFILLABLE
  }
}
