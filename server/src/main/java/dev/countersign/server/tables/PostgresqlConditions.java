package dev.countersign.server.tables;

import dev.countersign.server.store.Dialect;
import dev.countersign.server.tables.TableDialect.Comparison;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/**
 * Writes conditions on the operator's tables for PostgreSQL.
 *
 * <p>Design note: the operators, types and collations of an equality are named with their schema.
 * Another user may have created an operator in a schema of the user's path that fits the types
 * better than that of PostgreSQL. If the path names {@code pg_catalog} last, this also applies to
 * types and collations. A scope that such an object decides on would be no scope.
 */
final class PostgresqlConditions {
  private static final DateTimeFormatter YEAR_OF_ERA =
      DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSS", Locale.ROOT);

  private final PostgresqlTables tables;

  PostgresqlConditions(PostgresqlTables tables) {
    this.tables = tables;
  }

  /** Returns the condition that a column has one of these values, byte for byte. */
  Condition equal(Table.Column column, ColumnType type, List<Object> values) {
    String name = Dialect.quote(column.name());
    boolean isOne = values.size() == 1;
    Condition own =
        isOne
            ? Condition.of(
                name + operator("=") + tables.parameter(column), bound(column, values.getFirst()))
            : Condition.of(
                name
                    + operator("=")
                    + "ANY (CAST(? AS "
                    + qualified(arrayType(column, type))
                    + "[]))",
                (Object) texts(column, values));
    return Condition.all(List.of(own, sameBytes(column, type, values)));
  }

  // Tells texts apart that the column takes for equal.
  private Condition sameBytes(Table.Column column, ColumnType type, List<Object> values) {
    if (type != ColumnType.TEXT || column.type().comparesBytes()) {
      return Condition.TRUE;
    }
    String bytes =
        "CAST("
            + Dialect.quote(column.name())
            + " AS pg_catalog.text) COLLATE pg_catalog.\"C\""
            + operator("=");
    return values.size() == 1
        ? Condition.of(bytes + "?", values.getFirst())
        : Condition.of(
            bytes + "ANY (CAST(? AS pg_catalog.text[]))", (Object) texts(column, values));
  }

  // An index that has the columns of the condition and the key, such as that for the sort by the
  // key, answers the inner SELECT without a row. It compares texts by code points. The outer WHERE
  // repeats the conditions: a unique index can keep apart keys that the column takes for equal, and
  // can be dropped while the service runs.
  Condition byKey(Table table, TableDialect.Key key, Condition condition) {
    Table.Column column = key.column();
    List<Object> value = List.of(key.value());
    String name = Dialect.quote(column.name());
    String sorted = sorted(column, SortOrder.CODE_POINTS);
    Condition inIndex =
        sorted.equals(name)
            ? Condition.TRUE
            : Condition.of(
                sorted + operator("=") + tables.parameter(column), bound(column, key.value()));
    Condition inner = Condition.all(List.of(equal(column, key.type(), value), inIndex, condition));
    Condition found =
        new Condition(
            name + operator("=") + "(SELECT " + name + " FROM " + table.sql() + inner.where() + ")",
            inner.parameters());
    return Condition.all(List.of(found, sameBytes(column, key.type(), value), condition));
  }

  /** Returns the condition that the values of a column are on one side of a value. */
  Condition compare(Table.Column column, Comparison comparison, SortOrder order) {
    // By code points, an enumeration is compared as text.
    boolean asText = column.type().isEnum() && order == SortOrder.CODE_POINTS;
    return Condition.of(
        sorted(column, order)
            + operator(comparison.operator().sql())
            + (asText ? "?" : tables.parameter(column)),
        bound(column, comparison.value()));
  }

  /** Returns the expression of a column that has the order. */
  static String sorted(Table.Column column, SortOrder order) {
    String name = Dialect.quote(column.name());
    if (order == SortOrder.DATABASE || !column.type().values().contains(ColumnType.TEXT)) {
      return name;
    }
    return (column.type().isEnum() ? "CAST(" + name + " AS text)" : name) + " COLLATE \"C\"";
  }

  static String operator(String sql) {
    return " OPERATOR(pg_catalog." + sql + ") ";
  }

  // A decimal of floating point equals the text that the service writes only as the same type.
  private Object bound(Table.Column column, Object value) {
    if (value instanceof BigDecimal decimal) {
      return switch (column.type().base()) {
        case "float4" -> decimal.floatValue();
        case "float8" -> decimal.doubleValue();
        default -> decimal;
      };
    }
    return Objects.requireNonNull(tables.bind(value));
  }

  private static String arrayType(Table.Column column, ColumnType type) {
    // An integer column is compared in full width, so that no value is too large for it.
    return switch (type) {
      case INTEGER -> "int8";
      case DECIMAL -> column.type().base().startsWith("float") ? column.type().base() : "numeric";
      default -> column.type().base();
    };
  }

  // The catalog names the types of PostgreSQL without their schema, and all others with it.
  static String qualified(String type) {
    return type.indexOf('.') < 0 ? "pg_catalog." + type : type;
  }

  private String[] texts(Table.Column column, List<Object> values) {
    boolean hasZone = !column.type().base().equals(PostgresqlCatalog.WITHOUT_ZONE);
    return values.stream()
        .map(
            value ->
                value instanceof Instant instant
                    ? timestamp(instant, hasZone)
                    : bound(column, value).toString())
        .toArray(String[]::new);
  }

  // PostgreSQL has no year 0: the year before 1 is 1 BC.
  private static String timestamp(Instant instant, boolean hasZone) {
    LocalDateTime utc = LocalDateTime.ofInstant(instant, ZoneOffset.UTC);
    return YEAR_OF_ERA.format(utc) + (hasZone ? "Z" : "") + (utc.getYear() < 1 ? " BC" : "");
  }
}
