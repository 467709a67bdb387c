package dev.countersign.protocol;

import java.net.URI;
import java.util.Locale;

/**
 * The base URL of a service: an http or https URI (RFC 9110 section 4.2) with a host and optionally
 * a path, but without a user, query or fragment. All targets have the same origin as the base.
 */
public record BaseUrl(URI uri) {
  /**
   * Checks the URL.
   *
   * @throws IllegalArgumentException if the URI is not a base URL
   */
  public BaseUrl {
    requireHostName(uri);
    if (!isHttp(uri) || uri.getHost() == null) {
      throw new IllegalArgumentException("the base must be http(s)://host…, was " + printable(uri));
    }
    if (hasUserQueryOrFragment(uri)) {
      throw new IllegalArgumentException(
          "the base must have no user, query or fragment; without them it is " + printable(uri));
    }
  }

  /**
   * Resolves a target: an absolute URL, or a path and query below the base.
   *
   * @throws IllegalArgumentException if the target has another origin or a fragment, or is not an
   *     address
   */
  public URI resolve(String target) {
    boolean absolute = target.matches("(?i)[a-z][a-z0-9+.-]*://.*");
    URI resolved = URI.create(absolute ? target : append(target));
    requireSameOrigin(resolved);
    // RFC 9110 section 7.1: a fragment is never sent, so a part of the target would be lost.
    if (resolved.getRawFragment() != null) {
      throw new IllegalArgumentException(
          "a target must have no fragment; if the # is part of the path or query, write %23");
    }
    return resolved;
  }

  private String append(String target) {
    String stem = uri.toString().replaceFirst("/+$", "");
    return target.isEmpty() || target.startsWith("/") || target.startsWith("?")
        ? stem + target
        : stem + '/' + target;
  }

  /**
   * Checks that an address has the origin of the base, and no user.
   *
   * @throws IllegalArgumentException if the address has another origin or a user
   */
  public void requireSameOrigin(URI address) {
    Origin origin = Origin.of(uri);
    if (address.getRawUserInfo() != null || !Origin.of(address).equals(origin)) {
      throw new IllegalArgumentException(
          "signed requests go only to the service: the address must begin with "
              + origin
              + " and contain no user, was "
              + printable(address));
    }
  }

  /**
   * Returns whether others can read the requests on their way, because they go to another machine
   * over http.
   */
  public boolean exposesRequests() {
    String host = uri.getHost().toLowerCase(Locale.ROOT);
    boolean isThisMachine = host.matches("localhost|127(\\.[0-9]+){3}|\\[::1]");
    return uri.getScheme().equalsIgnoreCase("http") && !isThisMachine;
  }

  /** Returns whether two http or https addresses have the same scheme, host and port. */
  public static boolean isSameOrigin(URI one, URI other) {
    return Origin.of(one).equals(Origin.of(other));
  }

  private static void requireHostName(URI uri) {
    HostName.problem(uri)
        .ifPresent(
            problem -> {
              throw new IllegalArgumentException(problem);
            });
  }

  private static boolean isHttp(URI uri) {
    String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
    return scheme.equals("http") || scheme.equals("https");
  }

  private static boolean hasUserQueryOrFragment(URI uri) {
    return uri.getRawUserInfo() != null
        || uri.getRawQuery() != null
        || uri.getRawFragment() != null;
  }

  /** Returns the address for messages, without its user, query and fragment: they may be secret. */
  private static String printable(URI uri) {
    if (uri.getHost() == null) {
      String[] parts = uri.toString().split("[?#]", 2);
      String address = parts[0];
      // Without a host, a question mark before an @ may begin a query or be part of a password.
      return parts.length > 1 && parts[1].contains("@")
          ? "an address without a host"
          : PlainText.line(address.substring(address.lastIndexOf('@') + 1));
    }
    String port = uri.getPort() < 0 ? "" : ":" + uri.getPort();
    return PlainText.line(uri.getScheme() + "://" + uri.getHost() + port + uri.getRawPath());
  }

  @Override
  public String toString() {
    return uri.toString();
  }

  /** Scheme, host and port (RFC 6454 section 4); without a port, the default of the scheme. */
  private record Origin(String scheme, String host, int port) {

    /**
     * Returns the origin of an address.
     *
     * @throws IllegalArgumentException if the address is not an absolute http or https URI with a
     *     host
     */
    static Origin of(URI uri) {
      requireHostName(uri);
      if (uri.getHost() == null || !isHttp(uri)) {
        throw new IllegalArgumentException(
            "the address must be http(s)://host…, was " + printable(uri));
      }
      String scheme = uri.getScheme().toLowerCase(Locale.ROOT);
      int defaultPort = scheme.equals("https") ? 443 : 80;
      int port = uri.getPort() < 0 ? defaultPort : uri.getPort();
      return new Origin(scheme, uri.getHost().toLowerCase(Locale.ROOT), port);
    }

    @Override
    public String toString() {
      return scheme + "://" + host + ':' + port;
    }
  }
}
