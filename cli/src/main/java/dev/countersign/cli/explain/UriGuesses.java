package dev.countersign.cli.explain;

import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Generates candidates for the target URI that was signed, if it is not the one that arrived. A
 * proxy may change the scheme, host and port, and the spelling of path and query (RFC 9421 section
 * 2.2.2).
 *
 * @param whole complete URLs that the caller may have signed
 * @param hosts further hosts to try, each optionally with a port
 * @param prefixes paths that a proxy may have removed
 */
record UriGuesses(Set<String> whole, Set<String> hosts, Set<String> prefixes) {
  private static final Pattern PARTS =
      Pattern.compile("([A-Za-z][A-Za-z0-9+.-]*)://([^/?#]*)([^?#]*)(\\?[^#]*)?");
  private static final int MAX_PERMUTED_PARAMETERS = 5;
  private static final int MAX_PARAMETERS = 50;
  private static final int MAX_URI_LENGTH = 16_000;
  // Limits the guesses, because a file may have any number of headers and slashes.
  private static final int MAX_OF_A_KIND = 8;

  UriGuesses {
    whole = Set.copyOf(whole);
    hosts = limited(hosts);
    prefixes = limited(prefixes);
  }

  private static Set<String> limited(Set<String> all) {
    return all.stream().limit(MAX_OF_A_KIND).collect(Collectors.toCollection(LinkedHashSet::new));
  }

  /**
   * URIs other than this one, computed on demand: first those with one change, then those with
   * several changes.
   */
  Stream<String> of(String uri) {
    return Stream.concat(withOneChange(uri), Stream.of(uri).flatMap(this::combined))
        .filter(guess -> !guess.equals(uri));
  }

  /** The complete URLs, and the URIs that differ from this one in one part. */
  Stream<String> withOneChange(String uri) {
    List<Set<String>> axes = axes(uri);
    List<String> own = axes.stream().map(axis -> axis.iterator().next()).toList();
    Set<String> guesses = new LinkedHashSet<>(whole);
    for (int axis = 0; axis < own.size(); axis++) {
      for (String value : axes.get(axis)) {
        List<String> changed = new ArrayList<>(own);
        changed.set(axis, value);
        guesses.add(join(changed));
      }
    }
    guesses.remove(uri);
    return guesses.stream();
  }

  /** All combinations of the values of each part. */
  private Stream<String> combined(String uri) {
    Stream<List<String>> combinations = Stream.of(List.of());
    List<Set<String>> axes = axes(uri);
    for (Set<String> axis : axes) {
      combinations = combinations.flatMap(parts -> axis.stream().map(value -> with(parts, value)));
    }
    return axes.isEmpty() ? Stream.empty() : combinations.map(UriGuesses::join);
  }

  private static List<String> with(List<String> parts, String value) {
    List<String> more = new ArrayList<>(parts);
    more.add(value);
    return more;
  }

  /**
   * The alternatives for scheme, authority, path and query, each beginning with the actual value.
   */
  private List<Set<String>> axes(String uri) {
    Matcher parts = PARTS.matcher(uri);
    return uri.length() <= MAX_URI_LENGTH && parts.matches()
        ? List.of(
            beginningWith(parts.group(1), Set.of("http", "https")),
            beginningWith(parts.group(2), authorities(parts.group(2))),
            beginningWith(parts.group(3), paths(parts.group(3))),
            beginningWith(query(parts), queries(query(parts))))
        : List.of();
  }

  private static String query(Matcher parts) {
    return parts.group(4) == null ? "" : parts.group(4);
  }

  private static String join(List<String> parts) {
    return parts.get(0) + "://" + String.join("", parts.subList(1, parts.size()));
  }

  private static Set<String> beginningWith(String own, Set<String> others) {
    Set<String> all = new LinkedHashSet<>();
    all.add(own);
    all.addAll(others);
    return all;
  }

  private Set<String> authorities(String authority) {
    Set<String> all = new LinkedHashSet<>();
    Set<String> names = beginningWith(authority, hosts);
    names.add("localhost");
    names.add("127.0.0.1");
    Matcher port = Pattern.compile(":[0-9]*$").matcher(authority);
    String ownPort = port.find() ? port.group() : "";
    for (String name : names) {
      String host = name.replaceFirst(":[0-9]*$", "");
      all.addAll(List.of(name, host, host + ownPort, host + ":443", host + ":80"));
      all.add(name.toLowerCase(Locale.ROOT));
    }
    return all;
  }

  private Set<String> paths(String path) {
    Set<String> all = new LinkedHashSet<>();
    all.add(path.endsWith("/") ? path.substring(0, path.length() - 1) : path + "/");
    all.add(path.replaceAll("/{2,}", "/"));
    all.add(resolved(path));
    all.addAll(Spellings.of(path, "/"));
    prefixes.forEach(prefix -> all.add(prefix + path));
    int next = path.indexOf('/', 1);
    for (int stripped = 0; next > 0 && stripped < MAX_OF_A_KIND; stripped++) {
      all.add(path.substring(next));
      next = path.indexOf('/', next + 1);
    }
    return all;
  }

  /** Removes dot segments (RFC 3986 section 5.2.4) and repeated slashes. */
  private static String resolved(String path) {
    try {
      return String.valueOf(URI.create(path.replaceAll("/{2,}", "/")).normalize().getRawPath());
    } catch (IllegalArgumentException unusual) {
      return path;
    }
  }

  private static Set<String> queries(String query) {
    if (query.length() < 2) {
      return Set.of("", "?");
    }
    String text = query.substring(1);
    Set<String> all = new LinkedHashSet<>();
    Spellings.of(text, "&=").forEach(spelling -> all.add("?" + spelling));
    List<String> parameters = Arrays.asList(text.split("&", -1));
    for (List<String> order : orders(parameters)) {
      all.add("?" + String.join("&", order));
    }
    all.add("");
    boolean canOmitOne = parameters.size() > 1 && parameters.size() <= MAX_PARAMETERS;
    for (int i = 0; canOmitOne && i < parameters.size(); i++) {
      List<String> fewer = new ArrayList<>(parameters);
      fewer.remove(i);
      all.add("?" + String.join("&", fewer));
    }
    return all;
  }

  private static List<List<String>> orders(List<String> parameters) {
    if (parameters.size() <= MAX_PERMUTED_PARAMETERS) {
      return Orders.of(parameters);
    }
    List<String> reversed = new ArrayList<>(parameters);
    Collections.reverse(reversed);
    return List.of(parameters.stream().sorted().toList(), reversed);
  }
}
