package dev.countersign.signatures;

/** An Accept-Signature cannot be read, or what it asks for cannot be given. */
public final class AcceptSignatureException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final Reason reason;

  AcceptSignatureException(Reason reason, String message) {
    super(message, null, false, false);
    this.reason = reason;
  }

  /** Why, as a stable name. */
  public Reason reason() {
    return reason;
  }

  /** Why a request for signatures is not answered. */
  public enum Reason {
    /** The field breaks the grammar of RFC 9421 section 5.1. */
    MALFORMED,
    /** The message does not have the components that are asked for. */
    NOT_APPLICABLE,
    /** The key, its algorithm or a parameter is not one that this signer can use. */
    NOT_FULFILLABLE
  }
}
