package dev.countersign.pagination;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;

/**
 * The order of a list's elements. The list is sorted by the first property; elements with equal
 * values are sorted by the next property.
 *
 * <p>Even an unsorted list needs a stable order, so that its pages neither overlap nor skip
 * elements. The code that reads the rows must ensure this.
 *
 * @param orders the properties with their directions, in order of precedence, each property at most
 *     once; empty if unsorted
 */
public record Sort(List<Order> orders) {
  private static final Sort UNSORTED = new Sort(List.of());

  /**
   * Takes a copy of the orders.
   *
   * @throws IllegalArgumentException if a property is named twice
   */
  public Sort {
    orders = List.copyOf(orders);
    Set<String> seen = new HashSet<>();
    for (Order order : orders) {
      if (!seen.add(order.property())) {
        throw new IllegalArgumentException(
            "a sort must not name a property twice: " + order.property());
      }
    }
  }

  /** Returns the sort of a list for which no order was requested. */
  public static Sort unsorted() {
    return UNSORTED;
  }

  /** Returns a sort by these orders; the first order takes precedence. */
  public static Sort by(Order... orders) {
    return new Sort(Arrays.asList(orders));
  }

  /** Returns whether an order was requested. */
  public boolean isSorted() {
    return !orders.isEmpty();
  }

  /**
   * One property and its direction.
   *
   * @param property the property's name in the interface, which may differ from the column's name
   */
  public record Order(String property, Direction direction) {
    /** Rejects null. */
    public Order {
      Objects.requireNonNull(property, "property");
      Objects.requireNonNull(direction, "direction");
    }

    /** Ascending: smallest first. */
    public static Order asc(String property) {
      return new Order(property, Direction.ASC);
    }

    /** Descending: largest first. */
    public static Order desc(String property) {
      return new Order(property, Direction.DESC);
    }

    /** Returns a value of the {@code sort} parameter, such as {@code name,asc}. */
    @Override
    public String toString() {
      return property + "," + direction.word();
    }
  }

  /** The direction of an order. */
  public enum Direction {
    /** Smallest first, the default. */
    ASC,
    /** Largest first. */
    DESC;

    private final String word = name().toLowerCase(Locale.ROOT);

    /** Returns the direction in the {@code sort} parameter: {@code asc} or {@code desc}. */
    public String word() {
      return word;
    }
  }
}
