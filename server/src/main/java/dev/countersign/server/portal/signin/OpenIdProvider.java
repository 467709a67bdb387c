package dev.countersign.server.portal.signin;

import dev.countersign.server.http.PortalServlet;
import dev.countersign.server.portal.OpenIdProperties;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.security.oauth2.client.registration.ClientRegistration;
import org.springframework.security.oauth2.client.registration.ClientRegistrationRepository;

/**
 * The portal's registration with the OpenID provider, built from the provider's discovery document
 * (OpenID Connect Discovery 1.0 section 4).
 *
 * <p>Design note: the document is fetched at the first sign-in by OpenID, so that the service can
 * start while the provider is unavailable. After a failure, at least ten seconds pass before the
 * next attempt, so that repeated sign-ins cannot keep threads waiting.
 */
final class OpenIdProvider implements ClientRegistrationRepository {
  static final String BEGIN = PortalServlet.PATH + "/openid/begin";
  static final String CALLBACK = PortalServlet.PATH + "/openid/callback";
  static final String ID = "provider";

  private static final Duration PAUSE = Duration.ofSeconds(10);

  private final OpenIdProperties properties;
  private final Function<URI, ClientRegistration.Builder> discovery;
  private final Clock clock;
  private final Lock fetchLock = new ReentrantLock();
  private final String redirectUri;
  private volatile @Nullable ClientRegistration known;
  private Instant nextAttempt = Instant.MIN;

  OpenIdProvider(
      OpenIdProperties properties,
      @Nullable URI publicUrl,
      Function<URI, ClientRegistration.Builder> discovery,
      Clock clock) {
    this.properties = properties;
    this.discovery = discovery;
    this.clock = clock;
    this.redirectUri =
        publicUrl == null
            ? "{baseUrl}" + CALLBACK
            : publicUrl + CALLBACK.substring(PortalServlet.PATH.length());
  }

  /**
   * Returns the registration of this portal with the provider.
   *
   * @throws RuntimeException if the provider cannot be reached
   */
  @Override
  public @Nullable ClientRegistration findByRegistrationId(String id) {
    return id.equals(ID) ? registration() : null;
  }

  ClientRegistration registration() {
    ClientRegistration registration = known;
    return registration == null ? fetch() : registration;
  }

  /**
   * Fetches the registration once. Other threads wait for the result and share it, even if it is a
   * failure.
   */
  private ClientRegistration fetch() {
    fetchLock.lock();
    try {
      ClientRegistration registration = known;
      if (registration != null) {
        return registration;
      }
      if (clock.instant().isBefore(nextAttempt)) {
        throw new IllegalStateException(
            "the provider did not answer recently; try again in " + PAUSE.toSeconds() + " s");
      }
      registration = discover();
      known = registration;
      return registration;
    } finally {
      fetchLock.unlock();
    }
  }

  private ClientRegistration discover() {
    try {
      return discovery
          .apply(properties.issuer())
          .registrationId(ID)
          .clientId(properties.clientId())
          .clientSecret(properties.clientSecret())
          .scope(properties.scopes())
          .redirectUri(redirectUri)
          .build();
    } catch (RuntimeException e) {
      nextAttempt = clock.instant().plus(PAUSE);
      throw e;
    }
  }
}
