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
 * @param uniqueColumns the columns that are unique on their own: a one-column primary key, or a
 *     one-column unique index over every row
 */
public record Table(String name, List<Column> columns, Set<String> uniqueColumns) {

  public Table {
    columns = List.copyOf(columns);
    uniqueColumns = Set.copyOf(uniqueColumns);
  }

  /** The column of exactly this name. */
  public Optional<Column> column(String wanted) {
    return columns.stream().filter(column -> column.name().equals(wanted)).findFirst();
  }

  /**
   * One column.
   *
   * @param name its name
   * @param declaredType the type in the schema's own words
   * @param types what it can hold without losing order or value
   * @param nullable whether it takes NULL
   * @param filled whether the database fills it when an insert leaves it out
   * @param maxLength the most characters of its text, where the schema limits them
   * @param maxDecimals the most digits after the point, where the schema rounds to them
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
