package dev.countersign.server.operators;

/**
 * Says to an operator why a change to an account was refused: the value, the rule and the fix.
 * Nothing was changed. The message never holds a password or a token.
 */
public final class OperatorException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** What was wrong; stable, so that a portal or a test can rely on it. */
  public enum Reason {
    /** No operator has this id or name, or it was removed. */
    NOT_FOUND,
    /** Several operators have this name. */
    AMBIGUOUS,
    /** A name that the rules do not allow, or a change that does not fit the account. */
    INVALID,
    /** Another password account has the name. */
    NAME_TAKEN,
    /** Nobody else could administer the service. */
    LAST_ADMINISTRATOR,
    /** The account is disabled, or was removed. */
    NOT_ENABLED,
    /** The one-time link was used, replaced or is too old, or never was. */
    LINK_INVALID,
    /** The password is too short, too long or too easy to guess; the link is still good. */
    PASSWORD_REFUSED,
    /** Too many passwords are being checked; the link is still good. */
    BUSY
  }

  private final Reason reason;

  OperatorException(Reason reason, String message) {
    super(message);
    this.reason = reason;
  }

  public Reason reason() {
    return reason;
  }
}
