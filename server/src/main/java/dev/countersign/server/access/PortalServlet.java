package dev.countersign.server.access;

import jakarta.servlet.http.HttpServletRequest;

/**
 * Identifies the requests for the portal: those that the container maps to the servlet with this
 * name.
 *
 * <p>Design note: only the container decides, once, from the path that it decoded. The signature
 * filter skips exactly the requests to which the portal's filters are mapped, so that no spelling
 * of a path bypasses both.
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
