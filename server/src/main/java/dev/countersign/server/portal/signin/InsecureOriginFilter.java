package dev.countersign.server.portal.signin;

import dev.countersign.server.access.network.TrustedProxies;
import dev.countersign.server.access.outcome.DeniedException;
import dev.countersign.server.http.PortalServlet;
import dev.countersign.server.http.ProblemWriter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Refuses plain HTTP, except on localhost, with a page that asks for HTTPS or localhost. Over plain
 * HTTP on any other host, browsers drop Secure cookies and hide WebCrypto, so a sign-in would fail
 * without a message.
 */
final class InsecureOriginFilter extends OncePerRequestFilter {
  private final TrustedProxies trustedProxies;
  private final PlainPages pages;

  InsecureOriginFilter(TrustedProxies trustedProxies, PlainPages pages) {
    this.trustedProxies = trustedProxies;
    this.pages = pages;
  }

  /** Lets requests for assets pass, because the page needs an asset. */
  @Override
  protected boolean shouldNotFilter(HttpServletRequest request) {
    return request.getRequestURI().startsWith(PortalServlet.PATH + "/assets/");
  }

  @Override
  protected void doFilterInternal(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws ServletException, IOException {
    boolean isSecure;
    try {
      isSecure = PortalCaller.of(request, trustedProxies).isSecure();
    } catch (DeniedException e) {
      ProblemWriter.note(request, e.denial());
      pages.send(HttpServletResponse.SC_BAD_REQUEST, "bad-request", request, response);
      return;
    }
    if (isSecure) {
      chain.doFilter(request, response);
    } else {
      pages.send(HttpServletResponse.SC_FORBIDDEN, "insecure", request, response);
    }
  }
}
