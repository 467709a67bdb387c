package dev.countersign.server.portal.signin;

import dev.countersign.server.access.network.TrustedProxies;
import jakarta.servlet.http.HttpServletRequest;
import java.net.InetAddress;
import java.util.Objects;

/**
 * The sender of a request to the portal.
 *
 * @param address the browser's address, even if the request came through trusted proxies
 * @param isSecure whether the browser treats this origin as secure: HTTPS or localhost
 * @param userAgent the User-Agent header; empty if there is none
 */
record PortalCaller(InetAddress address, boolean isSecure, String userAgent) {

  static PortalCaller of(HttpServletRequest request, TrustedProxies trustedProxies) {
    return new PortalCaller(
        trustedProxies.addressOf(request),
        trustedProxies.schemeOf(request).equals("https") || isLocalhost(request.getServerName()),
        Objects.requireNonNullElse(request.getHeader("User-Agent"), ""));
  }

  /** Returns whether the host is the local machine (W3C Secure Contexts section 3.1). */
  private static boolean isLocalhost(String host) {
    return host.equals("localhost")
        || host.endsWith(".localhost")
        || host.matches("127\\.\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}")
        || host.equals("[::1]")
        || host.equals("0:0:0:0:0:0:0:1");
  }
}
