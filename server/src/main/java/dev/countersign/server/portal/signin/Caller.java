package dev.countersign.server.portal.signin;

import dev.countersign.server.access.Forwarding;
import jakarta.servlet.http.HttpServletRequest;
import java.net.InetAddress;
import java.util.Objects;

/**
 * Who is at the other end of a request to the portal, and how they came.
 *
 * @param address where they call from, past trusted proxies
 * @param isSecure whether their browser treats this origin as secure: HTTPS, or this very machine
 * @param userAgent what their browser calls itself; empty where it does not say
 */
record Caller(InetAddress address, boolean isSecure, String userAgent) {

  static Caller of(HttpServletRequest request, Forwarding forwarding) {
    Forwarding.Origin origin = forwarding.of(request);
    return new Caller(
        origin.address(),
        origin.scheme().equals("https") || isLocalhost(request.getServerName()),
        Objects.requireNonNullElse(request.getHeader("User-Agent"), ""));
  }

  /** W3C Secure Contexts section 3.1: names and addresses that cannot leave the machine. */
  private static boolean isLocalhost(String host) {
    return host.equals("localhost")
        || host.endsWith(".localhost")
        || host.matches("127\\.\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}")
        || host.equals("[::1]")
        || host.equals("0:0:0:0:0:0:0:1");
  }
}
