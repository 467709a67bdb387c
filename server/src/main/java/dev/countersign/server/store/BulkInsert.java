package dev.countersign.server.store;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Inserts many rows with few statements.
 *
 * @param into the beginning of the statement, such as {@code INSERT INTO t (a, b)}
 * @param columns the number of values in a row
 * @param conflict the clause after the values, such as {@code ON CONFLICT DO NOTHING}; may be empty
 */
public record BulkInsert(String into, int columns, String conflict) {
  private static final int MAX_ROWS_PER_STATEMENT = 100;

  /** Inserts the rows in the given order. */
  public void run(JdbcClient sql, List<List<@Nullable Object>> rows) {
    for (int from = 0; from < rows.size(); from += MAX_ROWS_PER_STATEMENT) {
      insert(sql, rows.subList(from, Math.min(rows.size(), from + MAX_ROWS_PER_STATEMENT)));
    }
  }

  private void insert(JdbcClient sql, List<List<@Nullable Object>> rows) {
    String row = "(" + String.join(", ", Collections.nCopies(columns, "?")) + ")";
    String values = String.join(", ", Collections.nCopies(rows.size(), row));
    List<@Nullable Object> parameters = new ArrayList<>(rows.size() * columns);
    rows.forEach(parameters::addAll);
    sql.sql(into + " VALUES " + values + " " + conflict).params(parameters).update();
  }
}
