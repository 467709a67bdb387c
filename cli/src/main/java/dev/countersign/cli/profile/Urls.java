package dev.countersign.cli.profile;

import dev.countersign.cli.terminal.CliException;
import dev.countersign.protocol.BaseUrl;
import dev.countersign.protocol.HostName;
import java.net.URI;
import java.util.Locale;
import java.util.Optional;

/** Parses URLs as people type them. */
public final class Urls {
  private Urls() {}

  static boolean isAbsolute(String url) {
    String lower = url.toLowerCase(Locale.ROOT);
    return lower.startsWith("http://") || lower.startsWith("https://");
  }

  /** Parses an http or https URL with a host; any other text is a usage error. */
  public static URI absolute(String url) {
    requireHostName(url);
    try {
      URI uri = URI.create(url);
      if (isAbsolute(url) && uri.getHost() != null) {
        return uri;
      }
      Optional<String> problem = isAbsolute(url) ? HostName.problem(uri) : Optional.empty();
      if (problem.isPresent()) {
        throw unusable(url, problem.get());
      }
    } catch (IllegalArgumentException malformed) {
      throw CliException.usage(
          "'" + url + "' is not a URL: " + malformed.getMessage() + "; percent-encode it");
    }
    throw CliException.usage("'" + url + "' is not a URL such as https://api.example.com");
  }

  /** Refuses a bad host in any URL, even in one that {@link URI} cannot parse. */
  private static void requireHostName(String url) {
    if (!isAbsolute(url)) {
      return;
    }
    String authority = url.split("://", 2)[1].split("[/?#]", 2)[0];
    if (authority.indexOf('@') >= 0) {
      throw CliException.usage("a URL must not contain a user or a password; remove it");
    }
    if (!authority.isEmpty()) {
      HostName.problem(authority)
          .ifPresent(
              problem -> {
                throw unusable(url, problem);
              });
    }
  }

  private static CliException unusable(String url, String problem) {
    return CliException.usage("'" + url + "' cannot be called: " + problem);
  }

  /** Parses a base URL; any other text is a usage error. */
  public static BaseUrl base(String url) {
    try {
      return new BaseUrl(absolute(url));
    } catch (IllegalArgumentException refused) {
      throw CliException.usage(String.valueOf(refused.getMessage()));
    }
  }

  /** Resolves a path, which may have a query, below a base URL. */
  static URI under(BaseUrl base, String path) {
    String rooted = path.startsWith("/") ? path : "/" + path;
    try {
      return base.resolve(rooted);
    } catch (IllegalArgumentException malformed) {
      throw CliException.usage(
          "'" + path + "' is not a path: " + malformed.getMessage() + "; percent-encode it");
    }
  }

  /** Scheme, host and port (RFC 6454 section 4); a default port is left out. */
  static URI origin(URI url) {
    String scheme = url.getScheme().toLowerCase(Locale.ROOT);
    boolean isDefault = url.getPort() == (scheme.equals("https") ? 443 : 80);
    String port = url.getPort() < 0 || isDefault ? "" : ":" + url.getPort();
    return URI.create(scheme + "://" + url.getHost().toLowerCase(Locale.ROOT) + port);
  }
}
