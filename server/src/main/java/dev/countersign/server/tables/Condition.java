package dev.countersign.server.tables;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A condition on the rows of a table.
 *
 * @param sql the condition in SQL, without values
 * @param parameters the values of its parameters, as the driver takes them
 */
public record Condition(String sql, List<Object> parameters) {
  /** The condition that every row satisfies. */
  public static final Condition TRUE = new Condition("", List.of());

  /** The condition that no row satisfies. */
  public static final Condition FALSE = new Condition("1 = 0", List.of());

  public Condition {
    parameters = List.copyOf(parameters);
  }

  static Condition of(String sql, Object... parameters) {
    return new Condition(sql, List.of(parameters));
  }

  /** Returns the condition that all of these hold. */
  public static Condition all(Collection<Condition> conditions) {
    return joined(conditions, " AND ");
  }

  /** Returns the condition that one or more of these hold. */
  public static Condition any(Collection<Condition> conditions) {
    Condition any = joined(conditions, " OR ");
    return new Condition("(" + any.sql + ")", any.parameters);
  }

  private static Condition joined(Collection<Condition> conditions, String word) {
    List<Object> parameters = new ArrayList<>();
    conditions.forEach(condition -> parameters.addAll(condition.parameters));
    String sql =
        conditions.stream()
            .map(Condition::sql)
            .filter(part -> !part.isEmpty())
            .collect(Collectors.joining(word));
    return new Condition(sql, parameters);
  }

  /** Returns the condition as a WHERE clause with a space before it; empty if every row fits. */
  public String where() {
    return sql.isEmpty() ? "" : " WHERE " + sql;
  }
}
