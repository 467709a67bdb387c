package dev.countersign.client;

import dev.countersign.protocol.PlainText;
import java.net.URI;
import java.util.Locale;

/**
 * Scheme, host and port of a URI (RFC 6454 section 4), which identify the server behind it.
 *
 * @param port the scheme's default if the URI has none
 */
record Origin(String scheme, String host, int port) {

  /**
   * The origin of a URI.
   *
   * @throws IllegalArgumentException unless it is an absolute http or https URI with a host
   */
  static Origin of(URI uri) {
    String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
    if (uri.getHost() == null || !(scheme.equals("http") || scheme.equals("https"))) {
      throw new IllegalArgumentException("the address must be http(s)://host…, was " + shown(uri));
    }
    int standard = scheme.equals("https") ? 443 : 80;
    int port = uri.getPort() < 0 ? standard : uri.getPort();
    return new Origin(scheme, uri.getHost().toLowerCase(Locale.ROOT), port);
  }

  /** The address for messages, without user, query and fragment, which may hold secrets. */
  static String shown(URI uri) {
    if (uri.getHost() == null) {
      String text = uri.toString();
      return PlainText.line(text.substring(text.lastIndexOf('@') + 1).replaceFirst("[?#].*", ""));
    }
    String port = uri.getPort() < 0 ? "" : ":" + uri.getPort();
    return PlainText.line(uri.getScheme() + "://" + uri.getHost() + port + uri.getRawPath());
  }

  @Override
  public String toString() {
    return scheme + "://" + host + ':' + port;
  }
}
