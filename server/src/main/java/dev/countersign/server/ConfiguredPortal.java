package dev.countersign.server;

import dev.countersign.server.access.PortalServlet;
import java.util.function.Supplier;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.web.server.Ssl;
import org.springframework.core.env.Environment;

/** The URL of the portal according to the settings, without a running service. */
final class ConfiguredPortal {
  private static final String DEFAULT_PORT = "8080";

  private ConfiguredPortal() {}

  /** Returns the configured URL, or else the URL on this machine. */
  static Supplier<String> of(Environment environment) {
    String url = environment.getProperty("countersign.portal.public-url", "");
    String port =
        environment.getProperty(
            "countersign.portal.port", environment.getProperty("server.port", DEFAULT_PORT));
    String host = environment.getProperty("countersign.portal.address", "localhost");
    String known =
        url.isBlank()
            ? scheme(environment) + "://" + inUrl(host) + ":" + port + PortalServlet.PATH
            : url;
    return () -> known;
  }

  private static String scheme(Environment environment) {
    return Binder.get(environment)
        .bind("server.ssl", Ssl.class)
        .map(ssl -> ssl.isEnabled() ? "https" : "http")
        .orElse("http");
  }

  /** Formats an address for a URL: IPv6 addresses in brackets (RFC 3986 section 3.2.2). */
  static String inUrl(String host) {
    return host.contains(":") ? "[" + host + "]" : host;
  }
}
