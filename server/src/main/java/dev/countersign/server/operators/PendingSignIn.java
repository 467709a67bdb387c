package dev.countersign.server.operators;

/**
 * A sign-in that is at the OpenID provider.
 *
 * @param nonce what the provider's token must say
 * @param codeVerifier the secret of the code exchange (RFC 7636)
 * @param redirect where the operator wanted to go
 */
public record PendingSignIn(String nonce, String codeVerifier, String redirect) {

  /** Without the secrets. */
  @Override
  public String toString() {
    return "PendingSignIn[" + redirect + "]";
  }
}
