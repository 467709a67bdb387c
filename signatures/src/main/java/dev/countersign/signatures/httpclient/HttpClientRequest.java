package dev.countersign.signatures.httpclient;

import dev.countersign.signatures.base.RequestMessage;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.util.List;

/**
 * A request of {@link java.net.http.HttpClient}, presented as the client will write it.
 *
 * <p>Fields that the client adds by itself are not known here and cannot be covered: Host,
 * Content-Length, Connection, and a User-Agent that was not set. The same applies to the cookies
 * that the client's CookieHandler adds, and to the credentials that its Authenticator adds. Cover
 * {@code @authority} instead of {@code host} (RFC 9421 section 2.2.3). {@code @request-target} is
 * the form that is sent to the server itself. To a proxy, the client sends a different form if the
 * connection is not encrypted.
 *
 * <p>The client sends some parts differently from how they were set, or differently over HTTP/1.1
 * and HTTP/2. Reading such a part throws an {@link IllegalArgumentException} that says what to
 * change. {@link HttpRequestSigner} spells the URI so that both HTTP versions send it unchanged.
 */
@SuppressWarnings("exports") // Users of this class have java.net.http; others do not need it.
public final class HttpClientRequest implements RequestMessage {
  private static final String HOST = "host";
  private static final String COOKIE = "cookie";
  private static final String PROXY = "proxy-";

  private final HttpRequest request;

  private HttpClientRequest(HttpRequest request) {
    this.request = request;
  }

  public static HttpClientRequest of(HttpRequest request) {
    return new HttpClientRequest(request);
  }

  @Override
  public String method() {
    return request.method();
  }

  @Override
  public String targetUri() {
    URI sent = SentUri.of(request.uri());
    if (!SentUri.isSentIdentically(request)) {
      throw new IllegalArgumentException(
          "HttpClient spells the URI differently, depending on the HTTP version; use " + sent);
    }
    checkHost(sent.getRawAuthority());
    return sent.toString();
  }

  /**
   * Refuses a Host that differs from the URI's host. Callers can set Host only if a system property
   * of the JDK allows it.
   */
  private void checkHost(String authority) {
    for (String host : request.headers().allValues(HOST)) {
      if (!host.equals(authority)) {
        throw new IllegalArgumentException(
            "the request has a Host that differs from its URI; do not set Host");
      }
    }
  }

  @Override
  public List<String> fieldLines(String lowerCaseName) {
    List<String> lines = request.headers().allValues(lowerCaseName);
    if (!lines.isEmpty() && lowerCaseName.startsWith(PROXY)) {
      throw new IllegalArgumentException(
          "HttpClient sends " + lowerCaseName + " only to proxies, so it cannot be covered");
    }
    // RFC 6265 section 5.4: over HTTP/1.1 the client joins the lines of Cookie into one line.
    if (lines.size() > 1 && lowerCaseName.equals(COOKIE)) {
      throw new IllegalArgumentException("HttpClient joins the lines of Cookie; set it once");
    }
    for (String line : lines) {
      if (!line.chars().allMatch(c -> c < 0x80)) {
        throw new IllegalArgumentException(
            lowerCaseName + " has characters other than ASCII, which HttpClient does not send");
      }
    }
    return lines;
  }

  @Override
  public BodyFraming bodyFraming() {
    return request.bodyPublisher().map(HttpClientRequest::framing).orElse(BodyFraming.NONE);
  }

  private static BodyFraming framing(BodyPublisher publisher) {
    long length = publisher.contentLength();
    if (length < 0) {
      return BodyFraming.UNKNOWN;
    }
    return length == 0 ? BodyFraming.NONE : BodyFraming.PRESENT;
  }
}
