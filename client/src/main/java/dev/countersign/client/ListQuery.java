package dev.countersign.client;

import dev.countersign.pagination.Sort;
import dev.countersign.protocol.PlainText;
import java.net.URI;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The URL of a list, split into its paging parameters and the rest, which is kept as written, and
 * the filters that the caller adds.
 *
 * @param path the URL without its query
 * @param rest all parameters except those for paging, still percent-encoded, in the original order
 * @param filters the parameters of the added filters, percent-encoded
 * @param sorts the sort parameters, still percent-encoded
 * @param size the size parameter, or 0 if there is none
 * @param start where the walk begins
 * @param wantsTotals whether the service is to count the list for the first page
 */
record ListQuery(
    String path,
    List<String> rest,
    List<String> filters,
    List<String> sorts,
    int size,
    Start start,
    boolean wantsTotals) {
  /** The largest page size that the interface allows; it needs the fewest requests. */
  static final int MAX_SIZE = 100;

  /** The parameters that choose and order a page. None of them can be the name of a field. */
  static final Set<String> PAGING = Set.of("page", "size", "offset", "sort", "after", "totals");

  /**
   * The beginning of a walk.
   *
   * @param page the page parameter, or 0 if there is none or an offset takes its place
   * @param records number of records to skip from the beginning of that page
   * @param cursor the cursor of the record before the walk; null to begin at the page
   */
  private record Start(int page, long records, @Nullable String cursor) {}

  static ListQuery of(URI list) {
    String whole = list.toString();
    int end = whole.indexOf('?') < 0 ? whole.length() : whole.indexOf('?');
    List<String> pairs = pairs(list.getRawQuery());
    return new ListQuery(
        whole.substring(0, end),
        pairs.stream().filter(pair -> !PAGING.contains(name(pair))).toList(),
        List.of(),
        pairs.stream().filter(pair -> name(pair).equals("sort")).toList(),
        (int) number(pairs, "size", 1, MAX_SIZE, 0),
        start(pairs),
        wantsTotals(pairs));
  }

  private static Start start(List<String> pairs) {
    int page = (int) number(pairs, "page", 0, Integer.MAX_VALUE, 0);
    long offset = number(pairs, "offset", 0, Long.MAX_VALUE, -1);
    List<String> cursors = values(pairs, "after");
    if (cursors.size() > 1) {
      throw new IllegalArgumentException("after must be given once");
    }
    if (cursors.isEmpty()) {
      return new Start(offset < 0 ? page : 0, Math.max(0, offset), null);
    }
    if (pairs.stream().anyMatch(pair -> Set.of("page", "offset").contains(name(pair)))) {
      throw new IllegalArgumentException("after cannot be used together with page or offset");
    }
    return new Start(0, 0, URLDecoder.decode(cursors.get(0), StandardCharsets.UTF_8));
  }

  private static boolean wantsTotals(List<String> pairs) {
    List<String> values = values(pairs, "totals");
    if (!values.isEmpty() && !values.equals(List.of("none"))) {
      throw new IllegalArgumentException(
          "totals must be none and given once, was "
              + PlainText.line(String.join(" and ", values)));
    }
    return values.isEmpty();
  }

  private static List<String> pairs(@Nullable String rawQuery) {
    return rawQuery == null
        ? List.of()
        : Stream.of(rawQuery.split("&", -1)).filter(pair -> !pair.isEmpty()).toList();
  }

  private static String name(String pair) {
    return URLDecoder.decode(pair.split("=", 2)[0], StandardCharsets.UTF_8);
  }

  private static long number(
      List<String> pairs, String name, long minimum, long maximum, long ifAbsent) {
    List<String> values = values(pairs, name);
    if (values.isEmpty()) {
      return ifAbsent;
    }
    String value = values.get(0);
    if (values.size() > 1 || !value.matches("[0-9]{1,16}") || isOutside(value, minimum, maximum)) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "%s must be %d to %d and given once, was %s",
              name,
              minimum,
              maximum,
              PlainText.line(String.join(" and ", values))));
    }
    return Long.parseLong(value);
  }

  private static List<String> values(List<String> pairs, String name) {
    return pairs.stream()
        .filter(pair -> name(pair).equals(name))
        .map(pair -> pair.indexOf('=') < 0 ? "" : pair.split("=", 2)[1])
        .toList();
  }

  private static boolean isOutside(String digits, long minimum, long maximum) {
    long number = Long.parseLong(digits);
    return number < minimum || number > maximum;
  }

  ListQuery withSorts(List<Sort> sorts) {
    List<String> pairs = new ArrayList<>();
    for (Sort sort : sorts) {
      sort.orders().forEach(order -> pairs.add("sort=" + encoded(order)));
    }
    return new ListQuery(path, rest, filters, pairs, size, start, wantsTotals);
  }

  private static String encoded(Sort.Order order) {
    return encoded(order.property()) + ',' + order.direction().word();
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  /**
   * Adds a parameter, once for each value.
   *
   * @throws IllegalArgumentException when a filter or the URL already uses the parameter; the
   *     service would take two filters by equality as alternatives
   */
  ListQuery withFilter(String parameter, List<String> values) {
    if (Stream.concat(rest.stream(), filters.stream())
        .anyMatch(pair -> name(pair).equals(parameter))) {
      throw new IllegalArgumentException(
          PlainText.line(parameter)
              + " is given twice; give each bound once, and all values of a field together");
    }
    Stream<String> added = values.stream().map(value -> encoded(parameter) + '=' + encoded(value));
    List<String> all = Stream.concat(filters.stream(), added).toList();
    return new ListQuery(path, rest, all, sorts, size, start, wantsTotals);
  }

  ListQuery withSize(int size) {
    return new ListQuery(path, rest, filters, sorts, size, start, wantsTotals);
  }

  ListQuery withPage(int page) {
    return startingAt(new Start(page, 0, null));
  }

  ListQuery withOffset(long offset) {
    return startingAt(new Start(0, offset, null));
  }

  ListQuery withCursor(String cursor) {
    return startingAt(new Start(0, 0, cursor));
  }

  private ListQuery startingAt(Start other) {
    return new ListQuery(path, rest, filters, sorts, size, other, wantsTotals);
  }

  ListQuery withoutTotals() {
    return new ListQuery(path, rest, filters, sorts, size, start, false);
  }

  /** The first page of the walk. */
  NextPage first() {
    String cursor = start.cursor;
    return cursor == null
        ? NextPage.at((long) start.page * pageSize() + start.records, wantsTotals)
        : NextPage.after(cursor, wantsTotals);
  }

  /** The page size to request. */
  int pageSize() {
    return size == 0 ? MAX_SIZE : size;
  }

  /** The URL of a page. */
  URI at(NextPage page) {
    String place =
        page.cursor()
            .map(cursor -> "after=" + encoded(cursor))
            .orElseGet(() -> "offset=" + page.offset().orElseThrow());
    Stream<String> paging = Stream.of("size=" + pageSize(), place);
    Stream<String> totals = page.wantsTotals() ? Stream.empty() : Stream.of("totals=none");
    return URI.create(
        Stream.of(rest.stream(), filters.stream(), sorts.stream(), paging, totals)
            .flatMap(parameters -> parameters)
            .collect(Collectors.joining("&", path + '?', "")));
  }
}
