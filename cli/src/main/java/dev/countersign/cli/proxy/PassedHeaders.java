package dev.countersign.cli.proxy;

import dev.countersign.protocol.BaseUrl;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Selects the header fields that pass through the proxy. */
final class PassedHeaders {
  // RFC 9110 section 7.6.1: fields that apply only to one connection. Java's HTTP client writes
  // Host, Expect and Content-Length itself. endToEnd() also removes the fields that Connection
  // lists.
  private static final Set<String> HOP_BY_HOP =
      Set.of(
          "connection",
          "keep-alive",
          "proxy-connection",
          "proxy-authenticate",
          "proxy-authorization",
          "te",
          "trailer",
          "transfer-encoding",
          "upgrade",
          "http2-settings",
          "host",
          "expect",
          "content-length");
  // Signing creates the first four fields anew. The other fields are private: they contain a
  // browser's information about localhost.
  private static final Set<String> REMOVED_FROM_REQUESTS =
      Set.of(
          "signature",
          "signature-input",
          "date",
          "content-digest",
          "origin",
          "referer",
          "cookie",
          "sec-fetch-site",
          "sec-fetch-mode",
          "sec-fetch-dest",
          "sec-fetch-user");

  private static final Pattern LINK_TARGET = Pattern.compile("<([^<>]*)>");

  private static final Pattern DOT_SEGMENT = Pattern.compile("^[^?#]*/\\.\\.?([/?#]|$)");

  private PassedHeaders() {}

  static Map<String, List<String>> ofRequest(Map<String, List<String>> headers) {
    Map<String, List<String>> passed = endToEnd(headers);
    passed.keySet().removeIf(name -> REMOVED_FROM_REQUESTS.contains(lower(name)));
    return passed;
  }

  static Map<String, List<String>> ofResponse(Map<String, List<String>> headers, BaseUrl target) {
    Map<String, List<String>> passed = endToEnd(headers);
    // A browser sends a cookie from localhost to every program on localhost, whatever its port.
    passed.remove("Set-Cookie");
    passed.computeIfPresent(
        "Location",
        (name, values) -> values.stream().map(value -> throughProxy(value, target)).toList());
    passed.computeIfPresent(
        "Link", (name, values) -> values.stream().map(value -> links(value, target)).toList());
    return passed;
  }

  /** RFC 8288 section 3: each target is in angle brackets. */
  private static String links(String field, BaseUrl target) {
    return LINK_TARGET
        .matcher(field)
        .replaceAll(
            link -> Matcher.quoteReplacement("<" + throughProxy(link.group(1), target) + ">"));
  }

  /**
   * Returns an address that leads through the proxy: if it is below the target, its path there. The
   * caller resolves the path against the proxy's address. Without this change, the caller's next
   * request would have no signature, or have the target's path twice. Any other address is returned
   * unchanged.
   */
  private static String throughProxy(String location, BaseUrl target) {
    try {
      // A path that does not begin with a slash leads through the proxy already.
      if (!location.startsWith("/") && !URI.create(location).isAbsolute()) {
        return location;
      }
      URI address = target.uri().resolve(location);
      target.requireSameOrigin(address);
      String base = target.uri().getRawPath().replaceFirst("/+$", "");
      String path = address.toString().replaceFirst("^[^:]+://[^/?#]*/?", "/");
      // A Location that begins with two slashes would name another host (RFC 3986 section 4.2).
      // Dot segments may lead out of the target.
      return path.startsWith(base + "/")
              && !path.startsWith(base + "//")
              && !DOT_SEGMENT.matcher(path).find()
          ? path.substring(base.length())
          : location;
    } catch (IllegalArgumentException elsewhere) {
      return location;
    }
  }

  private static Map<String, List<String>> endToEnd(Map<String, List<String>> headers) {
    Set<String> listed =
        headers.entrySet().stream()
            .filter(header -> lower(header.getKey()).equals("connection"))
            .flatMap(header -> header.getValue().stream())
            .flatMap(value -> List.of(value.split(",")).stream())
            .map(name -> lower(name.strip()))
            .collect(Collectors.toSet());
    Map<String, List<String>> passed = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    headers.forEach(
        (name, values) -> {
          if (!name.startsWith(":")
              && !HOP_BY_HOP.contains(lower(name))
              && !listed.contains(lower(name))) {
            passed.put(name, values);
          }
        });
    return passed;
  }

  private static String lower(String name) {
    return name.toLowerCase(Locale.ROOT);
  }
}
