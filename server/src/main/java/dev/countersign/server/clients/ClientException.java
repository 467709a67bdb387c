package dev.countersign.server.clients;

/**
 * Reports why a change to a client was refused. The message names the value, the rule and the fix.
 * Nothing was changed.
 */
public final class ClientException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * The reason for the refusal. Reasons are stable, so that a portal or a test can rely on them.
   */
  public enum Reason {
    /** No client has this clientId, or the client was removed. */
    NOT_FOUND,
    /** The rules do not allow the name, clientId, whitelist, role or time. */
    INVALID,
    /** The clientId belongs to another client, or belonged to a client that was removed. */
    ID_TAKEN,
    /** The public key is registered already. */
    KEY_TAKEN,
    /** The given beginning of a fingerprint matches no key of the client, or several keys. */
    KEY_NOT_FOUND,
    /** The client already has two live keys. */
    TOO_MANY_KEYS,
    /** The last live key of a client cannot be removed. */
    LAST_KEY,
    /** Another change was made to the client in the meantime. */
    CHANGED,
    /** The answer to the challenge does not prove that the sender holds the private key. */
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
