package dev.countersign.signatures.digest;

import dev.countersign.signatures.fields.FieldParseException;

/**
 * A digest field that cannot be used. The message gives the rule and the offending text. It does
 * not name the field, and quotes at most a few short keys of it, so it can be logged.
 */
public final class DigestFieldException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** The kinds of error; stable. */
  public enum Reason {
    /** Not a dictionary, a value of the wrong type, length or range, or an algorithm twice. */
    MALFORMED,
    /** Well-formed, but without a digest of a {@link DigestAlgorithm}. */
    NO_ACTIVE_ALGORITHM
  }

  private final Reason reason;

  DigestFieldException(Reason reason, String message) {
    super(message, null, false, false);
    this.reason = reason;
  }

  /** Keeps the cause, whose caret shows the position in the field. */
  DigestFieldException(FieldParseException cause) {
    super(cause.getMessage(), cause, false, false);
    this.reason = Reason.MALFORMED;
  }

  public Reason reason() {
    return reason;
  }
}
