package dev.countersign.client.rotation;

import java.net.URI;
import java.util.Locale;

/**
 * The base address of the service, checked before a key is generated: an http or https URI (RFC
 * 9110 section 4.2) with a host and optionally a path, without user, query and fragment.
 */
record ServiceBase(URI uri) {
  private static final int HIGHEST_PORT = 65_535;

  ServiceBase {
    if (!isHttp(uri) || uri.getHost() == null || uri.getPort() > HIGHEST_PORT || hasMore(uri)) {
      throw new IllegalArgumentException(
          "the base must be http(s)://host…, without user, query and fragment, was " + shown(uri));
    }
  }

  private static boolean isHttp(URI uri) {
    String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
    return scheme.equals("http") || scheme.equals("https");
  }

  private static boolean hasMore(URI uri) {
    return uri.getRawUserInfo() != null
        || uri.getRawQuery() != null
        || uri.getRawFragment() != null;
  }

  /** The address without its user and query, which may be secret. */
  private static String shown(URI uri) {
    return uri.toASCIIString().replaceFirst("[?#].*", "?…").replaceFirst(".*@", "…@");
  }

  /** Resolves a path under the base. */
  URI resolve(String path) {
    return URI.create(uri.toString().replaceFirst("/+$", "") + path);
  }
}
