package dev.countersign.server.tables;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.countersign.server.store.Dialect;
import dev.countersign.server.store.SqliteDialect;
import dev.countersign.server.store.Timestamps;
import java.math.BigDecimal;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * The tables of SQLite. A column may contain values of any type, so each value is checked when it
 * is read.
 */
final class SqliteTables extends TableDialect {
  private static final int UUID_LENGTH = 36;

  // Stands for bytes that are not UTF-8.
  private static final char REPLACEMENT = '\uFFFD';

  private final SqliteConditions conditions = new SqliteConditions(this);

  SqliteTables(SqliteDialect dialect) {
    super(dialect, new SqliteCatalog());
  }

  // A column of text may contain anything, and getString would convert a BLOB.
  @Override
  public @Nullable String uuidText(ResultSet row, int column) throws SQLException {
    Object value = row.getObject(column);
    if (value == null) {
      return null;
    }
    if (value instanceof String text && isUuid(text)) {
      return text;
    }
    throw new SQLException("a UUID column contains a value that is not a UUID", "22P02");
  }

  // The text form of RFC 9562 section 4.
  private static boolean isUuid(String text) {
    if (text.length() != UUID_LENGTH) {
      return false;
    }
    for (int at = 0; at < UUID_LENGTH; at++) {
      boolean isHyphen = at == 8 || at == 13 || at == 18 || at == 23;
      char c = text.charAt(at);
      if (isHyphen ? c != '-' : !HexFormat.isHexDigit(c)) {
        return false;
      }
    }
    return true;
  }

  // Design note: SQLite has no booleans, and getBoolean would take every other number for true and
  // every text for false.
  @Override
  public @Nullable Boolean bool(ResultSet row, int column) throws SQLException {
    Object value = row.getObject(column);
    return switch (value) {
      case null -> null;
      case Integer number when number == 0 || number == 1 -> number == 1;
      default ->
          throw new SQLException("a boolean column contains a value other than 0 and 1", "22P02");
    };
  }

  @Override
  public @Nullable String text(ResultSet row, int column, Table.Column described)
      throws SQLException {
    return stored(row, column, "22018");
  }

  // Design note: any column may contain a value of any storage class, and getString would convert
  // each of them, so that two records could show one key.
  private static @Nullable String stored(ResultSet row, int column, String state)
      throws SQLException {
    return switch (row.getObject(column)) {
      case null -> null;
      case String text -> text;
      default -> throw new SQLException("a column of texts contains another value", state);
    };
  }

  @Override
  public @Nullable String dateText(ResultSet row, int column) throws SQLException {
    String text = stored(row, column, "22007");
    try {
      return text == null ? null : Timestamps.text(LocalDate.parse(text));
    } catch (DateTimeException e) {
      throw new SQLException("a date column contains text that is not a date", "22007", e);
    }
  }

  @Override
  public @Nullable String jsonText(ResultSet row, int column) throws SQLException {
    // A column that is declared as JSON stores a number as a number.
    String text =
        row.getObject(column) instanceof Number
            ? row.getString(column)
            : stored(row, column, "22032");
    if (text != null && !StoredJson.isValid(text)) {
      throw new SQLException("a JSON column contains text that is not JSON", "22032");
    }
    return text;
  }

  @Override
  public boolean stillHasType(
      ResultSetMetaData result, int column, Table.Column described, ColumnType type) {
    return true;
  }

  // SQLite writes a REAL as text with more digits than the value has; Java writes the shortest text
  // that identifies the value.
  @Override
  public @Nullable BigDecimal decimal(ResultSet row, int column) throws SQLException {
    return switch (row.getObject(column)) {
      case null -> null;
      case Number number -> new BigDecimal(number.toString());
      default -> throw new SQLException("a column of numbers contains another value", "22018");
    };
  }

  @Override
  public boolean isReadAlike(Table.Column.Type before, Table.Column.Type now) {
    return true;
  }

  // SQLite takes a name in double quotes for a text if no column has this name (Quirks, Caveats and
  // Gotchas in SQLite, section 8). A name in backticks is never a text.
  @Override
  public String column(String name) {
    return '`' + name.replace("`", "``") + '`';
  }

  @Override
  public String conversion(Table.Column column) {
    return "CAST(" + Dialect.quote(column.name()) + " AS TEXT)";
  }

  @Override
  public String parameter(Table.Column column) {
    return "?";
  }

  @Override
  public @Nullable String timestampText(ResultSet row, int column, Table.Column described)
      throws SQLException {
    String text = stored(row, column, "22007");
    if (text == null || Timestamps.hasMillisecondsForm(text)) {
      return text;
    }
    Instant instant = dialect().instant(row, column);
    return instant == null ? null : Timestamps.text(instant);
  }

  @Override
  public Optional<String> storedForm(ResultSet row, int column) throws SQLException {
    return Optional.ofNullable(row.getObject(column))
        .map(value -> value instanceof String text ? Timestamps.form(text) : "");
  }

  @Override
  public boolean hasUnreadable(ColumnType type) {
    return true;
  }

  @Override
  public String storedAs(ResultSet row, int column) throws SQLException {
    return switch (row.getObject(column)) {
      case null -> "NULL";
      case String text -> "TEXT";
      case Integer number -> "INTEGER";
      case Long number -> "INTEGER";
      case Number number -> "REAL";
      default -> "BLOB";
    };
  }

  // Design note: by default, SQLite sorts NULL before every value. NULLS FIRST is therefore not
  // needed, and it would prevent the use of an index. BINARY compares UTF-8 bytes, which gives the
  // order of code points.
  @Override
  public String ascending(Table.Column column, SortOrder order) {
    return collated(column(column.name()), column, order) + " ASC";
  }

  @Override
  public String descending(Table.Column column, SortOrder order) {
    return collated(column(column.name()), column, order) + " DESC";
  }

  @Override
  public SortKey sortKey(Table.Column column, SortOrder order) {
    String name = column(column.name());
    String collated = collated(name, column, order);
    // In a comparison of rows, SQLite finds only plain columns in an index.
    return new SortKey(collated, "?", true, collated.equals(name));
  }

  @Override
  public String operator(String symbol) {
    return " " + symbol + " ";
  }

  @Override
  public String stored(Table.Column column) {
    return column(column.name());
  }

  @Override
  public @Nullable Object stored(ResultSet row, int column) throws SQLException {
    Object value = row.getObject(column);
    if (value instanceof String text
        && text.indexOf(REPLACEMENT) >= 0
        && !Arrays.equals(row.getBytes(column), text.getBytes(UTF_8))) {
      throw new SQLException("a text is not UTF-8", "22021");
    }
    return value instanceof Integer number ? (Object) number.longValue() : value;
  }

  // Each column can have values of any storage class.
  @Override
  public boolean canHave(JdbcClient sql, List<SortKey> columns, List<@Nullable Object> values) {
    return true;
  }

  static String collated(String name, Table.Column column, SortOrder order) {
    boolean isText =
        order == SortOrder.CODE_POINTS && column.type().valueTypes().contains(ColumnType.TEXT);
    return name + (isText ? " COLLATE BINARY" : "");
  }

  @Override
  public Condition equal(Table.Column column, ColumnType type, List<Object> values) {
    return conditions.equal(column, type, values);
  }

  @Override
  public Condition equalAsShown(Table.Column column, ColumnType type, List<Object> values) {
    return conditions.equalAsShown(column, type, values);
  }

  @Override
  public Condition byKey(Table table, Key key, Condition condition) {
    return conditions.byKey(table, key, condition);
  }

  @Override
  public Condition compare(
      Table.Column column, ColumnType type, Comparison comparison, SortOrder order) {
    return conditions.compare(column, type, comparison, order);
  }

  @Override
  public Optional<Unreadable> unreadable(
      Table.Column column, ColumnType type, List<Object> values) {
    return Optional.of(conditions.unreadable(column, type, values));
  }

  @Override
  public Optional<Unreadable> unreadable(
      Table.Column column, ColumnType type, Comparison comparison, SortOrder order) {
    return Optional.of(conditions.unreadable(column, type, comparison, order));
  }

  // EXPLAIN QUERY PLAN reports a sort as USE TEMP B-TREE FOR ORDER BY, and a sort of rows that an
  // index has ordered in part as USE TEMP B-TREE FOR LAST TERM OF ORDER BY.
  @Override
  public SortPlan sortPlan(
      JdbcClient sql, String select, List<Table.Column> equal, List<Object> parameters) {
    List<String> steps = steps(sql, select, parameters);
    boolean sorts = steps.stream().anyMatch(step -> step.startsWith("USE TEMP B-TREE"));
    return sorts || !finds(steps, equal) ? SortPlan.SORT : SortPlan.INDEX;
  }

  @Override
  public boolean isFoundByIndex(
      JdbcClient sql,
      Table table,
      String select,
      List<Table.Column> compared,
      List<Object> parameters) {
    return finds(steps(sql, select, parameters), compared);
  }

  private static List<String> steps(JdbcClient sql, String select, List<Object> parameters) {
    // EXPLAIN alone would not notice an index that another connection has created or dropped.
    sql.sql("SELECT 1 FROM sqlite_schema LIMIT 1").query((row, number) -> 1).list();
    return sql.sql("EXPLAIN QUERY PLAN " + select)
        .params(parameters)
        .query((row, number) -> row.getString("detail"))
        .list();
  }

  // A step that an index serves names what it searches for: (customer_id=? AND amount>?). If it
  // skips the first column of the index, it says (ANY(status) AND customer_id=?). It does not name
  // a primary key that is the rowid, but says (rowid>?).
  private static boolean finds(List<String> steps, List<Table.Column> compared) {
    List<Table.Column> others =
        compared.stream().filter(column -> !isSearched(steps, column.name())).toList();
    return others.isEmpty()
        || (others.size() == 1 && mayBeRowid(others.getFirst()) && isSearched(steps, "rowid"));
  }

  // An INTEGER PRIMARY KEY is never NULL, and the database fills it in.
  private static boolean mayBeRowid(Table.Column column) {
    return column.type().base().equals("INTEGER") && !column.nullable() && column.isFilled();
  }

  private static boolean isSearched(List<String> steps, String name) {
    Pattern term = Pattern.compile("[( ]" + Pattern.quote(name) + "[=<>,]");
    return steps.stream().anyMatch(step -> !step.contains("ANY(") && term.matcher(step).find());
  }

  @Override
  public Optional<String> createIndex(
      JdbcClient sql, Table table, IndexColumns columns, SortOrder order) {
    if (table.kind() != Table.Kind.TABLE) {
      return Optional.empty();
    }
    String terms =
        Stream.concat(
                columns.equal().stream().map(column -> Dialect.quote(column.name())),
                columns.sorted().stream()
                    .map(column -> collated(Dialect.quote(column.name()), column, order)))
            .collect(Collectors.joining(", "));
    String by =
        Stream.concat(columns.equal().stream(), columns.sorted().stream().limit(1))
            .map(Table.Column::name)
            .collect(Collectors.joining("_"));
    String name = unusedName(sql, table.name() + "_by_" + by);
    return Optional.of(
        "CREATE INDEX " + Dialect.quote(name) + " ON " + table.sql() + " (" + terms + ");");
  }

  /** Returns this name, with a number if a table or index has it already. */
  private static String unusedName(JdbcClient sql, String name) {
    Set<String> used =
        new HashSet<>(
            sql.sql("SELECT lower(name) FROM sqlite_schema")
                .query((row, number) -> row.getString(1))
                .list());
    return Stream.concat(
            Stream.of(name), IntStream.iterate(2, n -> n + 1).mapToObj(n -> name + "_" + n))
        .filter(candidate -> !used.contains(candidate.toLowerCase(Locale.ROOT)))
        .findFirst()
        .orElseThrow();
  }
}
