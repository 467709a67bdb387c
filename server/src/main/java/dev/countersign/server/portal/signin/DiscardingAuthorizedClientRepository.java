package dev.countersign.server.portal.signin;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;
import org.springframework.security.core.Authentication;
import org.springframework.security.oauth2.client.OAuth2AuthorizedClient;
import org.springframework.security.oauth2.client.web.OAuth2AuthorizedClientRepository;

/** Discards the provider's tokens. The sign-in uses them only to identify the user. */
final class DiscardingAuthorizedClientRepository implements OAuth2AuthorizedClientRepository {

  @Override
  @SuppressWarnings("TypeParameterUnusedInFormals") // as the interface declares it
  public <T extends OAuth2AuthorizedClient> @Nullable T loadAuthorizedClient(
      String registration, Authentication principal, HttpServletRequest request) {
    return null;
  }

  @Override
  public void saveAuthorizedClient(
      OAuth2AuthorizedClient client,
      Authentication principal,
      HttpServletRequest request,
      HttpServletResponse response) {
    // The tokens are discarded on purpose.
  }

  @Override
  public void removeAuthorizedClient(
      String registration,
      Authentication principal,
      HttpServletRequest request,
      HttpServletResponse response) {
    // Nothing is stored.
  }
}
