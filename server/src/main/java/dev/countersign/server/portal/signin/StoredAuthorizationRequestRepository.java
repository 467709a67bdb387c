package dev.countersign.server.portal.signin;

import dev.countersign.server.operators.signin.AuthorizationRequestStore;
import dev.countersign.server.operators.signin.StoredAuthorizationRequest;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Base64;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.security.authentication.AuthenticationServiceException;
import org.springframework.security.crypto.keygen.Base64StringKeyGenerator;
import org.springframework.security.crypto.keygen.StringKeyGenerator;
import org.springframework.security.oauth2.client.registration.ClientRegistration;
import org.springframework.security.oauth2.client.web.AuthorizationRequestRepository;
import org.springframework.security.oauth2.core.endpoint.OAuth2AuthorizationRequest;
import org.springframework.security.oauth2.core.endpoint.OAuth2ParameterNames;
import org.springframework.security.oauth2.core.endpoint.PkceParameterNames;
import org.springframework.security.oauth2.core.oidc.endpoint.OidcParameterNames;

/**
 * Stores sign-ins in the database while the browser is at the provider, so that any node can
 * complete them. Each sign-in can be completed only once, and only in the browser that began it.
 */
final class StoredAuthorizationRequestRepository
    implements AuthorizationRequestRepository<OAuth2AuthorizationRequest> {
  private static final int TOKEN_BYTES = 32;
  // The attribute of a callback that has claimed a sign-in.
  private static final String CLAIMED =
      StoredAuthorizationRequestRepository.class.getName() + ".claimed";

  private final StringKeyGenerator browserSecrets =
      new Base64StringKeyGenerator(Base64.getUrlEncoder().withoutPadding(), TOKEN_BYTES);
  private final AuthorizationRequestStore pending;
  private final OpenIdProvider provider;

  StoredAuthorizationRequestRepository(AuthorizationRequestStore pending, OpenIdProvider provider) {
    this.pending = pending;
    this.provider = provider;
  }

  /** Always returns null, because a stored sign-in is read only when it is removed. */
  @Override
  public @Nullable OAuth2AuthorizationRequest loadAuthorizationRequest(HttpServletRequest request) {
    return null;
  }

  @Override
  public void saveAuthorizationRequest(
      @Nullable OAuth2AuthorizationRequest begun,
      HttpServletRequest request,
      HttpServletResponse response) {
    if (begun != null) {
      String browser = browserSecrets.generateKey();
      pending.save(
          String.valueOf(begun.getState()),
          browser,
          new StoredAuthorizationRequest(
              attribute(begun, OidcParameterNames.NONCE),
              attribute(begun, PkceParameterNames.CODE_VERIFIER),
              String.valueOf(begun.getRedirectUri())));
      PortalCookie.OPENID.set(browser, response);
    }
  }

  private static String attribute(OAuth2AuthorizationRequest begun, String name) {
    return String.valueOf(begun.<Object>getAttribute(name));
  }

  /**
   * Claims the sign-in that this browser began. While this node does not know the provider's
   * configuration and cannot fetch it, the sign-in stays stored and the browser keeps its cookie,
   * so that it can be completed later.
   *
   * @return null if there is no such sign-in
   * @throws AuthenticationServiceException if the provider cannot be reached
   */
  @Override
  public @Nullable OAuth2AuthorizationRequest removeAuthorizationRequest(
      HttpServletRequest request, HttpServletResponse response) {
    String state = request.getParameter(OAuth2ParameterNames.STATE);
    Optional<String> browser = PortalCookie.OPENID.of(request);
    // Checked before the provider is asked, so that made-up requests cause no request to it.
    if (state == null || browser.isEmpty() || !pending.exists(state, browser.get())) {
      return null;
    }
    ClientRegistration registration = registration();
    Optional<StoredAuthorizationRequest> claimed = pending.claim(state, browser.get());
    request.setAttribute(CLAIMED, claimed.isPresent());
    PortalCookie.OPENID.clear(response);
    return claimed.map(begun -> restored(state, begun, registration)).orElse(null);
  }

  /** Returns whether a callback has claimed a sign-in, which happens once for each sign-in. */
  static boolean hasClaimed(HttpServletRequest callback) {
    return Boolean.TRUE.equals(callback.getAttribute(CLAIMED));
  }

  private ClientRegistration registration() {
    try {
      return provider.registration();
    } catch (RuntimeException e) {
      // Spring's login filter handles only its own exceptions.
      throw new AuthenticationServiceException("the provider cannot be reached", e);
    }
  }

  private static OAuth2AuthorizationRequest restored(
      String state, StoredAuthorizationRequest begun, ClientRegistration registration) {
    return OAuth2AuthorizationRequest.authorizationCode()
        .authorizationUri(
            Objects.requireNonNull(registration.getProviderDetails().getAuthorizationUri()))
        .clientId(registration.getClientId())
        .redirectUri(begun.redirect())
        .scopes(registration.getScopes())
        .state(state)
        .attributes(
            Map.of(
                OAuth2ParameterNames.REGISTRATION_ID,
                OpenIdProvider.ID,
                OidcParameterNames.NONCE,
                begun.nonce(),
                PkceParameterNames.CODE_VERIFIER,
                begun.codeVerifier()))
        .build();
  }
}
