package dev.countersign.server.store;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * A table as the database describes it.
 *
 * @param name its name, as written in the schema
 * @param columns its columns in order
 * @param uniqueColumns the columns that are unique on their own, because of a one-column primary
 *     key or a one-column unique index over every row
 */
public record Table(String name, List<Column> columns, Set<String> uniqueColumns) {

  public Table {
    columns = List.copyOf(columns);
    uniqueColumns = Set.copyOf(uniqueColumns);
  }

  /** Returns the column with exactly this name. */
  public Optional<Column> column(String wanted) {
    return columns.stream().filter(column -> column.name().equals(wanted)).findFirst();
  }

  /**
   * A column.
   *
   * @param name its name
   * @param declaredType the type as written in the schema
   * @param types the types whose values the column stores unchanged and sorts in the order of the
   *     type
   * @param nullable whether the column accepts NULL
   * @param filled whether the database sets the column if an insert omits it
   * @param maxLength the maximum number of characters, if the schema limits it
   * @param maxDecimals the maximum number of digits after the point, if the schema rounds values to
   *     that number
   */
  public record Column(
      String name,
      String declaredType,
      Set<ColumnType> types,
      boolean nullable,
      boolean filled,
      OptionalInt maxLength,
      OptionalInt maxDecimals) {

    public Column {
      types = Set.copyOf(types);
    }
  }
}
