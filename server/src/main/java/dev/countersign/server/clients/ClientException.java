package dev.countersign.server.clients;

/**
 * Says to an operator why a change to a client was refused: the value, the rule and the fix.
 * Nothing was changed.
 */
public final class ClientException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** What was wrong; stable, so that a portal or a test can rely on it. */
  public enum Reason {
    /** No client has this clientId, or it was removed. */
    NOT_FOUND,
    /** A name, clientId, whitelist, role or time that the rules do not allow. */
    INVALID,
    /** The clientId belongs to another client, or to one that was removed. */
    ID_TAKEN,
    /** The public key is registered already. */
    KEY_TAKEN,
    /** No key of the client has this fingerprint, or several do. */
    KEY_NOT_FOUND,
    /** A client holds two live keys at most. */
    TOO_MANY_KEYS,
    /** The last live key of a client cannot be removed. */
    LAST_KEY,
    /** Somebody else changed the client in the meantime. */
    CHANGED,
    /** An answer to a challenge that does not show that somebody holds the key. */
    NOT_PROVEN
  }

  private final Reason reason;

  ClientException(Reason reason, String message) {
    super(message);
    this.reason = reason;
  }

  public Reason reason() {
    return reason;
  }
}
