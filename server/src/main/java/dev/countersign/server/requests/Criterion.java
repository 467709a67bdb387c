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
    BY_ID,
    OTHERWISE,
    NO_INDEX
  }

  static Criterion equal(String column, Object value) {
    return new Criterion(column + " = ?", List.of(value), Order.BY_ID);
  }

  /**
   * Matches every row. A condition on the id here would compete with the range of ids that is
   * searched.
   */
  static Criterion any() {
    return new Criterion("TRUE", List.of(), Order.BY_ID);
  }

  /** Wraps a condition so that no database uses an index for it. */
  static String withoutIndex(String condition) {
    return "(" + condition + ") IS TRUE";
  }
}
