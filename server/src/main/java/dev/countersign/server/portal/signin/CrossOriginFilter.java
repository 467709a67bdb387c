package dev.countersign.server.portal.signin;

import dev.countersign.server.portal.PortalUrl;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.util.Set;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Refuses requests that a page from another origin sends, unless their method is safe. It protects
 * the forms in addition to the CSRF token that each of them contains.
 *
 * <p>Browsers say where a request comes from in {@code Sec-Fetch-Site} (W3C Fetch Metadata Request
 * Headers section 2.3), which no page can set. Older browsers send only {@code Origin} (RFC 6454
 * section 7), which is compared with the portal's URL. A request with neither field does not come
 * from a page.
 */
final class CrossOriginFilter extends OncePerRequestFilter {
  private static final Set<String> SAFE_METHODS = Set.of("GET", "HEAD", "OPTIONS", "TRACE");

  private final PortalUrl portalUrl;
  private final PlainPages pages;

  CrossOriginFilter(PortalUrl portalUrl, PlainPages pages) {
    this.portalUrl = portalUrl;
    this.pages = pages;
  }

  @Override
  protected boolean shouldNotFilter(HttpServletRequest request) {
    return SAFE_METHODS.contains(request.getMethod());
  }

  @Override
  protected void doFilterInternal(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws ServletException, IOException {
    if (isAllowed(request)) {
      chain.doFilter(request, response);
    } else {
      pages.send(HttpServletResponse.SC_FORBIDDEN, "cross-origin", request, response);
    }
  }

  private boolean isAllowed(HttpServletRequest request) {
    String site = request.getHeader("Sec-Fetch-Site");
    if (site != null) {
      // "none" is a request that the user started, for example by sending a form again.
      return site.equals("same-origin") || site.equals("none");
    }
    String origin = request.getHeader("Origin");
    return origin == null || origin.equals(origin(portalUrl.of(request)));
  }

  // RFC 6454 section 6.2: the origin has no port if it is the default port of its scheme.
  private static String origin(String url) {
    URI uri = URI.create(url);
    boolean isDefaultPort = uri.getPort() == (uri.getScheme().equals("https") ? 443 : 80);
    return uri.getScheme()
        + "://"
        + uri.getHost()
        + (uri.getPort() < 0 || isDefaultPort ? "" : ":" + uri.getPort());
  }
}
