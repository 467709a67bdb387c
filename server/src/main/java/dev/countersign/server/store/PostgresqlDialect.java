package dev.countersign.server.store;

import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.postgresql.core.BaseConnection;
import org.postgresql.core.TransactionState;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * The dialect of PostgreSQL. PostgreSQL has a type for each {@link ColumnType}. Each ORDER BY term
 * states the order of text and of NULL, so that PostgreSQL sorts like SQLite.
 */
final class PostgresqlDialect extends Dialect {
  // PostgreSQL adds this number to the length or precision that it stores in atttypmod.
  private static final int MODIFIER_BASE = 4;

  // Every decimal with this number of digits is read back as it was written.
  private static final int FLOAT4_DIGITS = 6;
  private static final int FLOAT8_DIGITS = 15;

  /** The type {@code char(n)}. */
  private static final String PADDED = "bpchar";

  /** The type {@code timestamp without time zone}. */
  private static final String WITHOUT_ZONE = "timestamp";

  // Follows each domain to the type behind it.
  private static final String COLUMNS =
      """
      WITH RECURSIVE followed (attnum, type, modifier) AS (
        SELECT attnum, atttypid, atttypmod FROM pg_attribute
        WHERE attrelid = :table AND attnum > 0 AND NOT attisdropped
        UNION ALL
        SELECT f.attnum, t.typbasetype, t.typtypmod
        FROM followed f JOIN pg_type t ON t.oid = f.type WHERE t.typtype = 'd')
      SELECT a.attname, format_type(a.atttypid, a.atttypmod),
             CASE WHEN n.nspname = 'pg_catalog' THEN t.typname::text
                  ELSE quote_ident(n.nspname) || '.' || quote_ident(t.typname) END,
             a.attnotnull,
             a.attgenerated <> '' OR a.attidentity = 'a',
             a.atthasdef OR a.attidentity <> '',
             f.modifier,
             ARRAY(SELECT e.enumlabel::text FROM pg_enum e WHERE e.enumtypid = t.oid
                   ORDER BY e.enumsortorder),
             has_column_privilege(a.attrelid, a.attnum, 'SELECT'),
             has_column_privilege(a.attrelid, a.attnum, 'INSERT'),
             t.typcategory = 'A'
      FROM followed f
      JOIN pg_attribute a ON a.attrelid = :table AND a.attnum = f.attnum
      JOIN pg_type t ON t.oid = f.type AND t.typtype <> 'd'
      JOIN pg_namespace n ON n.oid = t.typnamespace
      ORDER BY a.attnum
      """;
  private static final int NAMESAKES = 3;

  private static final Pattern SORT_NODE =
      Pattern.compile("\"Node Type\": \"(Incremental )?Sort\"");

  private final String beginRead;
  private final String beginTableRead;
  private final PostgresqlSchema schema;

  PostgresqlDialect(Duration readLimit, PostgresqlSchema schema) {
    this.schema = schema;
    String snapshot =
        "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY; SET LOCAL statement_timeout = "
            + readLimit.toMillis()
            + "; ";
    this.beginRead = snapshot + schema.seeOwnTables();
    this.beginTableRead = snapshot + schema.seeUserTables();
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
  public @Nullable String uuidText(ResultSet row, int column) throws SQLException {
    return row.getString(column);
  }

  @Override
  public @Nullable Boolean bool(ResultSet row, int column) throws SQLException {
    boolean value = row.getBoolean(column);
    return row.wasNull() ? null : value;
  }

  // The driver pads a char(n) with spaces, which are not part of its value.
  @Override
  public @Nullable String text(ResultSet row, int column, Table.Column described)
      throws SQLException {
    String text = row.getString(column);
    if (text == null || !described.type().base().equals(PADDED)) {
      return text;
    }
    int end = text.length();
    while (end > 0 && text.charAt(end - 1) == ' ') {
      end--;
    }
    return text.substring(0, end);
  }

  @Override
  public @Nullable String timestampText(ResultSet row, int column, Table.Column described)
      throws SQLException {
    if (!described.type().base().equals(WITHOUT_ZONE)) {
      Instant instant = instant(row, column);
      return instant == null ? null : Timestamps.text(instant);
    }
    LocalDateTime time = row.getObject(column, LocalDateTime.class);
    return time == null ? null : Timestamps.text(time.toInstant(ZoneOffset.UTC));
  }

  @Override
  public @Nullable String dateText(ResultSet row, int column) throws SQLException {
    LocalDate date = row.getObject(column, LocalDate.class);
    return date == null ? null : Timestamps.text(date);
  }

  // PostgreSQL accepts nothing but JSON in a column of type json or jsonb.
  @Override
  public @Nullable String jsonText(ResultSet row, int column) throws SQLException {
    return row.getString(column);
  }

  @Override
  public boolean delivers(
      ResultSetMetaData result, int column, Table.Column described, ColumnType type)
      throws SQLException {
    String base = described.type().base();
    return switch (result.getColumnType(column)) {
      case Types.VARCHAR -> type == ColumnType.TEXT && !base.equals(PADDED);
      case Types.CHAR -> base.equals(PADDED);
      case Types.SMALLINT, Types.INTEGER, Types.BIGINT ->
          type == ColumnType.INTEGER || type == ColumnType.DECIMAL;
      case Types.NUMERIC, Types.REAL, Types.DOUBLE -> type == ColumnType.DECIMAL;
      case Types.BIT -> type == ColumnType.BOOLEAN;
      case Types.TIMESTAMP, Types.TIMESTAMP_WITH_TIMEZONE ->
          result.getColumnTypeName(column).equals(base);
      case Types.DATE -> type == ColumnType.DATE;
      // The driver has one number for all other types.
      default ->
          switch (type) {
            case UUID -> result.getColumnClassName(column).equals(UUID.class.getName());
            case JSON -> values(result.getColumnTypeName(column)).contains(ColumnType.JSON);
            default -> false;
          };
    };
  }

  @Override
  public @Nullable BigDecimal decimal(ResultSet row, int column) throws SQLException {
    String text = row.getString(column);
    return text == null ? null : new BigDecimal(text);
  }

  @Override
  public String column(String name) {
    return quote(name);
  }

  // Each of the two types needs its own way to be read, and its own parameter.
  @Override
  public boolean isReadAlike(Table.Column.Type before, Table.Column.Type now) {
    return before.base().equals(now.base())
        || Stream.of(before.base(), now.base())
            .noneMatch(base -> base.equals(PADDED) || base.equals(WITHOUT_ZONE));
  }

  // Another user may have created an operator in a schema of the user's path that fits the types
  // better than that of PostgreSQL.
  @Override
  public String equalTo(Table.Column column) {
    return column(column.name()) + " OPERATOR(pg_catalog.=) " + parameter(column);
  }

  @Override
  public String conversion(Table.Column column) {
    String name = quote(column.name());
    return column.type().isArray() ? "to_jsonb(" + name + ")" : name + "::text";
  }

  // Without the casts, PostgreSQL would compare a char(n) as text, which no index of the column
  // serves, and would refuse text for the other types.
  @Override
  public String parameter(Table.Column column) {
    String base = column.type().base();
    return switch (base) {
      case PADDED, "json", "jsonb" -> "CAST(? AS " + base + ")";
      case WITHOUT_ZONE -> "CAST(? AS timestamptz) AT TIME ZONE 'UTC'";
      default -> column.type().isEnum() ? "CAST(? AS " + base + ")" : "?";
    };
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
    boolean isText = column.type().values().contains(ColumnType.TEXT);
    String sorted = column.type().isEnum() ? "CAST(" + name + " AS text)" : name;
    return sorted + (isText ? " COLLATE \"C\"" : "") + direction + (column.nullable() ? nulls : "");
  }

  // A small table is cheaper to sort than to read by an index, so the planner must do without sorts
  // where it can. Each sort that remains in the plan is one that no index can replace. Names in the
  // plan cannot be mistaken for nodes, because JSON escapes their quotation marks.
  @Override
  public SortPlan sortPlan(JdbcClient sql, String select, Object... parameters) {
    sql.sql(
            """
            SELECT set_config(name, 'off', true) FROM pg_settings
            WHERE name IN ('enable_sort', 'enable_incremental_sort')
            """)
        .query((row, number) -> 1)
        .list();
    String plan =
        sql.sql("EXPLAIN (FORMAT JSON) " + select).params(parameters).query(String.class).single();
    if (SORT_NODE.matcher(plan).find()) {
      return SortPlan.SORT;
    }
    return plan.contains("\"Node Type\": \"Foreign Scan\"") ? SortPlan.FOREIGN : SortPlan.INDEX;
  }

  @Override
  public Optional<String> createIndex(
      JdbcClient sql, Table table, List<Table.Column> columns, SortOrder order) {
    List<String> terms =
        columns.stream().map(column -> ordered(column, order, "", " NULLS FIRST")).toList();
    // An index takes only immutable expressions, and the cast of an enum to text is not immutable.
    boolean isImmutable =
        order == SortOrder.DATABASE || columns.stream().noneMatch(column -> column.type().isEnum());
    if (!isImmutable) {
      return Optional.empty();
    }
    String create =
        switch (table.kind()) {
          case TABLE, MATERIALIZED_VIEW -> "CREATE INDEX CONCURRENTLY ON ";
          case PARTITIONED_TABLE -> "CREATE INDEX ON ";
          case VIEW, FOREIGN_TABLE, VIRTUAL_TABLE -> "";
        };
    return create.isEmpty()
        ? Optional.empty()
        : Optional.of(create + table.sql() + " (" + String.join(", ", terms) + ");");
  }

  @Override
  public int decimalDigits() {
    return 38;
  }

  @Override
  public List<TableName> relations(JdbcClient sql) {
    return sql.sql(
            """
            SELECT n.nspname, c.relname
            FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
            WHERE c.relkind IN ('r', 'p', 'f', 'v', 'm') AND NOT c.relispartition
              AND n.nspname <> 'information_schema' AND NOT starts_with(n.nspname::text, 'pg_')
              AND NOT EXISTS (
                SELECT FROM pg_depend d
                WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')
            ORDER BY n.nspname, c.relname
            """)
        .query((row, number) -> new TableName(row.getString(1), row.getString(2)))
        .list();
  }

  @Override
  public Optional<Table> describe(JdbcClient sql, TableName name) {
    return sql.sql(
            """
            SELECT c.oid, n.nspname, c.relname, c.relkind::text, row_security_active(c.oid),
                   has_schema_privilege(n.oid, 'USAGE'), quote_ident(current_user)
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

  @Override
  public List<TableName> namesakes(JdbcClient sql, TableName name) {
    return sql
        .sql(
            """
            SELECT n.nspname, c.relname
            FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
            WHERE lower(c.relname) = lower(?) AND c.relkind IN ('r', 'p', 'f', 'v', 'm')
              AND n.nspname <> 'information_schema' AND n.nspname NOT LIKE 'pg\\_%'
            ORDER BY 1, 2
            """)
        .param(name.table())
        .query((row, number) -> new TableName(row.getString(1), row.getString(2)))
        .stream()
        .filter(found -> !schema.isOwnTable(String.valueOf(found.schema()), found.table()))
        .limit(NAMESAKES)
        .toList();
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
        sql.sql(COLUMNS)
            .param("table", oid)
            .query(
                (row, number) -> {
                  if (row.getBoolean(9)) {
                    readable.add(row.getString(1));
                  }
                  if (row.getBoolean(10)) {
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
    return new Table(
        in + "." + name,
        quote(in) + "." + quote(name),
        kind(relation.getString(4)),
        schema.isOwnTable(in, name),
        columns,
        Set.copyOf(unique),
        new Table.Grants(
            relation.getString(7),
            relation.getBoolean(6) ? Optional.empty() : Optional.of(quote(in)),
            readable,
            insertable,
            unusableSequences(sql, oid),
            relation.getBoolean(5)));
  }

  // An identity column also has a sequence, but its values need no right.
  private static Map<String, String> unusableSequences(JdbcClient sql, long table) {
    Map<String, String> sequences = new TreeMap<>();
    sql.sql(
            """
            SELECT a.attname, n.nspname, s.relname
            FROM pg_attrdef d
            JOIN pg_attribute a ON a.attrelid = d.adrelid AND a.attnum = d.adnum
            JOIN pg_depend p ON p.classid = 'pg_attrdef'::regclass AND p.objid = d.oid
            JOIN pg_class s ON p.refclassid = 'pg_class'::regclass AND s.oid = p.refobjid
            JOIN pg_namespace n ON n.oid = s.relnamespace
            WHERE d.adrelid = ?
              AND CASE s.relkind WHEN 'S' THEN NOT has_sequence_privilege(s.oid, 'USAGE, UPDATE') END
            """)
        .param(table)
        .query(
            row -> {
              sequences.put(
                  row.getString(1), quote(row.getString(2)) + "." + quote(row.getString(3)));
            });
    return sequences;
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
    Table.Column.Fill fill = Table.Column.Fill.NEVER;
    if (row.getBoolean(5)) {
      fill = Table.Column.Fill.ALWAYS;
    } else if (row.getBoolean(6)) {
      fill = Table.Column.Fill.IF_OMITTED;
    }
    return new Table.Column(row.getString(1), type(row), !row.getBoolean(4), fill);
  }

  private static Table.Column.Type type(ResultSet row) throws SQLException {
    String base = row.getString(3);
    List<String> labels = List.of((String[]) row.getArray(8).getArray());
    return new Table.Column.Type(
        row.getString(2),
        base,
        labels.isEmpty() ? values(base) : EnumSet.of(ColumnType.TEXT),
        limits(base, row.getInt(7)),
        labels,
        row.getBoolean(11));
  }

  /**
   * Returns the limits of a type.
   *
   * @param modifier the length, precision or scale that the column declares; -1 for none
   */
  private static Table.Column.Limits limits(String base, int modifier) {
    boolean isDeclared = modifier >= 0;
    return switch (base) {
      case "varchar" ->
          isDeclared
              ? Table.Column.Limits.ofLength(modifier - MODIFIER_BASE)
              : Table.Column.Limits.NONE;
      case PADDED ->
          (isDeclared
                  ? Table.Column.Limits.ofLength(modifier - MODIFIER_BASE)
                  : Table.Column.Limits.NONE)
              .losing(Table.Column.Loss.TRAILING_SPACES);
      case "int2", "int4", "int8" -> Table.Column.Limits.ofDecimals(0);
      // The low 11 bits hold the scale, which may be negative.
      case "numeric" ->
          isDeclared
              ? Table.Column.Limits.ofDecimals(((modifier - MODIFIER_BASE) << 21) >> 21)
              : Table.Column.Limits.NONE;
      case "timestamptz", WITHOUT_ZONE ->
          isDeclared ? Table.Column.Limits.ofDecimals(modifier) : Table.Column.Limits.NONE;
      case "float4" -> Table.Column.Limits.ofDigits(FLOAT4_DIGITS);
      case "float8" -> Table.Column.Limits.ofDigits(FLOAT8_DIGITS);
      default -> Table.Column.Limits.NONE;
    };
  }

  private static Set<ColumnType> values(String base) {
    return switch (base) {
      case "uuid" -> EnumSet.of(ColumnType.UUID);
      case "text", "varchar", PADDED -> EnumSet.of(ColumnType.TEXT);
      case "int2", "int4", "int8" -> EnumSet.of(ColumnType.INTEGER, ColumnType.DECIMAL);
      case "numeric", "float4", "float8" -> EnumSet.of(ColumnType.DECIMAL);
      case "bool" -> EnumSet.of(ColumnType.BOOLEAN);
      case "timestamptz", WITHOUT_ZONE -> EnumSet.of(ColumnType.TIMESTAMP);
      case "date" -> EnumSet.of(ColumnType.DATE);
      case "json", "jsonb" -> EnumSet.of(ColumnType.JSON);
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
    execute(connection, beginTableRead);
  }

  @Override
  public <T> T onTables(JdbcClient sql, Supplier<T> work) {
    sql.sql(schema.seeUserTables()).query((row, number) -> 1).list();
    T result = work.get();
    // Deferred constraint triggers would otherwise run at the end of the transaction, when they see
    // the service's tables.
    sql.sql("SET CONSTRAINTS ALL IMMEDIATE").update();
    sql.sql(schema.seeOwnTables()).query((row, number) -> 1).list();
    return result;
  }

  @Override
  void endRead(Connection connection) {}

  @Override
  void close() {}

  @Override
  void beginWrite(Connection connection) throws SQLException {
    execute(connection, schema.seeOwnTables());
  }

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
          case "22001", "22003", "22007", "22008", "22P02", "22P05", "22021" -> Violation.VALUE;
          case "42501" -> isByRowSecurity(failure) ? Violation.CHECK : null;
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
          case "40" -> "busy";
          // 55000 says that an object, such as a materialized view, is not ready for use.
          case "55" -> state.equals("55000") ? null : "busy";
          case "0A" -> isStale(failure) ? "preparing its statements again" : null;
          case "53" -> "full";
          case "25" -> state.equals("25006") ? "read-only" : null;
          case "XX" -> state.equals("XX000") ? null : "damaged";
          default -> null;
        });
  }

  // A prepared statement of the connection returns columns whose types have changed since.
  @Override
  boolean isStale(SQLException failure) {
    return routine(failure).equals("RevalidateCachedQuery");
  }

  // A policy does not admit the new row. Missing rights have the same state.
  private static boolean isByRowSecurity(SQLException failure) {
    return routine(failure).equals("ExecWithCheckOptions");
  }

  /** Returns the routine of PostgreSQL that reported a failure; empty if it is not known. */
  private static String routine(SQLException failure) {
    ServerErrorMessage said =
        failure instanceof PSQLException answer ? answer.getServerErrorMessage() : null;
    return said == null || said.getRoutine() == null ? "" : said.getRoutine();
  }

  @Override
  String reasonOf(SQLException failure) {
    ServerErrorMessage said =
        failure instanceof PSQLException refused ? refused.getServerErrorMessage() : null;
    if (said == null) {
      return super.reasonOf(failure);
    }
    String hint = said.getHint();
    return (said.getMessage() + (hint == null ? "" : "; " + hint))
        .strip()
        .replaceAll("\\s*\\R\\s*", "; ");
  }

  private static String state(SQLException failure) {
    String state = failure.getSQLState();
    return state == null ? "" : state;
  }
}
