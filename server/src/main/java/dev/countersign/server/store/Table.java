package dev.countersign.server.store;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A table or view as the database describes it.
 *
 * @param name its name, with its schema if the database has several
 * @param sql its name in SQL statements
 * @param kind the kind of relation
 * @param isInOwnSchema whether it is in the same schema as the service's own tables
 * @param columns its columns in order
 * @param uniqueColumns the columns that are unique on their own, because of a one-column primary
 *     key or a one-column unique index over every row
 * @param grants the rights of the service's user
 */
public record Table(
    String name,
    String sql,
    Kind kind,
    boolean isInOwnSchema,
    List<Column> columns,
    Set<String> uniqueColumns,
    Grants grants) {

  public Table {
    columns = List.copyOf(columns);
    uniqueColumns = Set.copyOf(uniqueColumns);
  }

  /** Returns the column with exactly this name. */
  public Optional<Column> column(String wanted) {
    return columns.stream().filter(column -> column.name().equals(wanted)).findFirst();
  }

  /**
   * Returns the statements to run, on one line, so that the service's user may read these columns
   * and insert values into those; empty if the user may do so already.
   */
  public Optional<String> missingGrants(Collection<String> read, Collection<String> inserted) {
    StringBuilder statements = new StringBuilder(grants.schemaUsage());
    if (!grants.readable().containsAll(read)) {
      statements.append("GRANT SELECT ON ").append(sql).append(" TO ").append(grants.user());
      statements.append("; ");
    }
    if (!grants.insertable().containsAll(inserted)) {
      statements.append("GRANT INSERT ON ").append(sql).append(" TO ").append(grants.user());
      statements.append("; ");
    }
    return Optional.of(statements.toString().strip()).filter(text -> !text.isEmpty());
  }

  /** The kind of a relation. Only plain tables accept new rows. */
  public enum Kind {
    TABLE("table"),
    PARTITIONED_TABLE("partitioned table"),
    FOREIGN_TABLE("foreign table"),
    VIEW("view"),
    MATERIALIZED_VIEW("materialized view");

    private final String words;

    Kind(String words) {
      this.words = words;
    }

    /** Returns the kind in words, such as {@code materialized view}. */
    public String words() {
      return words;
    }
  }

  /**
   * The rights of the service's user on a table.
   *
   * @param user the user, quoted for SQL
   * @param schemaUsage the statement that opens the table's schema to the user; empty if it is open
   * @param readable the columns that the user may read
   * @param insertable the columns that the user may insert values into
   */
  record Grants(String user, String schemaUsage, Set<String> readable, Set<String> insertable) {
    Grants {
      readable = Set.copyOf(readable);
      insertable = Set.copyOf(insertable);
    }

    /** Returns the grants of a database without users. */
    static Grants all(Collection<Column> columns) {
      Set<String> names = columns.stream().map(Column::name).collect(Collectors.toSet());
      return new Grants("", "", names, names);
    }
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

    /** Returns this column as one that contains no NULL. */
    public Column notNull() {
      return new Column(name, declaredType, types, false, filled, maxLength, maxDecimals);
    }
  }
}
