package dev.countersign.server.app;

import dev.countersign.server.http.PortalServlet;
import dev.countersign.server.portal.PortalProperties;
import java.net.InetAddress;
import java.util.function.Supplier;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.web.server.Ssl;
import org.springframework.core.env.Environment;

/** The URL of the portal according to the settings. */
final class ConfiguredPortal {
  /** The port of the API, unless {@code server.port} is set. */
  static final int DEFAULT_API_PORT = 8080;

  private ConfiguredPortal() {}

  /**
   * Returns a supplier of the configured URL, or else of the URL on this machine. It needs no
   * running service.
   */
  static Supplier<String> of(Environment environment) {
    Binder settings = Binder.get(environment);
    int apiPort = environment.getProperty("server.port", Integer.class, DEFAULT_API_PORT);
    boolean tls = settings.bind("server.ssl", Ssl.class).map(ssl -> ssl.isEnabled()).orElse(false);
    return () -> {
      PortalProperties portal = settings.bindOrCreate("countersign.portal", PortalProperties.class);
      return url(
          portal, tls, "localhost", portal.sharesApiPort() ? apiPort : portal.ownPort(apiPort));
    };
  }

  /**
   * Returns the configured URL, or else the URL on this machine.
   *
   * @param tls whether the API has TLS
   * @param local the host if the portal has no address, or listens on all addresses
   * @param port the port on which the portal listens
   */
  static String url(PortalProperties portal, boolean tls, String local, int port) {
    if (portal.publicUrl() != null) {
      return portal.publicUrl().toString();
    }
    InetAddress address = portal.address();
    String host = address == null || address.isAnyLocalAddress() ? local : hostOf(address);
    return url(tls && !portal.isLocal(), host, port) + PortalServlet.PATH;
  }

  /**
   * Returns the host name if one was configured, because the certificate is valid for that name;
   * otherwise the IP address.
   */
  private static String hostOf(InetAddress address) {
    // getHostName would look up a name that was not configured.
    String text = address.toString();
    int slash = text.indexOf('/');
    return slash > 0 ? text.substring(0, slash) : address.getHostAddress();
  }

  /** Returns a URL. An IPv6 address is enclosed in brackets (RFC 3986 section 3.2.2). */
  static String url(boolean tls, String host, int port) {
    return (tls ? "https://" : "http://")
        + (host.contains(":") ? "[" + host + "]" : host)
        + ":"
        + port;
  }
}
