package dev.countersign.server.http;

import jakarta.servlet.http.HttpServletRequest;

/**
 * Identifies the requests for the portal: those that the container maps to the servlet named {@link
 * #NAME}.
 *
 * <p>Design note: the container alone decides whether a request is for the portal. It decides once,
 * from the decoded path. The signature filter skips exactly the requests to which the portal's
 * filters are mapped. No spelling of a path can therefore bypass both the signature filter and the
 * portal's filters.
 */
public final class PortalServlet {
  public static final String NAME = "portal";

  /** The path of the portal, on any port. */
  public static final String PATH = "/portal";

  private PortalServlet() {}

  /** Returns whether a request goes to the portal. */
  public static boolean isFor(HttpServletRequest request) {
    return NAME.equals(request.getHttpServletMapping().getServletName());
  }
}
