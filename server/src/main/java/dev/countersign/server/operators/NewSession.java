package dev.countersign.server.operators;

/**
 * A session that has just begun.
 *
 * @param token its secret, for the cookie alone
 * @param session what it is
 */
public record NewSession(String token, OperatorSession session) {

  /** Without the token. */
  @Override
  public String toString() {
    return "NewSession[" + session + "]";
  }
}
