package dev.countersign.server.portal.signin;

import dev.countersign.server.http.PortalServlet;
import jakarta.servlet.http.HttpServletRequest;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The page that an operator wanted to open before signing in; always a page of the portal. */
final class Destination {
  static final String PARAMETER = "to";

  // No "//", no "..", no backslash, no scheme: no browser can read such an address as another host
  // or as another part of this host. The query has only the characters of RFC 3986 section 3.4.
  private static final Pattern OWN =
      Pattern.compile(
          Pattern.quote(PortalServlet.PATH)
              + "(/(?!\\.{1,2}(/|\\?|$))[A-Za-z0-9._~-]+)*/?"
              + "(\\?[A-Za-z0-9._~!$&'()*+,;=:@/?%-]*)?");
  // The maximum number of characters of an address.
  private static final int LIMIT = 1_000;

  private final String page;

  private Destination(@Nullable String wanted) {
    boolean isOwn = wanted != null && wanted.length() <= LIMIT && OWN.matcher(wanted).matches();
    this.page = isOwn ? String.valueOf(wanted) : PortalServlet.PATH;
  }

  /** Takes the page that this request asks for. */
  Destination(HttpServletRequest request) {
    this(
        request.getRequestURI()
            + (request.getQueryString() == null ? "" : "?" + request.getQueryString()));
  }

  /** Takes the page that a form or a link names. */
  static Destination named(@Nullable String wanted) {
    return new Destination(wanted);
  }

  String page() {
    return page;
  }

  /**
   * Returns the address of the sign-in page. After the sign-in, the browser continues to this
   * destination.
   */
  String signIn() {
    return PortalSecurity.SIGN_IN
        + (page.equals(PortalServlet.PATH)
            ? ""
            : "?" + PARAMETER + "=" + URLEncoder.encode(page, StandardCharsets.UTF_8));
  }
}
