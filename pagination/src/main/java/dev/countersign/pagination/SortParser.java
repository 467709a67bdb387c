package dev.countersign.pagination;

import dev.countersign.pagination.Sort.Direction;
import dev.countersign.pagination.Sort.Order;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads the values of {@code sort}: {@code property}, {@code property,asc}, {@code property,desc}.
 */
final class SortParser {
  private static final String SORT = "sort";

  private final Set<String> sortable;

  SortParser(Set<String> sortable) {
    this.sortable = sortable;
  }

  Sort parse(List<String> values) {
    if (values.isEmpty()) {
      return Sort.unsorted();
    }
    List<Order> orders = new ArrayList<>(values.size());
    Map<String, String> seen = new LinkedHashMap<>();
    for (String value : values) {
      Order order = order(value);
      String earlier = seen.put(order.property(), value);
      // Design note: a property named twice is ambiguous, so it is refused, even with the same
      // direction.
      if (earlier != null) {
        throw invalid("name each property once", earlier, value);
      }
      orders.add(order);
    }
    return new Sort(orders);
  }

  private Order order(String value) {
    int comma = value.indexOf(',');
    String property = comma < 0 ? value : value.substring(0, comma);
    requireSortable(property, value);
    Direction direction = comma < 0 ? Direction.ASC : direction(value.substring(comma + 1));
    if (direction == null) {
      throw invalid("be property, property,asc or property,desc", value);
    }
    return new Order(property, direction);
  }

  private void requireSortable(String property, String value) {
    if (sortable.contains(property)) {
      return;
    }
    String rule =
        sortable.isEmpty()
            ? "be left out, as this list cannot be sorted"
            : "name one of " + String.join(", ", sortable);
    throw invalid(rule, value);
  }

  /**
   * Creates the exception for values that break a rule.
   *
   * @param rule the rule, as the rest of a sentence that begins with "sort must"
   */
  private static PageParameterException invalid(String rule, String... values) {
    return PageParameterException.invalid(SORT, rule, values);
  }

  // Does not use equalsIgnoreCase, which accepts the long s of "aſc" as an s.
  private static @Nullable Direction direction(String word) {
    return switch (word.toLowerCase(Locale.ROOT)) {
      case "asc" -> Direction.ASC;
      case "desc" -> Direction.DESC;
      default -> null;
    };
  }
}
