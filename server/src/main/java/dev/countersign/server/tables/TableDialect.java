package dev.countersign.server.tables;

import dev.countersign.server.store.Database;
import dev.countersign.server.store.Dialect;
import dev.countersign.server.store.PostgresqlDialect;
import dev.countersign.server.store.SqliteDialect;
import java.math.BigDecimal;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Contains everything in which SQLite and PostgreSQL differ for the tables of the operator: how a
 * table is described, its values are read and written, and conditions and sorts are expressed.
 *
 * <p>Both databases sort in the same order, text by Unicode code points and NULL before every
 * value, unless a listing wants the {@linkplain SortOrder#DATABASE order of the database}.
 */
public abstract sealed class TableDialect permits SqliteTables, PostgresqlTables {
  private final Dialect dialect;
  private final TableCatalog catalog;

  TableDialect(Dialect dialect, TableCatalog catalog) {
    this.dialect = dialect;
    this.catalog = catalog;
  }

  /** Returns the dialect of a database's tables. */
  public static TableDialect of(Database database) {
    return switch (database.dialect()) {
      case SqliteDialect sqlite -> new SqliteTables(sqlite);
      case PostgresqlDialect postgresql -> new PostgresqlTables(postgresql);
    };
  }

  final Dialect dialect() {
    return dialect;
  }

  /** Converts a value for the driver, as {@link Dialect#bind} does. */
  public final @Nullable Object bind(@Nullable Object value) {
    return dialect.bind(value);
  }

  /**
   * Reads the UUID in the column with this number as text; returns null for NULL.
   *
   * @throws SQLException if the read fails, or the value is not a UUID
   */
  public abstract @Nullable String uuidText(ResultSet row, int column) throws SQLException;

  /**
   * Reads the boolean in the column with this number; returns null for NULL.
   *
   * @throws SQLException if the read fails, or the value is neither true nor false
   */
  public abstract @Nullable Boolean bool(ResultSet row, int column) throws SQLException;

  /** Reads the text in the column with this number; returns null for NULL. */
  public abstract @Nullable String text(ResultSet row, int column, Table.Column described)
      throws SQLException;

  /**
   * Reads the instant in the column with this number as RFC 3339 text in UTC; returns null for
   * NULL. A timestamp without a zone is in UTC.
   *
   * @throws SQLException if the read fails, or for a year outside 0 to 9999, which RFC 3339 cannot
   *     express
   */
  public abstract @Nullable String timestampText(ResultSet row, int column, Table.Column described)
      throws SQLException;

  /**
   * Reads the date in the column with this number as text such as {@code 2026-11-20}; returns null
   * for NULL.
   *
   * @throws SQLException if the read fails, or for a year outside 1 to 9999
   */
  public abstract @Nullable String dateText(ResultSet row, int column) throws SQLException;

  /**
   * Reads the JSON text in the column with this number; returns null for NULL.
   *
   * @throws SQLException if the read fails, or the text is not JSON
   */
  public abstract @Nullable String jsonText(ResultSet row, int column) throws SQLException;

  /**
   * Returns whether a result still has values of this type in the column with this number. SQLite
   * gives each value its own type, so its values are checked one by one instead.
   */
  public abstract boolean stillHasType(
      ResultSetMetaData result, int column, Table.Column described, ColumnType type)
      throws SQLException;

  /**
   * Returns the limits of the column with this number in a result. They may be narrower than those
   * of the description, because the column was changed since.
   */
  public Table.Column.Limits limits(ResultSetMetaData result, int column, Table.Column described)
      throws SQLException {
    return described.type().limits();
  }

  /**
   * Reads the decimal in the column with this number; returns null for NULL.
   *
   * @throws NumberFormatException if the value is not a finite number
   */
  public abstract @Nullable BigDecimal decimal(ResultSet row, int column) throws SQLException;

  /**
   * Returns whether values of a column that had this type before are still read and written in the
   * same way.
   */
  public abstract boolean isReadAlike(Table.Column.Type before, Table.Column.Type now);

  /** Quotes the name of a column, so that a statement fails if there is no such column. */
  public abstract String column(String name);

  /** Returns the expression that counts the rows of a table. */
  public String count() {
    return "count(*)";
  }

  /**
   * Returns an expression with which a view converts a column that no type can serve to one that a
   * type can.
   */
  public abstract String conversion(Table.Column column);

  /** Returns the parameter of a statement that takes a value for this column. */
  public abstract String parameter(Table.Column column);

  /**
   * Returns the condition that a column has one of these values, byte for byte, whatever the
   * collation of the column. An index of the column serves it.
   *
   * @param values at least one value of the type
   */
  public abstract Condition equal(Table.Column column, ColumnType type, List<Object> values);

  /**
   * Returns the condition that an answer shows one of these values in a column. Unlike {@link
   * #equal}, it finds a UUID that SQLite stores in upper case.
   *
   * @param values at least one value of the type
   */
  public Condition equalAsShown(Table.Column column, ColumnType type, List<Object> values) {
    return equal(column, type, values);
  }

  /**
   * Returns the condition that a row of a table has a key and satisfies another condition. The time
   * of the search does not reveal a row that has the key but does not satisfy the condition.
   *
   * <p>If a statement compared the key first, the database would read such a row, but none for a
   * key that is not in its index.
   *
   * @param condition the condition, which is not {@link Condition#TRUE}
   */
  public abstract Condition byKey(Table table, Key key, Condition condition);

  /**
   * A key.
   *
   * @param column its column, which is unique and never NULL
   * @param type its type
   * @param value its value
   */
  public record Key(Table.Column column, ColumnType type, Object value) {}

  /** Returns the condition that the values of a column are on one side of a value in this order. */
  public abstract Condition compare(
      Table.Column column, ColumnType type, Comparison comparison, SortOrder order);

  /**
   * Returns where {@link #equalAsShown} may leave out rows because their value is unreadable; empty
   * if the database has no such values.
   */
  public Optional<Unreadable> unreadable(
      Table.Column column, ColumnType type, List<Object> values) {
    return Optional.empty();
  }

  /**
   * Returns where {@link #compare} may leave out rows because their value is unreadable; empty if
   * the database has no such values.
   */
  public Optional<Unreadable> unreadable(
      Table.Column column, ColumnType type, Comparison comparison, SortOrder order) {
    return Optional.empty();
  }

  /**
   * The places where a comparison may leave out rows because their value is unreadable: it is not a
   * value of the type, so an answer cannot show it, and SQL cannot compare it. NULL is not
   * unreadable. An index of the column serves each of these conditions, and none of them fails on
   * any value.
   *
   * @param near the rows that the comparison finds, and those beside them in an index
   * @param value the condition that the value of a row is unreadable; {@link Condition#FALSE} if
   *     this is so for none of the rows {@code near}
   * @param beyond further places of an index, where every value is unreadable
   */
  public record Unreadable(Condition near, Condition value, List<Condition> beyond) {
    public Unreadable {
      beyond = List.copyOf(beyond);
    }
  }

  /**
   * Returns the form in which a timestamp is stored, if the database sorts timestamps as text:
   * zeros for its digits, except those of a zone. Texts of one form sort by time. The form of a
   * value that is not a timestamp is an empty text.
   */
  public Optional<String> storedForm(ResultSet row, int column) throws SQLException {
    return Optional.empty();
  }

  /** Returns whether a column that a field of this type shows may have unreadable values. */
  public abstract boolean hasUnreadable(ColumnType type);

  /**
   * Returns the storage class of the value in the column with this number, such as {@code BLOB}; an
   * empty text if the database has none.
   */
  public String storedAs(ResultSet row, int column) throws SQLException {
    return "";
  }

  /**
   * A comparison with a value.
   *
   * @param operator the operator
   * @param value the value on its right
   */
  public record Comparison(RangeOperator operator, Object value) {
    /**
     * Returns the operator in SQL that compares a column with the nearest number that it can store
     * instead of with the value, a decimal. A value between two such numbers is replaced by the
     * nearer one, and the operator then includes or excludes that number.
     */
    String sql(Number nearest) {
      int rounding = shown(nearest).compareTo((BigDecimal) value);
      if (rounding > 0) {
        return operator.isLower() ? ">=" : "<";
      }
      if (rounding < 0) {
        return operator.isLower() ? ">" : "<=";
      }
      return operator.sql();
    }
  }

  /** Returns the decimal that an answer shows for a number; a huge one for infinity. */
  static BigDecimal shown(Number stored) {
    return Double.isInfinite(stored.doubleValue()) && !(stored instanceof BigDecimal)
        ? BigDecimal.valueOf(Math.signum(stored.doubleValue())).scaleByPowerOfTen(1_000_000)
        : new BigDecimal(stored.toString());
  }

  /** Returns the foreign keys of a table. */
  public final List<ForeignKey> foreignKeys(JdbcClient sql, Table table) {
    return catalog.foreignKeys(sql, table);
  }

  /**
   * A foreign key.
   *
   * @param columns the columns that refer to another row
   * @param target the table of that row
   */
  public record ForeignKey(List<String> columns, TableName target) {
    public ForeignKey {
      columns = List.copyOf(columns);
    }

    /** One of the columns of the foreign key that has this name or number. */
    record Entry(String key, TableName target, String column) {}

    static List<ForeignKey> of(List<Entry> all) {
      return all.stream()
          .collect(Collectors.groupingBy(Entry::key, LinkedHashMap::new, Collectors.toList()))
          .values()
          .stream()
          .map(
              entries ->
                  new ForeignKey(
                      entries.stream().map(Entry::column).toList(), entries.getFirst().target()))
          .toList();
    }
  }

  /** Returns the unique indexes of a table, and everything else that keeps rows apart. */
  public final List<UniqueIndex> uniqueIndexes(JdbcClient sql, Table table) {
    return catalog.uniqueIndexes(sql, table);
  }

  /**
   * A unique index, or the index of an exclusion constraint.
   *
   * @param name its name, for messages
   * @param parts its columns and expressions, without columns that it only stores
   */
  public record UniqueIndex(String name, List<Part> parts) {
    public UniqueIndex {
      parts = List.copyOf(parts);
    }

    /**
     * A column or an expression of the index.
     *
     * @param column the column; empty for an expression and for a computed column
     * @param isExact whether two rows are in conflict only if their values have the same bytes
     * @param hasFreshDefault whether a new row that gives no value gets one that no other row has,
     *     or a NULL that is in conflict with no other
     */
    public record Part(String column, boolean isExact, boolean hasFreshDefault) {}

    /** A part, with the name of its index. */
    record NamedPart(String index, Part part) {}

    static List<UniqueIndex> of(List<NamedPart> all) {
      Map<String, List<Part>> parts = new LinkedHashMap<>();
      for (NamedPart each : all) {
        parts.computeIfAbsent(each.index(), name -> new ArrayList<>()).add(each.part());
      }
      return parts.entrySet().stream()
          .map(index -> new UniqueIndex(index.getKey(), index.getValue()))
          .toList();
    }

    /** Returns whether the index contains this column. */
    public boolean contains(String column) {
      return parts.stream().anyMatch(part -> part.column().equals(column));
    }

    /** Returns whether only rows with the same bytes in this column are in conflict. */
    public boolean comparesBytesOf(String column) {
      return parts.stream().anyMatch(part -> part.isExact() && part.column().equals(column));
    }
  }

  /** Returns a term of ORDER BY, or of an index, for ascending order. */
  public abstract String ascending(Table.Column column, SortOrder order);

  /** Returns a term of ORDER BY, or of an index, for the reverse of {@link #ascending}. */
  public abstract String descending(Table.Column column, SortOrder order);

  /**
   * Asks the database's planner how it would put the rows of a SELECT in their order. An index
   * counts even if the table is so small that the planner would not use it now.
   *
   * @param select a SELECT that reads the rows with one value in each of the columns {@code equal}.
   *     An index counts only if it also finds these rows
   * @param equal the columns that the SELECT compares with a value
   * @param parameters the parameters of the SELECT
   */
  public abstract SortPlan sortPlan(
      JdbcClient sql, String select, List<Table.Column> equal, List<Object> parameters);

  /**
   * Returns whether an index finds the rows of a SELECT, even if the table is so small that the
   * planner would not use it now. An index finds them if it begins with the columns that the SELECT
   * compares. For a view, the planner alone decides.
   *
   * @param select a SELECT from the table that compares each of the columns with a value
   * @param compared the columns, in any order
   * @param parameters the parameters of the SELECT
   */
  public abstract boolean isFoundByIndex(
      JdbcClient sql,
      Table table,
      String select,
      List<Table.Column> compared,
      List<Object> parameters);

  /** Returns whether a text names a column, and not only another one whose name contains it. */
  static boolean names(String text, Table.Column column) {
    return Pattern.compile("(?<!\\w)" + Pattern.quote(column.name()) + "(?!\\w)")
        .matcher(text)
        .find();
  }

  /**
   * The comparison of a column with a stored value, in an order.
   *
   * @param expression the expression of the column, as ORDER BY has it
   * @param parameter the parameter for a stored value
   * @param isNullFirst whether NULL comes before every value if the order ascends
   * @param hasRanges whether an index serves a comparison of rows that contains the column
   */
  public record SortKey(
      String expression, String parameter, boolean isNullFirst, boolean hasRanges) {}

  /** Returns how an order compares a column. */
  public abstract SortKey sortKey(Table.Column column, SortOrder order);

  /** Returns a comparison operator of the database's own, with spaces around it. */
  public abstract String operator(String symbol);

  /** Returns the expression that selects the value of a column as it is stored. */
  public abstract String stored(Table.Column column);

  /**
   * Reads a value that {@link #stored(Table.Column)} selects; returns null for NULL.
   *
   * @throws SQLException if the read fails, or no Java value is exactly the stored one
   */
  public abstract @Nullable Object stored(ResultSet row, int column) throws SQLException;

  /**
   * Returns whether columns can have these stored values, which somebody may have made up. If the
   * result is false, the database may have aborted the transaction.
   */
  public abstract boolean canHave(
      JdbcClient sql, List<SortKey> columns, List<@Nullable Object> values);

  /**
   * Returns the statement that creates an index; empty if the relation, or one of the columns in
   * this order, cannot have one.
   */
  public abstract Optional<String> createIndex(
      JdbcClient sql, Table table, IndexColumns columns, SortOrder order);

  /**
   * The columns of an index.
   *
   * @param equal the columns that come first, for conditions of equality
   * @param sorted the columns that follow, in the order of {@link #ascending}
   */
  public record IndexColumns(List<Table.Column> equal, List<Table.Column> sorted) {
    public IndexColumns {
      equal = List.copyOf(equal);
      sorted = List.copyOf(sorted);
    }
  }

  /**
   * Returns the names of all tables and views, sorted, without those of the database itself and of
   * its extensions. A partitioned table stands for its partitions.
   */
  public final List<TableName> relations(JdbcClient sql) {
    return catalog.relations(sql);
  }

  /** Describes a table or view; empty if none has this name. */
  public final Optional<Table> describe(JdbcClient sql, TableName name) {
    return catalog.describe(sql, name);
  }

  /**
   * Returns the full names of a few tables and views in any schema that have this name, apart from
   * upper and lower case. The service's own tables are not among them.
   */
  public final List<TableName> namesakes(JdbcClient sql, TableName name) {
    return catalog.namesakes(sql, name);
  }

  /** An operator that compares a column with a value, in the order of a listing. */
  public enum RangeOperator {
    AT_LEAST(">="),
    ABOVE(">"),
    AT_MOST("<="),
    BELOW("<");

    private final String sql;

    RangeOperator(String sql) {
      this.sql = sql;
    }

    /** Returns the operator in SQL. */
    String sql() {
      return sql;
    }

    /** Returns whether the operator sets the lower end of a range. */
    boolean isLower() {
      return this == AT_LEAST || this == ABOVE;
    }
  }

  /** How a database puts the rows of a page in order. */
  public enum SortPlan {
    /** It reads an index in order, so it reads no more rows than the page needs. */
    INDEX,
    /**
     * Another server puts the rows of a foreign table in order, in a way that is not known here.
     */
    FOREIGN,
    /** It sorts the rows of the whole table. */
    SORT
  }
}
