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
 * Content-Length, Connection, a User-Agent that was not set, and any changes by its CookieHandler
 * and Authenticator to Cookie and Authorization. Cover {@code @authority} instead of {@code host}
 * (RFC 9421 section 2.2.3). {@code @request-target} is the form sent to the server itself; over a
 * plain connection to a proxy the client sends a different one.
 *
 * <p>If the client would send a part differently from how it was set, or differently over HTTP/1.1
 * and HTTP/2, reading that part throws an {@link IllegalArgumentException} that says what to
 * change. {@link HttpRequestSigner} spells the URI so that this does not happen.
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
    if (!SentUri.isSentAlike(request)) {
      throw new IllegalArgumentException(
          "HttpClient spells the URI differently, depending on the HTTP version; use " + sent);
    }
    checkHost(sent.getRawAuthority());
    return sent.toString();
  }

  /**
   * Refuses a Host that was set by hand, which takes a system property, and differs from the URI's.
   */
  private void checkHost(String authority) {
    for (String host : request.headers().allValues(HOST)) {
      if (!host.equals(authority)) {
        throw new IllegalArgumentException(
            "the request has a Host other than its URI's; leave Host to HttpClient");
      }
    }
  }

  @Override
  public List<String> fieldLines(String lowerCaseName) {
    List<String> lines = request.headers().allValues(lowerCaseName);
    // RFC 6265 section 5.4: over HTTP/1.1 the client joins them into one line.
    if (!lines.isEmpty() && lowerCaseName.startsWith(PROXY)) {
      throw new IllegalArgumentException(
          "HttpClient sends " + lowerCaseName + " only to proxies, so it cannot be covered");
    }
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
