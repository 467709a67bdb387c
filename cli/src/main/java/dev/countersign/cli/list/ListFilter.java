package dev.countersign.cli.list;

import dev.countersign.client.FieldFilter;
import dev.countersign.client.PageWalk;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * A filter as typed: {@code status=COMPLETED}, or {@code bookedAt.gte=2026-11-20T00:00:00Z} for one
 * end of a range.
 *
 * @param value the text after the first {@code =}, not percent-encoded
 */
record ListFilter(String field, Relation relation, String value) {
  // The parameters for paging, each with the option to use instead.
  private static final Map<String, String> PAGING =
      Map.of(
          "page", "use --page",
          "size", "use --size",
          "sort", "use --sort",
          "offset", "use --offset",
          "after", "use --after",
          "totals", "use --no-totals");

  /** How the field relates to the value. */
  enum Relation {
    IS(""),
    GTE(".gte"),
    GT(".gt"),
    LTE(".lte"),
    LT(".lt");

    private final String suffix;

    Relation(String suffix) {
      this.suffix = suffix;
    }
  }

  /** Filters a list. Filters of one field without a suffix are alternatives. */
  static <T> PageWalk<T> applyTo(PageWalk<T> list, List<ListFilter> filters) {
    Map<String, List<String>> alternatives =
        filters.stream()
            .filter(filter -> filter.relation == Relation.IS)
            .collect(
                Collectors.groupingBy(
                    ListFilter::field,
                    LinkedHashMap::new,
                    Collectors.mapping(ListFilter::value, Collectors.toList())));
    PageWalk<T> walk = list;
    for (Map.Entry<String, List<String>> values : alternatives.entrySet()) {
      walk = walk.where(values.getKey()).in(values.getValue());
    }
    for (ListFilter filter : filters) {
      walk = filter.relation == Relation.IS ? walk : filter.bound(walk.where(filter.field));
    }
    return walk;
  }

  private <T> PageWalk<T> bound(FieldFilter<T> filter) {
    return switch (relation) {
      case IS -> filter.is(value);
      case GTE -> filter.from(value);
      case GT -> filter.after(value);
      case LTE -> filter.upTo(value);
      case LT -> filter.before(value);
    };
  }

  /** The filter as typed. */
  @Override
  public String toString() {
    return field + relation.suffix + '=' + value;
  }

  /** Reads a filter. */
  static final class FilterText implements ITypeConverter<ListFilter> {
    @Override
    public ListFilter convert(String text) {
      int equals = text.indexOf('=');
      String name = text.substring(0, Math.max(0, equals));
      int dot = name.indexOf('.');
      String field = dot < 0 ? name : name.substring(0, dot);
      String suffix = name.substring(field.length());
      if (PAGING.containsKey(field)) {
        throw new TypeConversionException(
            "'" + field + "' is a parameter for paging, not a field; " + PAGING.get(field));
      }
      // Without this rule, amount>=5 would be a filter on the field amount>.
      if (field.isEmpty() || field.matches(".*[<>!]")) {
        throw malformed(text);
      }
      return Arrays.stream(Relation.values())
          .filter(relation -> relation.suffix.equals(suffix))
          .findFirst()
          .map(relation -> new ListFilter(field, relation, text.substring(equals + 1)))
          .orElseThrow(() -> malformed(text));
    }

    private static TypeConversionException malformed(String text) {
      return new TypeConversionException(
          "'"
              + text
              + "' must be FIELD=VALUE or, for a range, FIELD.gte=VALUE, FIELD.gt=VALUE,"
              + " FIELD.lte=VALUE or FIELD.lt=VALUE");
    }
  }
}
