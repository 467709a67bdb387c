package dev.countersign.server.operators;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A link that sets a password once.
 *
 * @param operator the account whose password the link sets; null if the link creates the first
 *     administrator
 * @param token the secret of the link, shown once and never stored or logged
 * @param expiresAt when the link expires
 */
public record OneTimeLink(@Nullable Operator operator, String token, Instant expiresAt) {

  /**
   * Returns the URL to open. The token is in the fragment. Browsers do not send the fragment, so no
   * server logs the token.
   */
  public String at(String portalUrl) {
    return (portalUrl.endsWith("/") ? portalUrl : portalUrl + "/") + "setup#" + token;
  }

  /** Returns a string without the token. */
  @Override
  public String toString() {
    return "OneTimeLink[" + (operator == null ? "first operator" : operator.name()) + "]";
  }

  /**
   * The purpose of a link.
   *
   * @param operator the account whose password the link sets; null if the link creates the first
   *     administrator
   */
  public record Target(@Nullable Operator operator) {

    /** Returns whether the link creates the first administrator, who also chooses a name. */
    public boolean isFirst() {
      return operator == null;
    }
  }
}
