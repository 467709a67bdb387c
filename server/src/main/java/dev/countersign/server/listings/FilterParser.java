package dev.countersign.server.listings;

import dev.countersign.pagination.PageParameterException;
import dev.countersign.pagination.PageRequest;
import dev.countersign.server.tables.ColumnType;
import dev.countersign.server.tables.TableDialect.RangeOperator;
import dev.countersign.server.tables.ValueSyntax;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.web.util.UriUtils;

/**
 * Reads the filters of a list request: {@code status=ACTIVE} for one value or any of several, and
 * {@code amount.gte=100} for ranges.
 */
final class FilterParser {
  /** The maximum number of values that one field may be compared with. */
  static final int MAXIMUM_VALUES = 50;

  private static final Set<ColumnType> ORDERED =
      EnumSet.of(
          ColumnType.INTEGER,
          ColumnType.DECIMAL,
          ColumnType.TIMESTAMP,
          ColumnType.DATE,
          ColumnType.TEXT);

  private final Map<String, Field> fields = new LinkedHashMap<>();
  private final Map<String, Bound> bounds = new LinkedHashMap<>();

  private record Bound(Field field, RangeOperator operator) {}

  FilterParser(List<Field> filterable) {
    for (Field field : filterable) {
      fields.put(field.name(), field);
      if (isOrdered(field)) {
        for (RangeOperator operator : RangeOperator.values()) {
          bounds.put(field.name() + suffix(operator), new Bound(field, operator));
        }
      }
    }
  }

  private static String suffix(RangeOperator operator) {
    return switch (operator) {
      case AT_LEAST -> ".gte";
      case ABOVE -> ".gt";
      case AT_MOST -> ".lte";
      case BELOW -> ".lt";
    };
  }

  /** Returns the names of the parameters that these filters add to a list. */
  List<String> names() {
    List<String> names = new ArrayList<>(fields.keySet());
    names.addAll(bounds.keySet());
    return names;
  }

  /** Returns the names of the parameters that set a range. */
  Set<String> rangeNames() {
    return bounds.keySet();
  }

  /**
   * Returns an example of a query: a filter by one field, with two values if the rules list them,
   * and the lower end of a range of another field. Empty if there are no filters.
   */
  String example() {
    Optional<Field> chosen =
        first(fields.values(), field -> !field.rules().oneOf().isEmpty())
            .or(() -> first(fields.values(), field -> !isOrdered(field)))
            .or(() -> first(fields.values(), field -> true));
    Optional<Field> ordered =
        first(
            fields.values(),
            field ->
                isOrdered(field)
                    && field.type() != ColumnType.TEXT
                    && !chosen.equals(Optional.of(field)));
    return Stream.concat(
            chosen.map(field -> field.name() + "=" + samples(field)).stream(),
            ordered
                .map(field -> field.name() + suffix(RangeOperator.AT_LEAST) + "=" + samples(field))
                .stream())
        .collect(Collectors.joining("&"));
  }

  private static Optional<Field> first(Collection<Field> fields, Predicate<Field> condition) {
    return fields.stream().filter(condition).findFirst();
  }

  private static boolean isOrdered(Field field) {
    return ORDERED.contains(field.type());
  }

  private static String samples(Field field) {
    List<String> choice = field.rules().oneOf();
    if (!choice.isEmpty()) {
      return choice.stream()
          .limit(isCommaSeparated(field) ? 2 : 1)
          .map(text -> UriUtils.encode(text, StandardCharsets.UTF_8))
          .collect(Collectors.joining(","));
    }
    return switch (field.type()) {
      case UUID -> "1f0e8c9a-3b5d-4c7e-9f21-6a8b0c2d4e6f";
      case INTEGER, DECIMAL -> "100";
      case BOOLEAN -> "true";
      case TIMESTAMP -> "2026-11-20T00:00:00Z";
      case DATE -> "2026-11-20";
      case TEXT, JSON -> "A";
    };
  }

  /**
   * Returns whether a comma separates the values of a filter. In other texts, and in decimals, a
   * comma is part of the value.
   */
  static boolean isCommaSeparated(Field field) {
    List<String> choice = field.rules().oneOf();
    return field.type() == ColumnType.UUID
        || field.type() == ColumnType.INTEGER
        || (!choice.isEmpty() && choice.stream().noneMatch(text -> text.indexOf(',') >= 0));
  }

  /**
   * Reads the filters of a request.
   *
   * @param parameters the parameters, each with one of {@link #names()}
   * @throws PageParameterException naming the parameter, the rule and the value
   */
  Filters parse(List<PageRequest.Parameter> parameters) {
    if (parameters.isEmpty()) {
      return Filters.NONE;
    }
    Map<String, Set<Object>> equal = new LinkedHashMap<>();
    Map<String, String> ranges = new LinkedHashMap<>();
    List<Filters.Filter> filters = new ArrayList<>();
    for (PageRequest.Parameter parameter : parameters) {
      String name = parameter.name();
      Bound bound = bounds.get(name);
      if (bound == null) {
        addValues(parameter, equal.computeIfAbsent(name, field -> new LinkedHashSet<>()));
        continue;
      }
      String earlier = ranges.put(name, parameter.value());
      if (earlier != null) {
        throw PageParameterException.invalid(name, "be given once", earlier, parameter.value());
      }
      filters.add(
          new Filters.Filter.Range(
              bound.field(), bound.operator(), value(name, bound.field(), parameter.value())));
    }
    equal.forEach(
        (name, values) ->
            filters.add(new Filters.Filter.AnyOf(field(name), new ArrayList<>(values))));
    return new Filters(filters);
  }

  private Field field(String name) {
    Field field = fields.get(name);
    if (field == null) {
      throw new IllegalArgumentException("no filter " + name);
    }
    return field;
  }

  private void addValues(PageRequest.Parameter parameter, Set<Object> values) {
    Field field = field(parameter.name());
    String[] texts =
        isCommaSeparated(field)
            ? parameter.value().split(",", -1)
            : new String[] {parameter.value()};
    for (String text : texts) {
      values.add(value(field.name(), field, text));
      if (values.size() > MAXIMUM_VALUES) {
        throw PageParameterException.invalid(
            field.name(), "have at most " + MAXIMUM_VALUES + " values", parameter.value());
      }
    }
  }

  private Object value(String parameter, Field field, String text) {
    Object value = ValueSyntax.parse(field.type(), text).map(FilterParser::comparable).orElse(null);
    if (value == null) {
      throw PageParameterException.invalid(parameter, "be " + rule(field, text), text);
    }
    List<String> choice = field.rules().oneOf();
    if (!choice.isEmpty() && value instanceof String given && !choice.contains(given)) {
      throw PageParameterException.invalid(
          parameter, "be one of " + String.join(", ", choice), text);
    }
    return value;
  }

  // In a query, + means a space, so an offset that is written as +01:00 arrives with a space.
  private String rule(Field field, String text) {
    String rule = ValueSyntax.rule(field.type());
    return field.type() == ColumnType.TIMESTAMP && text.indexOf(' ') >= 0
        ? rule + ", with + written as %2B"
        : rule;
  }

  // Equal decimals such as 1.0 and 1.00 are one value.
  private static Object comparable(Object value) {
    return value instanceof BigDecimal decimal ? decimal.stripTrailingZeros() : value;
  }
}
