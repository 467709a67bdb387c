package dev.countersign.server.tables;

import dev.countersign.server.store.Dialect;
import dev.countersign.server.store.PostgresqlDialect;
import dev.countersign.server.store.Timestamps;
import java.math.BigDecimal;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * The tables of PostgreSQL, which has a type for each {@link ColumnType}. Each ORDER BY term states
 * the order of text and of NULL, so that PostgreSQL sorts like SQLite.
 */
final class PostgresqlTables extends TableDialect {
  // PostgreSQL writes larger floating-point numbers with an exponent.
  private static final int MAX_WHOLE_DIGITS = 15;

  private static final Pattern INDEX_CONDITION = Pattern.compile("\"Index Cond\": .*");

  private static final Pattern SORT_NODE =
      Pattern.compile("\"Node Type\": \"(Incremental )?Sort\"");

  private final PostgresqlCatalog catalog;
  private final PostgresqlConditions conditions = new PostgresqlConditions(this);

  PostgresqlTables(PostgresqlDialect dialect) {
    this(dialect, new PostgresqlCatalog(dialect));
  }

  private PostgresqlTables(PostgresqlDialect dialect, PostgresqlCatalog catalog) {
    super(dialect, catalog);
    this.catalog = catalog;
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
    if (text == null || !described.type().base().equals(PostgresqlCatalog.PADDED)) {
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
    if (!described.type().base().equals(PostgresqlCatalog.WITHOUT_ZONE)) {
      Instant instant = dialect().instant(row, column);
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

  // NaN, the infinities and years that RFC 3339 cannot express.
  @Override
  public boolean hasUnreadable(ColumnType type) {
    return switch (type) {
      case DECIMAL, TIMESTAMP, DATE -> true;
      case UUID, TEXT, INTEGER, BOOLEAN, JSON -> false;
    };
  }

  @Override
  public boolean stillHasType(
      ResultSetMetaData result, int column, Table.Column described, ColumnType type)
      throws SQLException {
    String base = described.type().base();
    return switch (result.getColumnType(column)) {
      case Types.VARCHAR -> type == ColumnType.TEXT && !base.equals(PostgresqlCatalog.PADDED);
      case Types.CHAR -> base.equals(PostgresqlCatalog.PADDED);
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
            case JSON ->
                PostgresqlCatalog.valueTypes(result.getColumnTypeName(column))
                    .contains(ColumnType.JSON);
            default -> false;
          };
    };
  }

  @Override
  public Table.Column.Limits limits(ResultSetMetaData result, int column, Table.Column described)
      throws SQLException {
    String base = result.getColumnTypeName(column);
    return switch (base) {
      case "numeric", "int2", "int4", "int8", "float4", "float8" ->
          PostgresqlCatalog.limits(base, result.getPrecision(column), result.getScale(column));
      case "timestamptz", PostgresqlCatalog.WITHOUT_ZONE ->
          PostgresqlCatalog.limits(base, 0, result.getScale(column));
      default -> described.type().limits();
    };
  }

  // The driver reads floating-point numbers as PostgreSQL writes them, and later in binary. The two
  // texts differ, such as 3 and 3.0, or 9.999999999999999e+22 and 1.0E23. So a number always has
  // the value that Java writes, with which filters compare, and no zeros behind the point.
  @Override
  public @Nullable BigDecimal decimal(ResultSet row, int column) throws SQLException {
    String text = row.getString(column);
    if (text == null) {
      return null;
    }
    BigDecimal written = new BigDecimal(text);
    return switch (row.getMetaData().getColumnType(column)) {
      case Types.REAL -> withoutZeros(shown(written.floatValue()));
      case Types.DOUBLE -> withoutZeros(shown(written.doubleValue()));
      default -> written;
    };
  }

  private static BigDecimal withoutZeros(BigDecimal number) {
    BigDecimal stripped = number.stripTrailingZeros();
    return stripped.scale() < 0 && stripped.precision() - stripped.scale() <= MAX_WHOLE_DIGITS
        ? stripped.setScale(0)
        : stripped;
  }

  @Override
  public String column(String name) {
    return Dialect.quote(name);
  }

  // Named with its schema, because the search path may contain another function of this name.
  @Override
  public String count() {
    return "pg_catalog.count(*)";
  }

  // A char(n) and a timestamp without time zone are each read in their own way, and each has its
  // own parameter.
  @Override
  public boolean isReadAlike(Table.Column.Type before, Table.Column.Type now) {
    return before.base().equals(now.base())
        || Stream.of(before.base(), now.base())
            .noneMatch(
                base ->
                    base.equals(PostgresqlCatalog.PADDED)
                        || base.equals(PostgresqlCatalog.WITHOUT_ZONE));
  }

  @Override
  public String conversion(Table.Column column) {
    String name = Dialect.quote(column.name());
    if (column.type().base().equals("money")) {
      return name + "::numeric"; // its text depends on the locale
    }
    return column.type().isArray() ? "to_jsonb(" + name + ")" : name + "::text";
  }

  // Without the casts, PostgreSQL would compare a char(n) as text, which no index of the column
  // serves, and would refuse text for the other types.
  @Override
  public String parameter(Table.Column column) {
    String base = column.type().base();
    return switch (base) {
      case PostgresqlCatalog.PADDED, "json", "jsonb" -> cast(base);
      case PostgresqlCatalog.WITHOUT_ZONE -> cast("timestamptz") + " AT TIME ZONE 'UTC'";
      // The driver sends a float as a double, which a real seldom equals.
      case "float4" -> cast(base);
      default -> column.type().isEnum() ? cast(base) : "?";
    };
  }

  private static String cast(String type) {
    return "CAST(? AS " + PostgresqlConditions.qualifiedName(type) + ")";
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
    return PostgresqlConditions.sortExpression(column, order)
        + direction
        + (placesNulls(column, order) ? nulls : "");
  }

  // By default, PostgreSQL sorts NULL as greater than every value.
  private static boolean placesNulls(Table.Column column, SortOrder order) {
    return order != SortOrder.DATABASE && column.nullable();
  }

  @Override
  public SortKey sortKey(Table.Column column, SortOrder order) {
    boolean isComparedAsText = column.type().isEnum() && order != SortOrder.DATABASE;
    String type = isComparedAsText ? "text" : column.type().base();
    return new SortKey(
        PostgresqlConditions.sortExpression(column, order),
        cast(type),
        placesNulls(column, order),
        true);
  }

  @Override
  public String operator(String symbol) {
    return PostgresqlConditions.operator(symbol);
  }

  // The text of a value is exact, because each transaction sets the forms of numbers and times.
  @Override
  public String stored(Table.Column column) {
    return "CAST(" + Dialect.quote(column.name()) + " AS pg_catalog.text)";
  }

  @Override
  public @Nullable Object stored(ResultSet row, int column) throws SQLException {
    return row.getString(column);
  }

  @Override
  public boolean canHave(JdbcClient sql, List<SortKey> columns, List<@Nullable Object> values) {
    if (!values.stream().allMatch(value -> value == null || value instanceof String)) {
      return false;
    }
    String casts = columns.stream().map(SortKey::parameter).collect(Collectors.joining(", "));
    try {
      sql.sql("SELECT " + casts).params(values).query((row, number) -> 1).list();
      return true;
    } catch (DataAccessException e) {
      if (PostgresqlDialect.isDataException(e)) {
        return false;
      }
      throw e;
    }
  }

  @Override
  public Condition equal(Table.Column column, ColumnType type, List<Object> values) {
    return conditions.equal(column, type, values);
  }

  @Override
  public Condition byKey(Table table, Key key, Condition condition) {
    return conditions.byKey(table, key, condition);
  }

  @Override
  public Condition compare(
      Table.Column column, ColumnType type, Comparison comparison, SortOrder order) {
    return conditions.compare(column, comparison, order);
  }

  // A small table is cheaper to sort than to read by an index, so the planner must do without sorts
  // where it can. Each sort that remains in the plan is one that no index can replace. Names in the
  // plan cannot be mistaken for nodes, because JSON escapes their quotation marks.
  @Override
  public SortPlan sortPlan(
      JdbcClient sql, String select, List<Table.Column> equal, List<Object> parameters) {
    sql.sql(
            """
            SELECT set_config(name, 'off', true) FROM pg_settings
            WHERE name IN ('enable_sort', 'enable_incremental_sort')
            """)
        .query((row, number) -> 1)
        .list();
    String plan = plan(sql, select, parameters);
    if (SORT_NODE.matcher(plan).find()) {
      return SortPlan.SORT;
    }
    if (isForeign(plan)) {
      return SortPlan.FOREIGN;
    }
    return finds(plan, equal) ? SortPlan.INDEX : SortPlan.SORT;
  }

  // A sequential scan of a small table is cheaper than the use of an index, so the planner must do
  // without it. The planner may then read all of an index that merely contains the columns, so the
  // index must also begin with them.
  @Override
  public boolean isFoundByIndex(
      JdbcClient sql,
      Table table,
      String select,
      List<Table.Column> compared,
      List<Object> parameters) {
    sql.sql("SELECT set_config('enable_seqscan', 'off', true)").query((row, number) -> 1).list();
    String plan = plan(sql, select, parameters);
    boolean hasIndexes = table.kind().hasIndexes();
    return finds(plan, compared)
        && (!hasIndexes || catalog.hasIndexThatBeginsWith(sql, table, compared));
  }

  private static String plan(JdbcClient sql, String select, List<Object> parameters) {
    return sql.sql("EXPLAIN (FORMAT JSON) " + select)
        .params(parameters)
        .query(String.class)
        .single();
  }

  private static boolean isForeign(String plan) {
    return plan.contains("\"Node Type\": \"Foreign Scan\"");
  }

  // An index that only orders the rows would be read to its end for a client with few of them.
  private static boolean finds(String plan, List<Table.Column> equal) {
    // A plan without a table: no partition has the value that was explained.
    if (!plan.contains("\"Relation Name\"")) {
      return true;
    }
    List<String> searches =
        INDEX_CONDITION.matcher(plan).results().map(MatchResult::group).toList();
    return equal.stream()
        .allMatch(column -> searches.stream().anyMatch(search -> names(search, column)));
  }

  @Override
  public Optional<String> createIndex(
      JdbcClient sql, Table table, IndexColumns columns, SortOrder order) {
    List<String> terms =
        Stream.concat(
                columns.equal().stream().map(column -> Dialect.quote(column.name())),
                columns.sorted().stream().map(column -> ordered(column, order, "", " NULLS FIRST")))
            .toList();
    // An index takes only immutable expressions, and the cast of an enum to text is not immutable.
    boolean isImmutable =
        order == SortOrder.DATABASE
            || columns.sorted().stream().noneMatch(column -> column.type().isEnum());
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
}
