package dev.countersign.pagination;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;

/**
 * The order of a list's elements: the first order takes precedence, and each further order breaks
 * ties.
 *
 * <p>Even an unsorted list needs a stable order, so that its pages neither overlap nor skip
 * elements. The code that reads the rows must ensure this.
 *
 * @param orders the orders by precedence, each property at most once; empty if unsorted
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
            "a sort must name each property once, was " + order.property() + " twice");
      }
    }
  }

  /** No requested order. */
  public static Sort unsorted() {
    return UNSORTED;
  }

  /** Sorts by these orders; the first order takes precedence. */
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
   * @param property the property's name as the interface spells it, never the name of the column
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

    /** The value of the parameter: {@code property,asc} or {@code property,desc}. */
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

    /** The direction as the {@code sort} parameter spells it. */
    public String word() {
      return word;
    }
  }
}
