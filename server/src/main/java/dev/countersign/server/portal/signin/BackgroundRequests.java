package dev.countersign.server.portal.signin;

import dev.countersign.server.access.PortalServlet;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Set;

/** The requests that an open page makes by itself. */
final class BackgroundRequests {
  private static final Set<String> PATHS =
      Set.of(PortalServlet.PATH + "/requests/live", PortalServlet.PATH + "/overview");

  private BackgroundRequests() {}

  static boolean isOne(HttpServletRequest request) {
    return PATHS.contains(request.getRequestURI());
  }
}
