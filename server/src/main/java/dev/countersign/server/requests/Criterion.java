package dev.countersign.server.requests;

import java.util.List;

/**
 * A condition on a row.
 *
 * @param sql with a ? for each parameter
 * @param parameters in their order
 * @param order in which order an index finds its rows
 */
record Criterion(String sql, List<Object> parameters, Order order) {

  /** How an index finds the rows of a criterion. */
  enum Order {
    BY_ID,
    OTHERWISE,
    NO_INDEX
  }

  static Criterion equal(String column, Object value) {
    return new Criterion(column + " = ?", List.of(value), Order.BY_ID);
  }

  /**
   * Every row. A condition on the id here would be taken in place of the range that is searched.
   */
  static Criterion any() {
    return new Criterion("TRUE", List.of(), Order.BY_ID);
  }

  /** A condition as no database looks for an index to go with it. */
  static String withoutIndex(String condition) {
    return "(" + condition + ") IS TRUE";
  }
}
