package dev.countersign.server.operators;

/**
 * Reports why a change to an account was refused. The message names the value, the rule and the
 * fix, and never contains a password or a token. Nothing was changed.
 */
public final class OperatorException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * The reason for the refusal. Reasons are stable, so that a portal or a test can rely on them.
   */
  public enum Reason {
    /** No operator has this id or name, or the operator was removed. */
    NOT_FOUND,
    /** Several operators have this name. */
    AMBIGUOUS,
    /** The rules do not allow the name, or the change does not fit the account. */
    INVALID,
    /** Another password account has the name. */
    NAME_TAKEN,
    /** The change would leave no administrator who can sign in. */
    LAST_ADMINISTRATOR,
    /** The account is disabled, or was removed. */
    NOT_ENABLED,
    /** The one-time link was used or replaced, has expired or never existed. */
    LINK_INVALID,
    /** The password is too short, too long or too easy to guess; the link is still valid. */
    PASSWORD_REFUSED,
    /** Too many passwords are being checked; the link is still valid. */
    BUSY
  }

  private final Reason reason;

  public OperatorException(Reason reason, String message) {
    super(message);
    this.reason = reason;
  }

  public Reason reason() {
    return reason;
  }
}
