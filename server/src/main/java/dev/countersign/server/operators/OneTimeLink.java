package dev.countersign.server.operators;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A link that sets a password once.
 *
 * @param operator whose password; null where it makes the first administrator
 * @param token the secret of the link, to be shown once and never stored or logged
 * @param expiresAt when it ends if it was not used
 */
public record OneTimeLink(@Nullable Operator operator, String token, Instant expiresAt) {

  /** The link for somebody to open; browsers do not send a fragment, so no log ever has it. */
  public String at(String portalUrl) {
    return (portalUrl.endsWith("/") ? portalUrl : portalUrl + "/") + "setup#" + token;
  }

  /** Without the token. */
  @Override
  public String toString() {
    return "OneTimeLink[" + (operator == null ? "first operator" : operator.name()) + "]";
  }
}
