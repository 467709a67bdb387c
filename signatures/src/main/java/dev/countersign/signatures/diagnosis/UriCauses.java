package dev.countersign.signatures.diagnosis;

import dev.countersign.signatures.diagnosis.UriParts.Authority;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** Finds out why two URIs, or two of their parts, differ (RFC 9421 sections 2.2.2 to 2.2.8). */
final class UriCauses {
  private static final Set<String> HTTP = Set.of("http", "https");

  private static final List<CauseRule> SCHEME =
      List.of(
          new CauseRule(LikelyCause.URI_CASE, String::equalsIgnoreCase),
          new CauseRule(LikelyCause.SCHEME_DIFFERS, (a, b) -> isHttp(a) && isHttp(b)));

  private static final List<CauseRule> PATH =
      Percent.after(
          List.of(
              CauseRule.either(LikelyCause.EMPTY_PATH, (a, b) -> a.isEmpty() && b.equals("/")),
              CauseRule.either(LikelyCause.TRAILING_SLASH, (a, b) -> a.equals(b + "/")),
              CauseRule.same(LikelyCause.PATH_NORMALISED, UriCauses::normalise),
              CauseRule.either(LikelyCause.PATH_PREFIX, UriCauses::hasPrefix)),
          Percent.PATH_RULES);

  private static final List<CauseRule> QUERY =
      Percent.after(
          List.of(
              CauseRule.either(LikelyCause.EMPTY_QUERY, (a, b) -> a.isEmpty() && b.equals("?")),
              // RFC 9421 section 2.2.7: in @query, an absent query is written as a question mark.
              CauseRule.either(
                  LikelyCause.QUERY_MISSING, (a, b) -> a.length() < 2 && b.length() > 1)),
          Percent.after(
              Percent.QUERY_RULES,
              List.of(
                  CauseRule.same(LikelyCause.QUERY_ORDER, UriCauses::sortedParameters),
                  CauseRule.either(
                      LikelyCause.QUERY_PARAMETER_MISSING, UriCauses::hasMoreParameters))));

  private UriCauses() {}

  /** The cause of the first differing part. */
  static Optional<LikelyCause> ofUri(String signed, String rebuilt) {
    Optional<UriParts> a = UriParts.of(signed);
    Optional<UriParts> b = UriParts.of(rebuilt);
    return a.isPresent() && b.isPresent() ? ofParts(a.get(), b.get()) : Optional.empty();
  }

  private static Optional<LikelyCause> ofParts(UriParts a, UriParts b) {
    if (!a.scheme().equals(b.scheme())) {
      return ofScheme(a.scheme(), b.scheme());
    }
    if (!a.authority().equals(b.authority())) {
      return ofAuthority(a.scheme(), a.authority(), b.authority());
    }
    if (!a.path().equals(b.path())) {
      return ofPath(a.path(), b.path());
    }
    if (!a.query().equals(b.query())) {
      return ofQuery(a.query(), b.query());
    }
    return a.fragment().isEmpty() || b.fragment().isEmpty()
        ? Optional.of(LikelyCause.FRAGMENT)
        : Optional.empty();
  }

  static Optional<LikelyCause> ofScheme(String signed, String rebuilt) {
    return CauseRule.first(SCHEME, signed, rebuilt);
  }

  /** Compares authorities. The scheme, empty if unknown, determines the default port. */
  static Optional<LikelyCause> ofAuthority(String scheme, String signed, String rebuilt) {
    Authority a = Authority.of(signed);
    Authority b = Authority.of(rebuilt);
    if (!a.userInfo().equals(b.userInfo())) {
      return a.userInfo().isEmpty() || b.userInfo().isEmpty()
          ? Optional.of(LikelyCause.USER_INFO)
          : Optional.empty();
    }
    if (!a.host().equals(b.host())) {
      return Optional.of(
          a.host().equalsIgnoreCase(b.host())
              ? LikelyCause.URI_CASE
              : LikelyCause.AUTHORITY_DIFFERS);
    }
    boolean isDefault =
        (a.port().isEmpty() && b.hasDefaultPort(scheme))
            || (b.port().isEmpty() && a.hasDefaultPort(scheme));
    return Optional.of(isDefault ? LikelyCause.DEFAULT_PORT : LikelyCause.PORT_DIFFERS);
  }

  static Optional<LikelyCause> ofPath(String signed, String rebuilt) {
    return CauseRule.first(PATH, signed, rebuilt);
  }

  static Optional<LikelyCause> ofQuery(String signed, String rebuilt) {
    return CauseRule.first(QUERY, signed, rebuilt);
  }

  private static boolean isHttp(String scheme) {
    return HTTP.contains(scheme.toLowerCase(Locale.ROOT));
  }

  /**
   * Resolves dot segments (RFC 3986 section 5.2.4), and removes empty segments as many proxies do.
   */
  private static String normalise(String path) {
    Deque<String> segments = new ArrayDeque<>();
    for (String segment : path.split("/", -1)) {
      if (segment.equals("..")) {
        segments.pollLast();
      } else if (!segment.isEmpty() && !segment.equals(".")) {
        segments.addLast(segment);
      }
    }
    // The slash before a final dot segment remains.
    boolean endsWithSlash = path.endsWith("/") || path.endsWith("/.") || path.endsWith("/..");
    return String.join("/", segments) + (endsWithSlash ? "/" : "");
  }

  /** Returns whether the longer path ends with the shorter path, at a segment boundary. */
  private static boolean hasPrefix(String longer, String shorter) {
    return shorter.length() > 1 && shorter.startsWith("/") && longer.endsWith(shorter);
  }

  private static List<String> sortedParameters(String query) {
    return Arrays.stream(parameters(query)).sorted().toList();
  }

  private static String[] parameters(String query) {
    return query.substring(query.startsWith("?") ? 1 : 0).split("&", -1);
  }

  /**
   * Returns whether the longer query has all parameters of the shorter query, in the same order,
   * and more.
   */
  private static boolean hasMoreParameters(String longer, String shorter) {
    String[] all = parameters(longer);
    String[] wanted = parameters(shorter);
    int found = 0;
    for (String parameter : all) {
      if (found < wanted.length && parameter.equals(wanted[found])) {
        found++;
      }
    }
    return all.length > wanted.length && found == wanted.length;
  }
}
