package dev.countersign.server.portal;

import dev.countersign.protocol.HostName;
import dev.countersign.protocol.PlainText;
import java.net.InetAddress;
import java.net.URI;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The settings of the operator's portal, under {@code countersign.portal}.
 *
 * @param enabled whether the portal is served
 * @param address the address of the portal's own port; null for all addresses, or for loopback if
 *     {@code port} is null, too
 * @param port the portal's own port, 0 for any free port, or {@code api} to share the API's port;
 *     null for the port after that of the API
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
    @Nullable String port,
    @Nullable URI publicUrl,
    @DefaultValue("30m") Duration idleLimit,
    @DefaultValue("12h") Duration sessionLimit,
    @DefaultValue("true") boolean passwords,
    @Nullable OpenIdProperties openid) {

  private static final String API = "api";
  private static final int MAX_PORT = 65_535;

  public PortalProperties {
    check("idle-limit", idleLimit, Duration.ofMinutes(1), Duration.ofHours(24));
    check("session-limit", sessionLimit, Duration.ofMinutes(5), Duration.ofDays(7));
    if (port != null && !port.equals(API) && !isPort(port)) {
      throw new IllegalArgumentException("portal.port must be 0 to 65535 or api, was " + port);
    }
    if (address != null && API.equals(port)) {
      throw new IllegalArgumentException(
          "portal.address is the address of the portal's own port, which portal.port: api takes"
              + " away; remove one of them");
    }
    if (publicUrl != null && !isHttp(publicUrl)) {
      throw new IllegalArgumentException(
          "portal.public-url "
              + HostName.problem(publicUrl)
                  .map(problem -> "cannot be used: " + problem)
                  .orElse(
                      "must be a URL such as https://ops.example.com/portal, was "
                          + PlainText.url(publicUrl)));
    }
    if (!passwords && openid == null) {
      throw new IllegalArgumentException(
          "portal.passwords is false and portal.openid is not set, so nobody could sign in; enable"
              + " passwords or set portal.openid");
    }
  }

  private static boolean isPort(String text) {
    return text.matches("[0-9]{1,5}") && Integer.parseInt(text) <= MAX_PORT;
  }

  /** Returns whether the portal shares the port of the API. */
  public boolean sharesApiPort() {
    return API.equals(port);
  }

  /**
   * Returns whether the portal is served to this machine only: on loopback and without TLS. This is
   * so if neither its port nor its address is set.
   */
  public boolean isLocal() {
    return port == null && address == null;
  }

  /**
   * Returns the port of a portal that has its own port; 0 for any free port.
   *
   * @param api the port of the API in the settings
   * @throws IllegalArgumentException if there is no port after that of the API
   */
  public int ownPort(int api) {
    if (port != null) {
      return Integer.parseInt(port);
    }
    if (api == MAX_PORT) {
      throw new IllegalArgumentException(
          "the portal would listen on port 65536, the one after that of the API; set portal.port");
    }
    return api == 0 ? 0 : api + 1;
  }

  private static boolean isHttp(URI url) {
    return ("https".equals(url.getScheme()) || "http".equals(url.getScheme()))
        && url.getHost() != null
        && HostName.problem(url).isEmpty()
        && url.getRawUserInfo() == null
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
