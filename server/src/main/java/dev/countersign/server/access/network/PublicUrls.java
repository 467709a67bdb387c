package dev.countersign.server.access.network;

import dev.countersign.protocol.HostName;
import dev.countersign.protocol.PlainText;
import dev.countersign.protocol.Reason;
import dev.countersign.server.access.outcome.DeniedException;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * The public URLs of the service. With them, the service reconstructs the URL that the caller of a
 * request signed (RFC 9421 section 2.2.2).
 */
public final class PublicUrls {
  /** Maps each Host header that belongs to a public URL, in lower case, to this URL. */
  private final Map<String, Base> byHost;

  private PublicUrls(Map<String, Base> byHost) {
    this.byHost = byHost;
  }

  /**
   * Reads the setting {@code public-urls}.
   *
   * @throws IllegalArgumentException if a URL is not an absolute http or https URL, or two URLs
   *     share a host
   */
  public static PublicUrls of(List<URI> urls) {
    Map<String, Base> byHost = new HashMap<>();
    for (URI url : urls) {
      HostName.problem(url)
          .ifPresent(
              problem -> {
                throw new IllegalArgumentException("public-urls: " + problem);
              });
      String scheme = String.valueOf(url.getScheme()).toLowerCase(Locale.ROOT);
      if (!(scheme.equals("https") || scheme.equals("http"))
          || url.getHost() == null
          || url.getRawQuery() != null
          || url.getRawFragment() != null
          || url.getRawUserInfo() != null) {
        throw new IllegalArgumentException(
            "public-urls: "
                + PlainText.url(url)
                + " must be http(s)://host[:port][/prefix] without user, query or fragment");
      }
      String path = url.getRawPath() == null ? "" : url.getRawPath();
      Base base =
          new Base(url, scheme, path.endsWith("/") ? path.substring(0, path.length() - 1) : path);
      for (String host : spellings(url, scheme)) {
        if (byHost.put(host, base) != null) {
          throw new IllegalArgumentException(
              "public-urls: two URLs have the host "
                  + host
                  + "; remove one, because a request could be meant for either");
        }
      }
    }
    return new PublicUrls(byHost);
  }

  /** Returns the configured URLs, in no particular order; empty if none is configured. */
  public Set<URI> all() {
    return byHost.values().stream().map(Base::url).collect(Collectors.toUnmodifiableSet());
  }

  /**
   * Returns the public URL that a caller used.
   *
   * @param host the Host header as the caller spelled it
   */
  public Optional<URI> find(String host) {
    return Optional.ofNullable(byHost.get(host.toLowerCase(Locale.ROOT))).map(Base::url);
  }

  /**
   * Returns the spellings of the Host header for a URL. A default port may be omitted (RFC 9110
   * section 4.2).
   */
  private static List<String> spellings(URI url, String scheme) {
    String host = url.getHost().toLowerCase(Locale.ROOT);
    int defaultPort = scheme.equals("https") ? 443 : 80;
    if (url.getPort() == -1 || url.getPort() == defaultPort) {
      return List.of(host, host + ":" + defaultPort);
    }
    return List.of(host + ":" + url.getPort());
  }

  /**
   * Returns the target URI of a request.
   *
   * @param scheme gives the scheme that the caller used; asked only if no public URL is configured
   * @param host the Host header as the caller spelled it
   * @param rawTarget the path and query as sent
   * @throws DeniedException {@link Reason#HOST_UNKNOWN} if no configured URL has this host
   */
  public String targetUri(Supplier<String> scheme, String host, String rawTarget) {
    if (byHost.isEmpty()) {
      return scheme.get() + "://" + host + rawTarget;
    }
    Base base = byHost.get(host.toLowerCase(Locale.ROOT));
    if (base == null) {
      throw new DeniedException(
          Reason.HOST_UNKNOWN,
          "the Host header does not belong to any public URL of the service; call the service by"
              + " one of its public URLs");
    }
    return base.scheme + "://" + host + base.prefix + rawTarget;
  }

  /**
   * A public URL.
   *
   * @param url the configured URL
   * @param prefix the path before the service's own paths, without a trailing slash. A proxy strips
   *     this path
   */
  private record Base(URI url, String scheme, String prefix) {}
}
