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
 * @param page the page parameter, or 0 if there is none or an offset takes its place
 * @param records number of records to skip from the beginning of that page
 */
record ListQuery(
    String path,
    List<String> rest,
    List<String> filters,
    List<String> sorts,
    int size,
    int page,
    long records) {
  /** The largest page size that the interface allows; it needs the fewest requests. */
  static final int MOST = 100;

  private static final Set<String> PAGING = Set.of("page", "size", "offset", "sort");

  static ListQuery of(URI list) {
    String whole = list.toString();
    int end = whole.indexOf('?') < 0 ? whole.length() : whole.indexOf('?');
    List<String> pairs = pairs(list.getRawQuery());
    if (pairs.stream().anyMatch(pair -> name(pair).equals("totals"))) {
      throw new IllegalArgumentException("totals must be left out, because the walk needs them");
    }
    int page = (int) number(pairs, "page", 0, Integer.MAX_VALUE, 0);
    long offset = number(pairs, "offset", 0, Long.MAX_VALUE, -1);
    return new ListQuery(
        whole.substring(0, end),
        pairs.stream().filter(pair -> !PAGING.contains(name(pair))).toList(),
        List.of(),
        pairs.stream().filter(pair -> name(pair).equals("sort")).toList(),
        (int) number(pairs, "size", 1, MOST, 0),
        offset < 0 ? page : 0,
        Math.max(0, offset));
  }

  private static List<String> pairs(@Nullable String rawQuery) {
    return rawQuery == null
        ? List.of()
        : Stream.of(rawQuery.split("&", -1)).filter(pair -> !pair.isEmpty()).toList();
  }

  private static String name(String pair) {
    return URLDecoder.decode(pair.split("=", 2)[0], StandardCharsets.UTF_8);
  }

  private static long number(List<String> pairs, String name, long least, long most, long absent) {
    List<String> values =
        pairs.stream()
            .filter(pair -> name(pair).equals(name))
            .map(pair -> pair.substring(Math.min(pair.length(), name.length() + 1)))
            .toList();
    if (values.isEmpty()) {
      return absent;
    }
    String value = values.get(0);
    if (values.size() > 1 || !value.matches("[0-9]{1,16}") || beyond(value, least, most)) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "%s must be %d to %d and given once, was %s",
              name,
              least,
              most,
              PlainText.line(String.join(" and ", values))));
    }
    return Long.parseLong(value);
  }

  private static boolean beyond(String digits, long least, long most) {
    long number = Long.parseLong(digits);
    return number < least || number > most;
  }

  ListQuery withSorts(List<Sort> sorts) {
    List<String> pairs = new ArrayList<>();
    for (Sort sort : sorts) {
      sort.orders().forEach(order -> pairs.add("sort=" + encoded(order)));
    }
    return new ListQuery(path, rest, filters, pairs, size, page, records);
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
   * @throws IllegalArgumentException when a filter already uses the parameter
   */
  ListQuery withFilter(String parameter, List<String> values) {
    String start = encoded(parameter) + '=';
    if (filters.stream().anyMatch(pair -> pair.startsWith(start))) {
      throw new IllegalArgumentException(
          PlainText.line(parameter)
              + " is given twice; give each bound once, and all values of a field together");
    }
    Stream<String> added = values.stream().map(value -> start + encoded(value));
    return new ListQuery(
        path, rest, Stream.concat(filters.stream(), added).toList(), sorts, size, page, records);
  }

  ListQuery withSize(int size) {
    return new ListQuery(path, rest, filters, sorts, size, page, records);
  }

  ListQuery withPage(int page) {
    return new ListQuery(path, rest, filters, sorts, size, page, 0);
  }

  ListQuery withOffset(long offset) {
    return new ListQuery(path, rest, filters, sorts, size, 0, offset);
  }

  /** The number of records in the list before the first record of the walk. */
  long offset() {
    return (long) page * pageSize() + records;
  }

  /** The page size to request. */
  int pageSize() {
    return size == 0 ? MOST : size;
  }

  /** The URL of the page that begins at an offset. */
  URI at(long offset) {
    Stream<String> page = Stream.of("size=" + pageSize(), "offset=" + offset);
    return URI.create(
        Stream.of(rest.stream(), filters.stream(), sorts.stream(), page)
            .flatMap(parameters -> parameters)
            .collect(Collectors.joining("&", path + '?', "")));
  }
}
