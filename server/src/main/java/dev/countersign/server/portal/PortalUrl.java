package dev.countersign.server.portal;

import dev.countersign.server.access.PortalServlet;
import dev.countersign.server.access.network.TrustedProxies;
import jakarta.servlet.http.HttpServletRequest;
import java.net.URI;
import org.springframework.stereotype.Component;

/** The URL of the portal, for links that leave it. */
@Component
public final class PortalUrl {
  private final PortalProperties properties;
  private final TrustedProxies forwarding;

  PortalUrl(PortalProperties properties, TrustedProxies forwarding) {
    this.properties = properties;
    this.forwarding = forwarding;
  }

  /** Returns the setting {@code portal.public-url}, or else the URL by which this request came. */
  public String of(HttpServletRequest request) {
    URI configured = properties.publicUrl();
    return configured != null
        ? configured.toString()
        : forwarding.of(request).scheme() + "://" + request.getHeader("Host") + PortalServlet.PATH;
  }
}
