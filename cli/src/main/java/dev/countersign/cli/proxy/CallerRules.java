package dev.countersign.cli.proxy;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Decides which requests the proxy signs: those from programs on this machine that call the proxy
 * as localhost or by a loopback address.
 *
 * <p>Anyone who can reach the proxy can use the client's key, and a web page can make a browser
 * call localhost. So the proxy refuses requests that a web page from another origin sends (<a
 * href="https://www.w3.org/TR/fetch-metadata/">Fetch Metadata</a>; RFC 6454 section 7). It also
 * refuses requests to a host name that is not localhost, because an attacker's DNS may resolve any
 * other name to this machine.
 */
final class CallerRules {
  private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");
  private static final Set<String> OWN_SITES = Set.of("none", "same-origin");

  private final int port;

  CallerRules(int port) {
    this.port = port;
  }

  /** The reason to refuse a request; empty if there is none. */
  Optional<String> objection(HttpExchange exchange) {
    String target = exchange.getRequestURI().toString();
    if (!target.startsWith("/") || exchange.getRequestMethod().equals("CONNECT")) {
      return Optional.of(
          "this is not a forward proxy: call http://localhost:"
              + port
              + "/path as if it were the"
              + " service, and set no proxy in your client");
    }
    Headers headers = exchange.getRequestHeaders();
    List<String> hosts = headers.getOrDefault("Host", List.of());
    if (hosts.size() != 1 || !isOwnHost(hosts.get(0))) {
      return Optional.of("the Host header must be localhost:" + port + " or 127.0.0.1:" + port);
    }
    String own = "http://" + hosts.get(0).toLowerCase(Locale.ROOT);
    for (String origin : headers.getOrDefault("Origin", List.of())) {
      if (!origin.toLowerCase(Locale.ROOT).equals(own)) {
        return Optional.of("a web page from another origin made the request (Origin)");
      }
    }
    // When a browser follows a link or loads an image, it sends no Origin. If the browser does not
    // support Fetch Metadata, only the Referer then names the page.
    for (String page : headers.getOrDefault("Referer", List.of())) {
      if (!page.toLowerCase(Locale.ROOT).startsWith(own + "/")) {
        return Optional.of("a web page from another origin made the request (Referer)");
      }
    }
    for (String site : headers.getOrDefault("Sec-Fetch-Site", List.of())) {
      if (!OWN_SITES.contains(site)) {
        return Optional.of("a web page from another site made the request (Sec-Fetch-Site)");
      }
    }
    return Optional.empty();
  }

  /** Returns whether a host is a loopback name, either with this proxy's port or without a port. */
  private boolean isOwnHost(String host) {
    String lower = host.toLowerCase(Locale.ROOT);
    String suffix = ":" + port;
    return LOOPBACK.contains(
        lower.endsWith(suffix) ? lower.substring(0, lower.length() - suffix.length()) : lower);
  }
}
