package dev.countersign.server.operators.sessions;

/**
 * A session that has just begun.
 *
 * @param token the secret of the session, for the cookie only
 * @param session the session
 */
public record NewSession(String token, OperatorSession session) {

  /** Returns a text without the token. */
  @Override
  public String toString() {
    return "NewSession[" + session + "]";
  }
}
