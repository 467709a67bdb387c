package dev.countersign.server.portal.signin;

import dev.countersign.server.http.PortalServlet;
import dev.countersign.server.portal.LogLimit;
import dev.countersign.server.store.StoreUnavailableException;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.apache.tomcat.util.http.InvalidParameterException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.security.web.firewall.RequestRejectedException;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Sends a page without navigation ({@link PlainPages}) for requests that fail outside the
 * controllers.
 */
final class PlainErrorFilter extends OncePerRequestFilter {
  private static final Logger log = LoggerFactory.getLogger(PlainErrorFilter.class);

  private final PlainPages pages;
  private final LogLimit limit = new LogLimit();

  PlainErrorFilter(PlainPages pages) {
    this.pages = pages;
  }

  @Override
  protected void doFilterInternal(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws ServletException, IOException {
    if (!hasUnencodedPrefix(request.getRequestURI())) {
      pages.send(HttpServletResponse.SC_BAD_REQUEST, "bad-request", request, response);
      return;
    }
    try {
      // Decodes the parameters here, so that invalid ones fail now and not when the first parameter
      // is read.
      request.getParameterMap();
      chain.doFilter(request, response);
    } catch (InvalidParameterException e) {
      pages.send(e.getErrorCode(), "bad-request", request, response);
    } catch (RequestRejectedException e) {
      pages.send(HttpServletResponse.SC_BAD_REQUEST, "bad-request", request, response);
    } catch (StoreUnavailableException e) {
      if (limit.admits(request)) {
        log.warn("the store did not answer: {}", e.getMessage());
      }
      response.setHeader(HttpHeaders.RETRY_AFTER, "1");
      pages.send(HttpServletResponse.SC_SERVICE_UNAVAILABLE, "unavailable", request, response);
    } catch (ServletException | RuntimeException e) {
      if (response.isCommitted()) {
        throw e;
      }
      if (limit.admits(request)) {
        log.error("a request to the portal failed because of a defect", e);
      }
      pages.send(HttpServletResponse.SC_INTERNAL_SERVER_ERROR, "defect", request, response);
    }
  }

  // The container also maps encoded paths such as /%70ortal to the portal, but Spring would fail on
  // them.
  private static boolean hasUnencodedPrefix(String path) {
    return path.equals(PortalServlet.PATH) || path.startsWith(PortalServlet.PATH + "/");
  }
}
