package dev.countersign.pagination;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;

/**
 * The order of a list's elements: the first order decides, each further one breaks its ties.
 *
 * <p>An unsorted list still needs a stable order for its pages to neither overlap nor skip; that is
 * the business of whoever reads the rows.
 *
 * @param orders by precedence, each property at most once; empty where unsorted
 */
public record Sort(List<Order> orders) {
  private static final Sort UNSORTED = new Sort(List.of());

  /**
   * Takes a copy of the orders.
   *
   * @throws IllegalArgumentException where a property is named twice
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

  /** No order asked for. */
  public static Sort unsorted() {
    return UNSORTED;
  }

  /** The orders by precedence. */
  public static Sort by(Order... orders) {
    return new Sort(Arrays.asList(orders));
  }

  /** Whether an order was asked for. */
  public boolean isSorted() {
    return !orders.isEmpty();
  }

  /**
   * One property and which way it runs.
   *
   * @param property the property's name as the interface spells it, never the column's
   */
  public record Order(String property, Direction direction) {
    /** Refuses null. */
    public Order {
      Objects.requireNonNull(property, "property");
      Objects.requireNonNull(direction, "direction");
    }

    /** Smallest first. */
    public static Order asc(String property) {
      return new Order(property, Direction.ASC);
    }

    /** Largest first. */
    public static Order desc(String property) {
      return new Order(property, Direction.DESC);
    }

    /** As the parameter's value has it: {@code property,asc} or {@code property,desc}. */
    @Override
    public String toString() {
      return property + "," + direction.word();
    }
  }

  /** Which way a property runs. */
  public enum Direction {
    /** Smallest first, the default. */
    ASC,
    /** Largest first. */
    DESC;

    private final String word = name().toLowerCase(Locale.ROOT);

    /** As the {@code sort} parameter spells it. */
    public String word() {
      return word;
    }
  }
}
