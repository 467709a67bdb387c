package dev.countersign.server.portal.signin;

import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.Map;
import org.springframework.core.ParameterizedTypeReference;
import org.springframework.http.client.ClientHttpRequestFactory;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.http.client.SimpleClientHttpRequestFactory;
import org.springframework.http.converter.FormHttpMessageConverter;
import org.springframework.security.oauth2.client.endpoint.RestClientAuthorizationCodeTokenResponseClient;
import org.springframework.security.oauth2.client.http.OAuth2ErrorResponseErrorHandler;
import org.springframework.security.oauth2.client.oidc.userinfo.OidcUserService;
import org.springframework.security.oauth2.client.registration.ClientRegistration;
import org.springframework.security.oauth2.client.registration.ClientRegistrations;
import org.springframework.security.oauth2.client.userinfo.DefaultOAuth2UserService;
import org.springframework.security.oauth2.core.http.converter.OAuth2AccessTokenResponseHttpMessageConverter;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestTemplate;

/**
 * The requests to the provider during a sign-in. Each has a timeout.
 *
 * @param connect timeout for the connection
 * @param read timeout for the answer
 */
record OpenIdRequests(Duration connect, Duration read) {
  static final OpenIdRequests STANDARD =
      new OpenIdRequests(Duration.ofSeconds(5), Duration.ofSeconds(10));

  /**
   * Fetches the provider's discovery document.
   *
   * @throws RuntimeException if the document cannot be fetched or names another issuer
   */
  ClientRegistration.Builder describe(URI issuer) {
    Map<String, Object> description =
        RestClient.builder()
            .requestFactory(lookupFactory())
            .build()
            .get()
            .uri(
                URI.create(
                    issuer.toString().replaceFirst("/+$", "")
                        + "/.well-known/openid-configuration"))
            .retrieve()
            .body(new ParameterizedTypeReference<Map<String, Object>>() {});
    // OpenID Connect Discovery 1.0 section 4.3: the issuer must be exactly the configured one.
    if (description == null || !issuer.toString().equals(description.get("issuer"))) {
      throw new IllegalStateException(
          "the issuer in the provider's discovery document must be " + issuer);
    }
    return ClientRegistrations.fromOidcConfiguration(description);
  }

  /** Returns the client that exchanges a code for tokens. */
  RestClientAuthorizationCodeTokenResponseClient tokens() {
    RestClientAuthorizationCodeTokenResponseClient tokens =
        new RestClientAuthorizationCodeTokenResponseClient();
    tokens.setRestClient(
        RestClient.builder()
            .requestFactory(codeExchangeFactory())
            .configureMessageConverters(
                converters ->
                    converters
                        .addCustomConverter(new FormHttpMessageConverter())
                        .addCustomConverter(new OAuth2AccessTokenResponseHttpMessageConverter()))
            .defaultStatusHandler(new OAuth2ErrorResponseErrorHandler())
            .build());
    return tokens;
  }

  /** Returns the service that fetches the user info. */
  OidcUserService users() {
    RestTemplate rest = new RestTemplate(lookupFactory());
    rest.setErrorHandler(new OAuth2ErrorResponseErrorHandler());
    DefaultOAuth2UserService info = new DefaultOAuth2UserService();
    info.setRestOperations(rest);
    OidcUserService users = new OidcUserService();
    users.setOauth2UserService(info);
    return users;
  }

  private ClientHttpRequestFactory lookupFactory() {
    SimpleClientHttpRequestFactory factory = new SimpleClientHttpRequestFactory();
    factory.setConnectTimeout(connect);
    factory.setReadTimeout(read);
    return factory;
  }

  /**
   * Returns a factory that, unlike the one for look-ups, reads the body of a 401 answer. It follows
   * no redirects, so that a code is sent only to the provider.
   */
  private ClientHttpRequestFactory codeExchangeFactory() {
    JdkClientHttpRequestFactory factory =
        new JdkClientHttpRequestFactory(
            HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(connect)
                .followRedirects(HttpClient.Redirect.NEVER)
                .build());
    factory.setReadTimeout(read);
    return factory;
  }
}
