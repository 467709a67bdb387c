package dev.countersign.server.portal;

import dev.countersign.protocol.HostName;
import java.net.URI;
import java.util.List;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Sign-in by OpenID Connect: the settings under {@code countersign.portal.openid}.
 *
 * @param issuer the provider's issuer identifier, under which it publishes its configuration
 * @param clientId the portal's client identifier at the provider
 * @param clientSecret the secret that authenticates the portal to the provider
 * @param scopes the scopes requested, including {@code openid}
 * @param groupsClaim the claim of the ID token or of the user info that lists a person's groups
 * @param administrators the groups whose members are administrators
 * @param viewers the groups whose members are viewers
 */
public record OpenIdProperties(
    URI issuer,
    String clientId,
    String clientSecret,
    @DefaultValue({"openid", "profile"}) List<String> scopes,
    @DefaultValue("groups") String groupsClaim,
    @DefaultValue List<String> administrators,
    @DefaultValue List<String> viewers) {

  public OpenIdProperties {
    scopes = List.copyOf(scopes);
    administrators = List.copyOf(administrators);
    viewers = List.copyOf(viewers);
    require(issuer != null, "issuer must be a URL");
    HostName.problem(issuer)
        .ifPresent(problem -> require(false, "issuer cannot be used: " + problem));
    require(issuer.getHost() != null, "issuer must be a URL");
    require(clientId != null && !clientId.isBlank(), "client-id must be set");
    require(clientSecret != null && !clientSecret.isBlank(), "client-secret must be set");
    require(scopes.contains("openid"), "scopes must contain openid");
    require(
        !administrators.isEmpty() || !viewers.isEmpty(),
        "administrators or viewers must name a group, because otherwise nobody could sign in");
  }

  private static void require(boolean met, String rule) {
    if (!met) {
      throw new IllegalArgumentException("portal.openid." + rule);
    }
  }

  /** Returns a string without the secret. */
  @Override
  public String toString() {
    return "OpenID Connect by " + issuer + " as " + clientId;
  }
}
