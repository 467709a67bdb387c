package dev.countersign.server.store;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.postgresql.core.BaseConnection;
import org.postgresql.core.TransactionState;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * The dialect of PostgreSQL. PostgreSQL has a type for each {@link ColumnType}. Each ORDER BY term
 * states the order of text and of NULL, so that PostgreSQL sorts like SQLite.
 */
final class PostgresqlDialect extends Dialect {
  // PostgreSQL adds this number to the length or precision that it stores in atttypmod.
  private static final int MODIFIER_BASE = 4;

  private final String beginRead;
  private final PostgresqlSchema schema;

  PostgresqlDialect(Duration readLimit, PostgresqlSchema schema) {
    this.schema = schema;
    this.beginRead =
        "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY; SET LOCAL statement_timeout = "
            + readLimit.toMillis();
  }

  @Override
  public String databaseName() {
    return "PostgreSQL";
  }

  @Override
  public @Nullable Object bind(@Nullable Object value) {
    return value instanceof Instant instant
        ? OffsetDateTime.ofInstant(instant, ZoneOffset.UTC)
        : value;
  }

  @Override
  public @Nullable UUID uuid(ResultSet row, int column) throws SQLException {
    return row.getObject(column, UUID.class);
  }

  @Override
  public @Nullable Instant instant(ResultSet row, int column) throws SQLException {
    OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
    return time == null ? null : time.toInstant();
  }

  @Override
  public @Nullable String timestampText(ResultSet row, int column) throws SQLException {
    Instant instant = instant(row, column);
    return instant == null ? null : Timestamps.text(instant);
  }

  @Override
  public String ascending(Table.Column column, SortOrder order) {
    return ordered(column, order, " ASC", " NULLS FIRST");
  }

  @Override
  public String descending(Table.Column column, SortOrder order) {
    return ordered(column, order, " DESC", " NULLS LAST");
  }

  private static String ordered(
      Table.Column column, SortOrder order, String direction, String nulls) {
    String name = quote(column.name());
    if (order == SortOrder.DATABASE) {
      return name + direction;
    }
    boolean isText = column.types().contains(ColumnType.TEXT);
    return name + (isText ? " COLLATE \"C\"" : "") + direction + (column.nullable() ? nulls : "");
  }

  @Override
  public int decimalDigits() {
    return 38;
  }

  @Override
  public Optional<Table> describe(JdbcClient sql, TableName name) {
    return sql.sql(
            """
            SELECT c.oid, n.nspname, c.relname, c.relkind::text,
                   CASE WHEN has_schema_privilege(n.oid, 'USAGE') THEN ''
                        ELSE format('GRANT USAGE ON SCHEMA %I TO %I; ', n.nspname, current_user) END
            FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
            WHERE c.relname = :table AND c.relkind IN ('r', 'p', 'f', 'v', 'm')
              AND n.nspname = ANY (:schemas)
            ORDER BY array_position(:schemas, n.nspname) LIMIT 1
            """)
        .param("table", name.table())
        .param("schemas", schemasOf(name))
        .query((row, number) -> table(sql, row))
        .optional();
  }

  /** The schemas to search: the service's own, then those of the user's search path. */
  private String[] schemasOf(TableName name) {
    return name.schema() != null
        ? new String[] {name.schema()}
        : Stream.concat(Stream.of(schema.name()), schema.userSchemas().stream())
            .toArray(String[]::new);
  }

  private Table table(JdbcClient sql, ResultSet relation) throws SQLException {
    long oid = relation.getLong(1);
    String in = relation.getString(2);
    String name = relation.getString(3);
    Set<String> readable = new HashSet<>();
    Set<String> insertable = new HashSet<>();
    List<Table.Column> columns =
        sql.sql(
                """
                SELECT a.attname, format_type(a.atttypid, a.atttypmod), t.typname, a.attnotnull,
                       a.atthasdef OR a.attidentity <> '', a.atttypmod,
                       has_column_privilege(a.attrelid, a.attnum, 'SELECT'),
                       has_column_privilege(a.attrelid, a.attnum, 'INSERT')
                FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid
                WHERE a.attrelid = ? AND a.attnum > 0 AND NOT a.attisdropped
                ORDER BY a.attnum
                """)
            .param(oid)
            .query(
                (row, number) -> {
                  if (row.getBoolean(7)) {
                    readable.add(row.getString(1));
                  }
                  if (row.getBoolean(8)) {
                    insertable.add(row.getString(1));
                  }
                  return column(row);
                })
            .list();
    List<String> unique =
        sql.sql(
                """
                SELECT a.attname
                FROM pg_index i
                JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0]
                WHERE i.indrelid = ? AND i.indisunique AND i.indisvalid
                  AND i.indnkeyatts = 1 AND i.indpred IS NULL
                  AND NOT EXISTS (
                    SELECT FROM pg_inherits h JOIN pg_class p ON p.oid = h.inhparent
                    WHERE p.oid = i.indrelid AND p.relkind = 'r')
                """)
            .param(oid)
            .query((row, number) -> row.getString(1))
            .list();
    String user = sql.sql("SELECT quote_ident(current_user)").query(String.class).single();
    return new Table(
        in + "." + name,
        quote(in) + "." + quote(name),
        kind(relation.getString(4)),
        in.equals(schema.name()),
        columns,
        Set.copyOf(unique),
        new Table.Grants(user, relation.getString(5), readable, insertable));
  }

  private static Table.Kind kind(String relkind) {
    return switch (relkind) {
      case "p" -> Table.Kind.PARTITIONED_TABLE;
      case "f" -> Table.Kind.FOREIGN_TABLE;
      case "v" -> Table.Kind.VIEW;
      case "m" -> Table.Kind.MATERIALIZED_VIEW;
      default -> Table.Kind.TABLE;
    };
  }

  private static Table.Column column(ResultSet row) throws SQLException {
    String type = row.getString(3);
    // The length of a varchar, or the precision and scale of a numeric; negative if the column
    // declares neither.
    int modifier = row.getInt(6) - MODIFIER_BASE;
    boolean limited = type.equals("varchar") && modifier > 0;
    boolean rounded = (type.equals("numeric") && modifier >= 0) || type.startsWith("int");
    return new Table.Column(
        row.getString(1),
        row.getString(2),
        types(type),
        !row.getBoolean(4),
        row.getBoolean(5),
        limited ? OptionalInt.of(modifier) : OptionalInt.empty(),
        rounded ? OptionalInt.of(scale(type, modifier)) : OptionalInt.empty());
  }

  private static int scale(String type, int modifier) {
    // The low 11 bits of the modifier hold the scale.
    return type.equals("numeric") ? modifier & 0x7ff : 0;
  }

  private static Set<ColumnType> types(String type) {
    return switch (type) {
      case "uuid" -> EnumSet.of(ColumnType.UUID);
      case "text", "varchar" -> EnumSet.of(ColumnType.TEXT);
      case "int2", "int4", "int8" -> EnumSet.of(ColumnType.INTEGER, ColumnType.DECIMAL);
      case "numeric", "float4", "float8" -> EnumSet.of(ColumnType.DECIMAL);
      case "bool" -> EnumSet.of(ColumnType.BOOLEAN);
      case "timestamptz" -> EnumSet.of(ColumnType.TIMESTAMP);
      default -> EnumSet.noneOf(ColumnType.class);
    };
  }

  // The driver sends BEGIN together with the first statement, so this takes only one round trip.
  @Override
  void beginRead(Connection connection) throws SQLException {
    execute(connection, beginRead);
  }

  @Override
  void beginTableRead(Connection connection) throws SQLException {
    execute(connection, beginRead + "; " + schema.showUserPath());
  }

  @Override
  public <T> T onTables(JdbcClient sql, Supplier<T> work) {
    sql.sql(schema.showUserPath()).query((row, number) -> 1).list();
    T result = work.get();
    sql.sql(schema.showOwnTables()).update();
    return result;
  }

  @Override
  void endRead(Connection connection) {}

  @Override
  void close() {}

  @Override
  void beginWrite(Connection connection) {}

  // After a failed statement, PostgreSQL rolls back when it receives COMMIT, and the driver does
  // not report the rollback. Code that ignores the failed statement would then assume that its
  // change was made.
  @Override
  void commit(Connection connection) throws SQLException {
    if (connection.unwrap(BaseConnection.class).getTransactionState() == TransactionState.FAILED) {
      throw new SQLException("a statement of the transaction has failed", "25P02");
    }
    connection.commit();
  }

  @Override
  void rollback(Connection connection) throws SQLException {
    connection.rollback();
  }

  @Override
  Optional<Violation> violationOf(SQLException failure) {
    return Optional.ofNullable(
        switch (state(failure)) {
          case "23505" -> Violation.UNIQUE;
          case "23502" -> Violation.NOT_NULL;
          case "23503" -> Violation.FOREIGN_KEY;
          case "23514", "23P01", "23000", "P0001" -> Violation.CHECK;
          case "22001", "22003", "22007", "22008", "22P02", "22021", "42804" -> Violation.VALUE;
          default -> null;
        });
  }

  @Override
  Optional<String> unavailability(SQLException failure) {
    String state = state(failure);
    String kind = state.length() < 2 ? "" : state.substring(0, 2);
    return Optional.ofNullable(
        switch (kind) {
          case "08", "58" -> "unreachable";
          case "57" -> state.equals("57014") ? "too slow" : "unreachable";
          case "40", "55" -> "busy";
          case "53" -> "full";
          case "25" -> state.equals("25006") ? "read-only" : null;
          case "XX" -> state.equals("XX000") ? null : "damaged";
          default -> null;
        });
  }

  private static String state(SQLException failure) {
    String state = failure.getSQLState();
    return state == null ? "" : state;
  }
}
