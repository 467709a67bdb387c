package dev.countersign.server.store;

import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/**
 * The dialect of SQLite. SQLite has few types, so UUIDs and timestamps are stored as text in one
 * exact form.
 */
final class SqliteDialect extends Dialect {
  private static final String MAIN = "main";

  private final ReadTimeouts readTimeouts;

  SqliteDialect(Duration readLimit) {
    this.readTimeouts = new ReadTimeouts(readLimit);
  }

  @Override
  public String databaseName() {
    return "SQLite";
  }

  @Override
  public @Nullable Object bind(@Nullable Object value) {
    if (value == null) {
      return null;
    }
    return switch (value) {
      case UUID uuid -> uuid.toString();
      case Instant instant -> Timestamps.milliseconds(instant);
      case Boolean bool -> bool ? 1 : 0;
      case BigDecimal decimal -> decimal.toString();
      default -> value;
    };
  }

  @Override
  public @Nullable UUID uuid(ResultSet row, int column) throws SQLException {
    String text = row.getString(column);
    return text == null ? null : UUID.fromString(text);
  }

  @Override
  public @Nullable Instant instant(ResultSet row, int column) throws SQLException {
    String text = row.getString(column);
    try {
      return text == null ? null : Timestamps.parse(text);
    } catch (DateTimeException e) {
      throw new SQLException(
          "a timestamp column contains text that is not a timestamp", "22007", e);
    }
  }

  @Override
  public @Nullable String timestampText(ResultSet row, int column) throws SQLException {
    String text = row.getString(column);
    if (text == null || Timestamps.isOfFixedWidth(text)) {
      return text;
    }
    Instant instant = instant(row, column);
    return instant == null ? null : Timestamps.text(instant);
  }

  // Design note: by default, SQLite sorts NULL before every value. NULLS FIRST is therefore not
  // needed, and it would prevent the use of an index. BINARY compares UTF-8 bytes, which gives the
  // order of code points.
  @Override
  public String ascending(Table.Column column, SortOrder order) {
    return collated(column, order) + " ASC";
  }

  @Override
  public String descending(Table.Column column, SortOrder order) {
    return collated(column, order) + " DESC";
  }

  private static String collated(Table.Column column, SortOrder order) {
    boolean isText = order == SortOrder.CODE_POINTS && column.types().contains(ColumnType.TEXT);
    return quote(column.name()) + (isText ? " COLLATE BINARY" : "");
  }

  @Override
  public int decimalDigits() {
    return 15;
  }

  @Override
  public Optional<Table> describe(JdbcClient sql, TableName name) {
    if (name.schema() != null && !name.schema().equals(MAIN)) {
      return Optional.empty();
    }
    return sql.sql(
            "SELECT name, type FROM sqlite_schema WHERE name = ? COLLATE NOCASE"
                + " AND type IN ('table', 'view')")
        .param(name.table())
        .query((row, number) -> table(sql, row.getString(1), row.getString(2)))
        .optional();
  }

  private static Table table(JdbcClient sql, String table, String kind) {
    Set<String> unique = new HashSet<>(uniqueColumns(sql, table));
    List<String> primaryKey = primaryKey(sql, table);
    if (primaryKey.size() == 1) {
      unique.addAll(primaryKey);
    }
    List<Table.Column> columns =
        sql.sql(
                """
                SELECT name, type, "notnull", dflt_value IS NOT NULL, pk, hidden
                FROM pragma_table_xinfo(?) WHERE hidden <> 1 ORDER BY cid
                """)
            .param(table)
            .query((row, number) -> column(row, primaryKey.size()))
            .list();
    return new Table(
        table,
        quote(table),
        kind.equals("view") ? Table.Kind.VIEW : Table.Kind.TABLE,
        true,
        columns,
        unique,
        Table.Grants.all(columns));
  }

  private static List<String> primaryKey(JdbcClient sql, String table) {
    return sql.sql("SELECT name FROM pragma_table_xinfo(?) WHERE pk > 0 ORDER BY pk")
        .param(table)
        .query((row, number) -> row.getString(1))
        .list();
  }

  private static List<String> uniqueColumns(JdbcClient sql, String table) {
    return sql.sql(
            """
            SELECT max(c.name) FROM pragma_index_list(?) i JOIN pragma_index_info(i.name) c
            WHERE i."unique" = 1 AND i.partial = 0
            GROUP BY i.name HAVING count(*) = 1 AND max(c.name) IS NOT NULL
            """)
        .param(table)
        .query((row, number) -> row.getString(1))
        .list();
  }

  private static Table.Column column(ResultSet row, int keyColumns) throws SQLException {
    String declared = row.getString(2).toUpperCase(Locale.ROOT);
    // A primary key of one INTEGER column is the rowid: SQLite assigns it, and it is never NULL.
    boolean rowid = row.getInt(5) > 0 && keyColumns == 1 && declared.equals("INTEGER");
    boolean computed = row.getInt(6) > 0;
    return new Table.Column(
        row.getString(1),
        row.getString(2),
        types(declared),
        !rowid && !row.getBoolean(3),
        rowid || computed || row.getBoolean(4),
        OptionalInt.empty(),
        OptionalInt.empty());
  }

  // SQLite derives the affinity of a column from parts of its declared type (Datatypes in SQLite,
  // section 3.1).
  private static Set<ColumnType> types(String declared) {
    if (declared.contains("INT")) {
      return EnumSet.of(ColumnType.INTEGER, ColumnType.DECIMAL, ColumnType.BOOLEAN);
    }
    if (declared.contains("CHAR") || declared.contains("CLOB") || declared.contains("TEXT")) {
      return EnumSet.of(ColumnType.TEXT, ColumnType.UUID, ColumnType.TIMESTAMP);
    }
    if (declared.contains("REAL") || declared.contains("FLOA") || declared.contains("DOUB")) {
      return EnumSet.of(ColumnType.DECIMAL);
    }
    return switch (declared.replaceAll("\\(.*", "").strip()) {
      case "UUID" -> EnumSet.of(ColumnType.UUID);
      case "BOOLEAN", "BOOL" -> EnumSet.of(ColumnType.BOOLEAN);
      case "TIMESTAMP", "DATETIME" -> EnumSet.of(ColumnType.TIMESTAMP);
      case "NUMERIC", "DECIMAL" -> EnumSet.of(ColumnType.DECIMAL, ColumnType.INTEGER);
      default -> EnumSet.noneOf(ColumnType.class);
    };
  }

  @Override
  void beginRead(Connection connection) throws SQLException {
    readTimeouts.begin(connection);
    execute(connection, "BEGIN");
  }

  @Override
  void beginTableRead(Connection connection) throws SQLException {
    beginRead(connection);
  }

  @Override
  public <T> T onTables(JdbcClient sql, Supplier<T> work) {
    return work.get();
  }

  @Override
  void endRead(Connection connection) throws SQLException {
    readTimeouts.end(connection);
  }

  @Override
  void close() {
    readTimeouts.close();
  }

  // Design note: writes begin and end with SQL statements, because the driver's commit() begins the
  // next transaction at once. That transaction would hold the write lock, and its start could fail
  // although the commit succeeded.
  @Override
  void beginWrite(Connection connection) throws SQLException {
    execute(connection, "BEGIN IMMEDIATE");
  }

  @Override
  void commit(Connection connection) throws SQLException {
    execute(connection, "COMMIT");
  }

  @Override
  void rollback(Connection connection) throws SQLException {
    execute(connection, "ROLLBACK");
  }

  @Override
  Optional<Violation> violationOf(SQLException failure) {
    if (!(failure instanceof SQLiteException sqlite)) {
      return Optional.empty();
    }
    return switch (sqlite.getResultCode()) {
      case SQLITE_CONSTRAINT_UNIQUE, SQLITE_CONSTRAINT_PRIMARYKEY, SQLITE_CONSTRAINT_ROWID ->
          Optional.of(Violation.UNIQUE);
      case SQLITE_CONSTRAINT_NOTNULL -> Optional.of(Violation.NOT_NULL);
      case SQLITE_CONSTRAINT_FOREIGNKEY -> Optional.of(Violation.FOREIGN_KEY);
      case SQLITE_MISMATCH, SQLITE_TOOBIG -> Optional.of(Violation.VALUE);
      default ->
          primary(sqlite) == SQLiteErrorCode.SQLITE_CONSTRAINT.code
              ? Optional.of(Violation.CHECK)
              : Optional.empty();
    };
  }

  @Override
  Optional<String> unavailability(SQLException failure) {
    if (!(failure instanceof SQLiteException sqlite)) {
      return Optional.empty();
    }
    return Optional.ofNullable(
        switch (SQLiteErrorCode.getErrorCode(primary(sqlite))) {
          case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL -> "busy";
          case SQLITE_FULL -> "full";
          case SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH -> "read-only";
          case SQLITE_IOERR, SQLITE_CANTOPEN, SQLITE_NOMEM -> "unreachable";
          case SQLITE_CORRUPT, SQLITE_NOTADB -> "damaged";
          case SQLITE_INTERRUPT -> "too slow";
          default -> null;
        });
  }

  /** Returns the primary result code: the low eight bits of the extended result code. */
  private static int primary(SQLiteException failure) {
    return failure.getResultCode().code & 0xff;
  }
}
