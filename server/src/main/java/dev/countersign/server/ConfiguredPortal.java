package dev.countersign.server;

import dev.countersign.server.access.PortalServlet;
import java.util.function.Supplier;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.web.server.Ssl;
import org.springframework.core.env.Environment;

/** Where operators reach the portal, as far as the settings say without a service that runs. */
final class ConfiguredPortal {
  private static final String DEFAULT_PORT = "8080";

  private ConfiguredPortal() {}

  /** The URL of the settings, else that of this machine. */
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

  /** An address as a URL has it: those of IPv6 in brackets (RFC 3986 section 3.2.2). */
  static String inUrl(String host) {
    return host.contains(":") ? "[" + host + "]" : host;
  }
}
