package dev.countersign.signatures.httpclient;

import java.net.URI;
import java.net.http.HttpRequest;
import java.util.Locale;

/**
 * Writes the URI of a request in the form that {@link java.net.http.HttpClient} sends identically
 * over HTTP/1.1 and HTTP/2.
 */
final class SentUri {
  private SentUri() {}

  /**
   * Returns the URI without the parts that are never sent: user information, the scheme's default
   * port, a question mark without a query, the fragment. An empty path becomes a slash, and
   * characters other than ASCII become percent-encoded UTF-8. Existing percent-encoding stays as it
   * is.
   *
   * @throws IllegalArgumentException when it is not an absolute http or https URI with a host
   */
  static URI of(URI uri) {
    String scheme = scheme(uri);
    String path = uri.getRawPath().isEmpty() ? "/" : uri.getRawPath();
    String query = hasQuery(uri) ? '?' + uri.getRawQuery() : "";
    URI sent = URI.create(scheme + "://" + authority(uri, scheme) + path + query);
    return URI.create(sent.toASCIIString());
  }

  /**
   * Returns whether both HTTP versions send a request's URI identically. Over HTTP/1.1, the client
   * omits some of the parts that {@link #of} removes; over HTTP/2, it sends them. The version is
   * not known in advance.
   */
  static boolean isSentIdentically(HttpRequest request) {
    URI uri = request.uri();
    String scheme = scheme(uri);
    return scheme.equals(uri.getScheme())
        && authority(uri, scheme).equals(uri.getRawAuthority())
        && (uri.getRawQuery() == null || hasQuery(uri))
        // RFC 9113 section 8.3.1: over HTTP/2 an OPTIONS without a path is about the whole server.
        && !(uri.getRawPath().isEmpty() && request.method().equalsIgnoreCase("OPTIONS"));
  }

  private static String scheme(URI uri) {
    String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
    if (uri.getHost() == null || !(scheme.equals("http") || scheme.equals("https"))) {
      throw new IllegalArgumentException("the URI must be http(s)://host…, without blanks");
    }
    return scheme;
  }

  private static String authority(URI uri, String scheme) {
    boolean isDefault = uri.getPort() == (scheme.equals("https") ? 443 : 80);
    return uri.getPort() < 0 || isDefault ? uri.getHost() : uri.getHost() + ':' + uri.getPort();
  }

  private static boolean hasQuery(URI uri) {
    return uri.getRawQuery() != null && !uri.getRawQuery().isEmpty();
  }
}
