package dev.countersign.server.access;

import jakarta.servlet.http.HttpServletRequest;

/**
 * Which requests are the portal's: those that the container maps to the servlet of this name.
 *
 * <p>Design note: the container alone decides, once, by the path as it decodes it. The signature
 * filter steps aside for exactly the requests that the filters of that servlet are mapped to, so no
 * spelling of a path falls between the two.
 */
public final class PortalServlet {
  public static final String NAME = "portal";

  /** Where the portal is found, on whatever port. */
  public static final String PATH = "/portal";

  private PortalServlet() {}

  /** Whether a request goes to the portal. */
  public static boolean isFor(HttpServletRequest request) {
    return NAME.equals(request.getHttpServletMapping().getServletName());
  }
}
