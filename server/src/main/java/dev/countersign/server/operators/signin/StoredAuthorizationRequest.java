package dev.countersign.server.operators.signin;

/**
 * A sign-in that waits for the OpenID provider.
 *
 * @param nonce the nonce that the provider's token must contain
 * @param codeVerifier the secret of the code exchange (RFC 7636)
 * @param redirect the redirect URI that was sent to the provider
 */
public record StoredAuthorizationRequest(String nonce, String codeVerifier, String redirect) {

  /** Returns a string without the secrets. */
  @Override
  public String toString() {
    return "StoredAuthorizationRequest[" + redirect + "]";
  }
}
