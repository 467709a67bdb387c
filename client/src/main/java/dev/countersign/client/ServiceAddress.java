package dev.countersign.client;

import java.net.URI;

/**
 * The base address of the service, and the rule for which addresses belong to it.
 *
 * @param base scheme, host and port, optionally with a path that all targets are under
 */
record ServiceAddress(URI base) {
  ServiceAddress {
    Origin.of(base);
    if (base.getRawQuery() != null
        || base.getRawFragment() != null
        || base.getRawUserInfo() != null) {
      throw new IllegalArgumentException(
          "the base must have no user, query or fragment; without them it is "
              + Origin.shown(base));
    }
  }

  /**
   * Resolves a target, which is absolute or under the base.
   *
   * @throws IllegalArgumentException for an address of another origin, and for text that is not an
   *     address
   */
  URI resolve(String target) {
    boolean absolute = target.matches("(?i)[a-z][a-z0-9+.-]*://.*");
    URI uri = URI.create(absolute ? target : joined(target));
    requireOwn(uri);
    return uri;
  }

  private String joined(String target) {
    String text = base.toString();
    String stem = text.endsWith("/") ? text.substring(0, text.length() - 1) : text;
    return target.isEmpty() || target.startsWith("/") || target.startsWith("?")
        ? stem + target
        : stem + '/' + target;
  }

  /**
   * Rejects addresses of other origins.
   *
   * @throws IllegalArgumentException for an address of another origin
   */
  void requireOwn(URI uri) {
    Origin own = Origin.of(base);
    if (uri.getRawUserInfo() != null || !Origin.of(uri).equals(own)) {
      throw new IllegalArgumentException(
          "a signed request goes to the service alone: the address must begin with "
              + own
              + " and name no user, was "
              + Origin.shown(uri));
    }
  }
}
