package dev.countersign.server.requests;

import java.util.List;

/**
 * A condition on a row.
 *
 * @param sql the condition, with a ? for each parameter
 * @param parameters the parameters, in the order of their ?
 * @param order the order in which an index returns the rows
 */
record Criterion(String sql, List<Object> parameters, Order order) {

  /** The order in which an index returns the rows of a criterion. */
  enum Order {
    /** In the order of the ids. */
    BY_ID,
    /** In another order. */
    NOT_BY_ID,
    /** The search uses no index for the criterion. */
    NO_INDEX
  }

  static Criterion equal(String column, Object value) {
    return new Criterion(column + " = ?", List.of(value), Order.BY_ID);
  }

  /**
   * Matches every row. The condition is TRUE and not a range of ids, because the search adds its
   * own range of ids.
   */
  static Criterion any() {
    return new Criterion("TRUE", List.of(), Order.BY_ID);
  }

  /** Wraps a condition so that neither database uses an index for it. */
  static String withoutIndex(String condition) {
    return "(" + condition + ") IS TRUE";
  }
}
