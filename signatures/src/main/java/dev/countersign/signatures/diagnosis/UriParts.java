package dev.countersign.signatures.diagnosis;

import java.util.Locale;
import java.util.Optional;

/**
 * A URI split into the parts of RFC 3986 section 3, each as written. A path, with or without a
 * query, counts as a URI without scheme and authority.
 *
 * @param query the query with its question mark, or empty
 * @param fragment the fragment with its number sign, or empty
 */
record UriParts(String scheme, String authority, String path, String query, String fragment) {

  /** The parts; empty if the text begins with neither {@code scheme://} nor a path. */
  static Optional<UriParts> of(String uri) {
    int schemeEnd = uri.indexOf("://");
    if (!uri.startsWith("/") && (schemeEnd < 1 || !isScheme(uri.substring(0, schemeEnd)))) {
      return Optional.empty();
    }
    int authority = uri.startsWith("/") ? 0 : schemeEnd + 3;
    int path = uri.startsWith("/") ? 0 : firstOf("/?#", uri, authority);
    int query = firstOf("?#", uri, path);
    int fragment = firstOf("#", uri, query);
    return Optional.of(
        new UriParts(
            uri.startsWith("/") ? "" : uri.substring(0, schemeEnd),
            uri.substring(authority, path),
            uri.substring(path, query),
            uri.substring(query, fragment),
            uri.substring(fragment)));
  }

  private static boolean isScheme(String text) {
    return text.chars().allMatch(c -> Character.isLetterOrDigit(c) || "+-.".indexOf(c) >= 0);
  }

  private static int firstOf(String ends, String uri, int start) {
    int i = start;
    while (i < uri.length() && ends.indexOf(uri.charAt(i)) < 0) {
      i++;
    }
    return i;
  }

  /** The parts of an authority (RFC 3986 section 3.2), each with its separator. */
  record Authority(String userInfo, String host, String port) {

    static Authority of(String text) {
      int host = text.lastIndexOf('@') + 1;
      // The colons of an IPv6 address are inside its brackets.
      int colon = text.indexOf(':', Math.max(host, text.lastIndexOf(']')));
      int port = colon < 0 ? text.length() : colon;
      return new Authority(
          text.substring(0, host), text.substring(host, port), text.substring(port));
    }

    /**
     * Returns whether the port is the scheme's default port. If the scheme is unknown, the default
     * ports of http and https both count (RFC 9110 sections 4.2.1 and 4.2.2).
     */
    boolean hasDefaultPort(String scheme) {
      return switch (scheme.toLowerCase(Locale.ROOT)) {
        case "https" -> port.equals(":443");
        case "http" -> port.equals(":80");
        default -> port.equals(":443") || port.equals(":80");
      };
    }
  }
}
