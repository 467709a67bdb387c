package dev.countersign.cli.captured;

import java.util.Locale;
import java.util.Set;

/**
 * The scheme of a target URI. A request in origin form does not contain the scheme (RFC 9110
 * section 7.1).
 */
public enum Scheme {
  HTTP,
  HTTPS;

  private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");

  /** The likely scheme for a Host header: http for this machine, https for any other host. */
  static Scheme likelyFor(String host) {
    int colon = host.lastIndexOf(':');
    String name = colon > host.lastIndexOf(']') ? host.substring(0, colon) : host;
    return LOOPBACK.contains(name.toLowerCase(Locale.ROOT)) ? HTTP : HTTPS;
  }

  /** The scheme as in a URI: {@code https}. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
