package dev.countersign.server.access;

import dev.countersign.signatures.base.RequestMessage;
import jakarta.servlet.http.HttpServletRequest;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import org.apache.coyote.Request;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a servlet request that a verification needs: the raw target, the raw field lines and
 * the framing of the body. {@code StrictAdapter} records what the servlet API does not provide.
 */
public final class ServletMessage implements RequestMessage {
  public static final String HTTP_2 = "HTTP/2.0";

  private static final String ASTERISK = ServletMessage.class.getName() + ".asterisk";
  private static final String FRAMING = ServletMessage.class.getName() + ".framing";
  private static final byte[] ASTERISK_PATH = "/*".getBytes(StandardCharsets.US_ASCII);

  private final HttpServletRequest request;
  private final String targetUri;

  ServletMessage(HttpServletRequest request, String targetUri) {
    this.request = request;
    this.targetUri = targetUri;
  }

  /**
   * Gives {@code OPTIONS *} a path that Tomcat routes, and records that the caller sent the
   * asterisk form. Otherwise Tomcat would answer the request itself, and nobody would check the
   * signature.
   */
  public static void routeAsterisk(Request request) {
    if ("OPTIONS".equals(request.getMethod()) && request.requestURI().equals("*")) {
      request.setAttribute(ASTERISK, true);
      request.requestURI().setBytes(ASTERISK_PATH, 0, ASTERISK_PATH.length);
    }
  }

  /** Records the body framing of an HTTP/2 request, because the fields do not show it. */
  public static void noteBodyFraming(Request request, BodyFraming framing) {
    request.setAttribute(FRAMING, framing);
  }

  /**
   * Returns the path and the query exactly as in the request line. The asterisk form has neither
   * path nor query (RFC 9112 section 3.3).
   */
  public static String rawTarget(HttpServletRequest request) {
    if (isAsterisk(request)) {
      return "";
    }
    String query = request.getQueryString();
    return query == null ? request.getRequestURI() : request.getRequestURI() + '?' + query;
  }

  /** Returns the raw path of a request for the log; {@code *} in the asterisk form. */
  public static String rawPath(HttpServletRequest request) {
    return isAsterisk(request) ? "*" : request.getRequestURI();
  }

  private static boolean isAsterisk(HttpServletRequest request) {
    return request.getAttribute(ASTERISK) != null;
  }

  public static boolean isHttp2(HttpServletRequest request) {
    return request.getProtocol().equals(HTTP_2);
  }

  @Override
  public String method() {
    return request.getMethod();
  }

  @Override
  public String targetUri() {
    return targetUri;
  }

  @Override
  public String requestTarget() {
    return isAsterisk(request) ? "*" : RequestMessage.super.requestTarget();
  }

  @Override
  public List<String> fieldLines(String lowerCaseName) {
    return Collections.list(request.getHeaders(lowerCaseName));
  }

  @Nullable String contentType() {
    return request.getContentType();
  }

  @Override
  public BodyFraming bodyFraming() {
    return bodyFramingOf(request);
  }

  static BodyFraming bodyFramingOf(HttpServletRequest request) {
    if (request.getAttribute(FRAMING) instanceof BodyFraming noted) {
      return noted;
    }
    if (request.getHeader("Transfer-Encoding") != null) {
      return BodyFraming.UNKNOWN;
    }
    return request.getContentLengthLong() > 0 ? BodyFraming.PRESENT : BodyFraming.NONE;
  }
}
