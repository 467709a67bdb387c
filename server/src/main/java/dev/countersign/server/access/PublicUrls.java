package dev.countersign.server.access;

import dev.countersign.protocol.Reason;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Where the service is reached from outside: what turns a request into the URL that its caller
 * signed (RFC 9421 section 2.2.2).
 */
public final class PublicUrls {
  /** By the spellings of the Host header that lead to each, in lower case. */
  private final Map<String, Base> byHost;

  private PublicUrls(Map<String, Base> byHost) {
    this.byHost = byHost;
  }

  /**
   * Reads the setting {@code public-urls}.
   *
   * @throws IllegalArgumentException when one is no absolute http or https URL, or two share a host
   */
  public static PublicUrls of(List<URI> urls) {
    Map<String, Base> byHost = new HashMap<>();
    for (URI url : urls) {
      String scheme = String.valueOf(url.getScheme()).toLowerCase(Locale.ROOT);
      if (!(scheme.equals("https") || scheme.equals("http"))
          || url.getHost() == null
          || url.getRawQuery() != null
          || url.getRawFragment() != null
          || url.getRawUserInfo() != null) {
        throw new IllegalArgumentException(
            "public-urls: " + url + " must be http(s)://host[:port][/prefix] and nothing more");
      }
      String path = url.getRawPath() == null ? "" : url.getRawPath();
      Base base =
          new Base(url, scheme, path.endsWith("/") ? path.substring(0, path.length() - 1) : path);
      for (String host : spellings(url, scheme)) {
        if (byHost.put(host, base) != null) {
          throw new IllegalArgumentException(
              "public-urls: two of them have the host " + host + "; a request could mean either");
        }
      }
    }
    return new PublicUrls(byHost);
  }

  /** All of the setting's, in no order; empty where any URL will do. */
  public Set<URI> all() {
    return byHost.values().stream().map(Base::url).collect(Collectors.toUnmodifiableSet());
  }

  /**
   * The URL that a caller has used.
   *
   * @param host the Host header as the caller spelled it
   */
  public Optional<URI> find(String host) {
    return Optional.ofNullable(byHost.get(host.toLowerCase(Locale.ROOT))).map(Base::url);
  }

  /** The Host headers of a URL: a default port may be written or not (RFC 9110 section 4.2). */
  private static List<String> spellings(URI url, String scheme) {
    String host = url.getHost().toLowerCase(Locale.ROOT);
    int defaultPort = scheme.equals("https") ? 443 : 80;
    if (url.getPort() == -1 || url.getPort() == defaultPort) {
      return List.of(host, host + ":" + defaultPort);
    }
    return List.of(host + ":" + url.getPort());
  }

  /**
   * The target URI of a request.
   *
   * @param scheme of the connection, for a service without the setting
   * @param host the Host header as the caller spelled it
   * @param rawTarget path and query as sent
   * @throws DeniedException {@link Reason#HOST_UNKNOWN} when the host is none of the setting's
   */
  String targetUri(String scheme, String host, String rawTarget) {
    if (byHost.isEmpty()) {
      return scheme + "://" + host + rawTarget;
    }
    Base base = byHost.get(host.toLowerCase(Locale.ROOT));
    if (base == null) {
      throw new DeniedException(
          Reason.HOST_UNKNOWN,
          "the Host header names none of the service's public URLs; call it by one of those");
    }
    return base.scheme + "://" + host + base.prefix + rawTarget;
  }

  /**
   * One public URL.
   *
   * @param url as it is configured
   * @param prefix the path before the service's own, without a slash at its end; a proxy strips it
   */
  private record Base(URI url, String scheme, String prefix) {}
}
