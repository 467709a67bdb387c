package dev.countersign.signatures.base;

/**
 * The parts of an absolute URI, never decoded (RFC 3986 appendix B; RFC 9421 section 2.2). A part
 * is normalized only on request.
 *
 * @param authority host and port as spelled
 * @param path the path as spelled, possibly empty
 * @param query the query with its question mark, or empty if there is none
 */
record TargetUri(String scheme, String authority, String path, String query) {

  /**
   * Splits an absolute URI into its parts.
   *
   * @throws IllegalArgumentException when the text does not begin with a scheme and an authority,
   *     or has a fragment
   */
  static TargetUri of(String uri) {
    int slashes = uri.indexOf("://");
    if (slashes <= 0 || !isScheme(uri, slashes)) {
      throw new IllegalArgumentException("the target URI must be absolute: https://…");
    }
    // RFC 9110 section 7.1: a fragment is never sent. If it were dropped here, the signature would
    // not cover the text after the #, but a server could still read it.
    if (uri.indexOf('#') >= 0) {
      throw new IllegalArgumentException("the target URI must have no fragment");
    }
    int end = uri.length();
    int question = indexOrEnd(uri, '?', slashes, end);
    int path = indexOrEnd(uri, '/', slashes + 3, question);
    return new TargetUri(
        lowerCase(uri.substring(0, slashes)),
        uri.substring(slashes + 3, path),
        uri.substring(path, question),
        uri.substring(question, end));
  }

  /**
   * Returns whether the text before an index is a scheme (RFC 3986 section 3.1). Without this
   * check, the slashes could be part of a query, as in /login?to=https://…
   */
  private static boolean isScheme(String uri, int end) {
    for (int i = 0; i < end; i++) {
      char c = uri.charAt(i);
      boolean letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
      boolean inside = (c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.';
      if (!letter && (i == 0 || !inside)) {
        return false;
      }
    }
    return true;
  }

  private static int indexOrEnd(String uri, char c, int start, int end) {
    int index = uri.indexOf(c, start);
    return index < 0 || index > end ? end : index;
  }

  /** Changes only ASCII letters: the Kelvin sign, for example, must not become an ASCII letter. */
  private static String lowerCase(String text) {
    StringBuilder lower = new StringBuilder(text.length());
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      lower.append(c >= 'A' && c <= 'Z' ? (char) (c + ('a' - 'A')) : c);
    }
    return lower.toString();
  }

  /**
   * Host and port, with the host in lower case and the scheme's default port omitted (RFC 9421
   * section 2.2.3, RFC 9110 section 4.2.3).
   *
   * @throws IllegalArgumentException when the authority is empty or has user information
   */
  String normalAuthority() {
    // RFC 9110 section 4.2.4: an HTTP message must not have user information before the host.
    if (authority.isEmpty() || authority.startsWith(":") || authority.indexOf('@') >= 0) {
      throw new IllegalArgumentException("the target URI needs a host and no user information");
    }
    String normal = lowerCase(authority);
    int colon = normal.lastIndexOf(':');
    // The colons of an IPv6 address are inside its brackets.
    if (colon < 0 || colon < normal.indexOf(']')) {
      return normal;
    }
    String port = normal.substring(colon + 1);
    return port.isEmpty() || port.equals(defaultPort()) ? normal.substring(0, colon) : normal;
  }

  private String defaultPort() {
    return scheme.equals("https") ? "443" : scheme.equals("http") ? "80" : "";
  }

  /** The path, or a slash if it is empty (RFC 9421 section 2.2.6). */
  String normalPath() {
    return path.isEmpty() ? "/" : path;
  }

  /**
   * The query with its question mark, or only a question mark if there is no query (section 2.2.7).
   */
  String normalQuery() {
    return query.isEmpty() ? "?" : query;
  }

  /** Path and query as in a request line (RFC 9112 section 3.2.1). */
  String originForm() {
    return normalPath() + query;
  }
}
