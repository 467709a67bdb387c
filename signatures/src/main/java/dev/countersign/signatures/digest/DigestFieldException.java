package dev.countersign.signatures.digest;

import dev.countersign.signatures.fields.FieldParseException;

/**
 * Thrown for a digest field that cannot be used. The message gives the rule, but not the name of
 * the field. It quotes at most a few short keys of the field, so it can be logged.
 */
public final class DigestFieldException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** The kinds of error. The names are stable. */
  public enum Reason {
    /**
     * The field is not a dictionary, has a value of the wrong type, length or range, or has an
     * algorithm twice.
     */
    MALFORMED,
    /** The field is well-formed, but has no digest for any {@link DigestAlgorithm}. */
    NO_ACTIVE_ALGORITHM
  }

  private final Reason reason;

  DigestFieldException(Reason reason, String message) {
    super(message, null, false, false);
    this.reason = reason;
  }

  /** Keeps the cause, which gives the position of the error in the field. */
  DigestFieldException(FieldParseException cause) {
    super(cause.getMessage(), cause, false, false);
    this.reason = Reason.MALFORMED;
  }

  public Reason reason() {
    return reason;
  }
}
