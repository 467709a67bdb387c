package dev.countersign.server.portal;

import dev.countersign.server.access.network.TrustedProxies;
import dev.countersign.server.http.PortalServlet;
import jakarta.servlet.http.HttpServletRequest;
import java.net.URI;
import org.springframework.stereotype.Component;

/** The URL of the portal, for links that operators send to other people. */
@Component
public final class PortalUrl {
  private final PortalProperties properties;
  private final TrustedProxies trustedProxies;

  PortalUrl(PortalProperties properties, TrustedProxies trustedProxies) {
    this.properties = properties;
    this.trustedProxies = trustedProxies;
  }

  /**
   * Returns the setting {@code portal.public-url}, or else the URL at which this request reached
   * the portal.
   */
  public String of(HttpServletRequest request) {
    URI configured = properties.publicUrl();
    return configured != null
        ? configured.toString()
        : trustedProxies.schemeOf(request) + "://" + request.getHeader("Host") + PortalServlet.PATH;
  }
}
