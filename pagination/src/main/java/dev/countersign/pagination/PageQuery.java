package dev.countersign.pagination;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The decoded values of a list request's query, by parameter. Unknown parameters are refused. */
final class PageQuery {
  static final String PAGE = "page";
  static final String SIZE = "size";
  static final String SORT = "sort";
  static final String OFFSET = "offset";
  static final String TOTALS = "totals";
  static final String AFTER = "after";

  /** The value of {@code totals} that leaves out the totals; no other value is allowed. */
  static final String NONE = "none";

  // The number of digits of the largest allowed number, 2^53 - 1. Zeros at the beginning count too,
  // because links repeat the caller's parameters and must not become longer.
  private static final int MAXIMUM_DIGITS = 16;

  /** The parameters of every list. */
  private static final List<String> ALWAYS = List.of(PAGE, SIZE, SORT, OFFSET, TOTALS);

  private static final List<String> WITH_CURSORS =
      Stream.concat(ALWAYS.stream(), Stream.of(AFTER)).toList();

  /** Returns the parameters of a list, without its additional ones. */
  static List<String> own(boolean hasCursors) {
    return hasCursors ? WITH_CURSORS : ALWAYS;
  }

  private final PageRules rules;
  private final Map<String, List<String>> values = new HashMap<>();
  private final List<PageRequest.Parameter> others = new ArrayList<>();

  private PageQuery(PageRules rules) {
    this.rules = rules;
  }

  static PageQuery parse(@Nullable String rawQuery, PageRules rules) {
    PageQuery query = new PageQuery(rules);
    for (QueryParameter parameter : QueryParameter.split(rawQuery)) {
      query.add(parameter);
    }
    return query;
  }

  private void add(QueryParameter parameter) {
    String name = parameter.name();
    if (name == null) {
      throw broken(parameter.rawName(), parameter.rawName());
    }
    boolean isOther = rules.parameters().contains(name);
    List<String> own = own(rules.hasCursors());
    if (!isOther && !own.contains(name)) {
      List<String> known = Stream.concat(own.stream(), rules.parameters().stream()).toList();
      throw PageParameterException.unknown(name, known, NearName.among(known, name));
    }
    String value = parameter.value();
    if (value == null) {
      throw broken(name, parameter.rawValue());
    }
    if (isOther) {
      others.add(new PageRequest.Parameter(name, value));
      return;
    }
    values.computeIfAbsent(name, key -> new ArrayList<>(1)).add(value);
  }

  private static PageParameterException broken(String name, String raw) {
    return PageParameterException.invalid(name, "be percent-encoded UTF-8", raw);
  }

  /** The additional parameters of the list, in the order of the query. */
  List<PageRequest.Parameter> others() {
    return others;
  }

  List<String> all(String name) {
    return values.getOrDefault(name, List.of());
  }

  /** The value of a numeric parameter, which may be given only once. */
  OptionalLong number(String name, long minimum, long maximum) {
    List<String> given = all(name);
    if (given.isEmpty()) {
      return OptionalLong.empty();
    }
    String bounds = "be " + minimum + " to " + maximum;
    if (given.size() > 1) {
      String rule = bounds + " and given once";
      throw PageParameterException.invalid(name, rule, given.get(0), given.get(1));
    }
    long number = digits(given.get(0), maximum);
    if (number < minimum) {
      throw PageParameterException.invalid(name, bounds, given.get(0));
    }
    if (given.get(0).length() > MAXIMUM_DIGITS) {
      String rule = bounds + " in at most " + MAXIMUM_DIGITS + " digits";
      throw PageParameterException.invalid(name, rule, given.get(0));
    }
    return OptionalLong.of(number);
  }

  /**
   * Returns the cursor after which the page begins; null if the page is asked for by its number or
   * offset.
   */
  @Nullable String after() {
    List<String> given = all(AFTER);
    if (given.isEmpty()) {
      return null;
    }
    if (given.size() > 1) {
      throw PageParameterException.invalid(AFTER, "be given once", given.get(0), given.get(1));
    }
    if (!all(PAGE).isEmpty() || !all(OFFSET).isEmpty()) {
      String rule = "be given without " + PAGE + " and " + OFFSET;
      throw PageParameterException.invalid(AFTER, rule, given.get(0));
    }
    return given.get(0);
  }

  /** Returns false if the caller sent {@code totals=none}, and true otherwise. */
  boolean wantsTotals() {
    List<String> given = all(TOTALS);
    if (given.isEmpty()) {
      return true;
    }
    if (given.size() > 1) {
      String rule = "be " + NONE + " and given once";
      throw PageParameterException.invalid(TOTALS, rule, given.get(0), given.get(1));
    }
    if (!given.get(0).equals(NONE)) {
      throw PageParameterException.invalid(TOTALS, "be " + NONE, given.get(0));
    }
    return false;
  }

  // Does not use Long.parseLong, which accepts a sign and the digits of every script.
  private static long digits(String text, long maximum) {
    long number = text.isEmpty() ? -1 : 0;
    for (int at = 0; at < text.length(); at++) {
      char c = text.charAt(at);
      if (c < '0' || c > '9') {
        return -1;
      }
      number = number * 10 + (c - '0');
      if (number > maximum) {
        return -1;
      }
    }
    return number;
  }
}
