package dev.countersign.server.portal;

import dev.countersign.protocol.HostName;
import java.net.InetAddress;
import java.net.URI;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The settings of the operator's portal, under {@code countersign.portal}.
 *
 * @param enabled whether the portal is served
 * @param address the address of the portal's own port; null for all addresses
 * @param port the portal's own port, 0 for any free port; null to share the API's port
 * @param publicUrl the URL for operators, such as {@code https://ops.example.com/portal}; null to
 *     derive it from each request
 * @param idleLimit how long a session lasts without activity, 1 min to 24 h
 * @param sessionLimit how long a session lasts in all, 5 min to 7 d
 * @param passwords whether operators may sign in with a password
 * @param openid sign-in by OpenID Connect; null for none
 */
public record PortalProperties(
    @DefaultValue("true") boolean enabled,
    @Nullable InetAddress address,
    @Nullable Integer port,
    @Nullable URI publicUrl,
    @DefaultValue("30m") Duration idleLimit,
    @DefaultValue("12h") Duration sessionLimit,
    @DefaultValue("true") boolean passwords,
    @Nullable OpenIdProperties openid) {

  public PortalProperties {
    check("idle-limit", idleLimit, Duration.ofMinutes(1), Duration.ofHours(24));
    check("session-limit", sessionLimit, Duration.ofMinutes(5), Duration.ofDays(7));
    if (port != null && (port < 0 || port > 65_535)) {
      throw new IllegalArgumentException("portal.port must be 0 to 65535, was " + port);
    }
    if (address != null && port == null) {
      throw new IllegalArgumentException(
          "portal.address needs portal.port, because it is the address of the portal's own port");
    }
    if (publicUrl != null && !isHttp(publicUrl)) {
      throw new IllegalArgumentException(
          "portal.public-url "
              + HostName.problem(publicUrl)
                  .map(problem -> "cannot be used: " + problem)
                  .orElse(
                      "must be a URL such as https://ops.example.com/portal, was " + publicUrl));
    }
    if (!passwords && openid == null) {
      throw new IllegalArgumentException(
          "portal.passwords is false and portal.openid is not set, so nobody could sign in; enable"
              + " passwords or set portal.openid");
    }
  }

  private static boolean isHttp(URI url) {
    return ("https".equals(url.getScheme()) || "http".equals(url.getScheme()))
        && url.getHost() != null
        && HostName.problem(url).isEmpty()
        && url.getRawQuery() == null
        && url.getRawFragment() == null
        && "/portal".equals(url.getRawPath());
  }

  private static void check(String name, Duration value, Duration least, Duration most) {
    if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
      throw new IllegalArgumentException(
          "portal."
              + name
              + " must be "
              + least.toMinutes()
              + " to "
              + most.toMinutes()
              + " minutes, was "
              + value.toSeconds()
              + " s");
    }
  }
}
