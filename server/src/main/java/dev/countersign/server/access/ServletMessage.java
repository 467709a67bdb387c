package dev.countersign.server.access;

import dev.countersign.signatures.RequestMessage;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Collections;
import java.util.List;

/** A servlet request as a signature sees it: raw target, raw field lines, framing. */
final class ServletMessage implements RequestMessage {
  private final HttpServletRequest request;
  private final String targetUri;

  ServletMessage(HttpServletRequest request, String targetUri) {
    this.request = request;
    this.targetUri = targetUri;
  }

  /** Path and query of a request exactly as they came in its first line. */
  static String rawTarget(HttpServletRequest request) {
    String query = request.getQueryString();
    return query == null ? request.getRequestURI() : request.getRequestURI() + '?' + query;
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
  public List<String> fieldLines(String lowerCaseName) {
    return Collections.list(request.getHeaders(lowerCaseName));
  }

  @Override
  public BodyFraming bodyFraming() {
    return bodyFramingOf(request);
  }

  static BodyFraming bodyFramingOf(HttpServletRequest request) {
    if (request.getHeader("Transfer-Encoding") != null) {
      return BodyFraming.UNKNOWN;
    }
    return request.getContentLengthLong() > 0 ? BodyFraming.PRESENT : BodyFraming.NONE;
  }
}
