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
 * <p>Design note: an equality names its operators, types and collations with their schema.
 * Otherwise PostgreSQL would look them up in the {@code search_path} of the service's role. Another
 * role may have created an operator in one of these schemas. PostgreSQL would choose this operator
 * if the types of its operands fit better than those of PostgreSQL's own operator. If the path
 * names {@code pg_catalog} last, types and collations can be replaced in the same way. The other
 * role would then decide which records a client sees.
 */
final class PostgresqlConditions {
  // The year is the year of the era, without its sign.
  private static final DateTimeFormatter TIMESTAMP_FORMAT =
      DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSS", Locale.ROOT);

  private final PostgresqlTables tables;

  PostgresqlConditions(PostgresqlTables tables) {
    this.tables = tables;
  }

  /** Returns the condition that a column has one of these values, byte for byte. */
  Condition equal(Table.Column column, ColumnType type, List<Object> values) {
    String name = Dialect.quote(column.name());
    List<Object> exact = values.stream().filter(value -> isExact(column, value)).toList();
    Condition equality =
        exact.size() == 1
            ? Condition.of(
                name + operator("=") + tables.parameter(column),
                toParameter(column, exact.getFirst()))
            : Condition.of(
                name
                    + operator("=")
                    + "ANY (CAST(? AS "
                    + qualifiedName(arrayType(column, type))
                    + "[]))",
                (Object) toTexts(column, exact));
    return Condition.all(List.of(equality, sameBytes(column, type, values)));
  }

  // The collation of the column may treat different texts as equal. So texts are also compared byte
  // for byte.
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
            bytes + "ANY (CAST(? AS pg_catalog.text[]))", (Object) toTexts(column, values));
  }

  // PostgreSQL can answer the inner SELECT from an index on the columns of the condition and the
  // key, such as the index for the sort by the key. It then reads no row that has the key but does
  // not satisfy the condition. Such an index compares texts by code points, and so does inIndex.
  // The outer WHERE repeats the conditions, because several rows may have an equal key: a unique
  // index can distinguish texts that the column treats as equal, and the index can be dropped while
  // the service runs.
  Condition byKey(Table table, TableDialect.Key key, Condition condition) {
    Table.Column column = key.column();
    List<Object> value = List.of(key.value());
    String name = Dialect.quote(column.name());
    String indexed = sortExpression(column, SortOrder.CODE_POINTS);
    Condition inIndex =
        indexed.equals(name)
            ? Condition.TRUE
            : Condition.of(
                indexed + operator("=") + tables.parameter(column),
                toParameter(column, key.value()));
    Condition inner = Condition.all(List.of(equal(column, key.type(), value), inIndex, condition));
    Condition found =
        new Condition(
            name + operator("=") + "(SELECT " + name + " FROM " + table.sql() + inner.where() + ")",
            inner.parameters());
    return Condition.all(List.of(found, sameBytes(column, key.type(), value), condition));
  }

  /** Returns the condition that the values of a column satisfy a comparison in this order. */
  Condition compare(Table.Column column, Comparison comparison, SortOrder order) {
    // In the order of code points, an enumeration is compared as text.
    boolean isComparedAsText = column.type().isEnum() && order == SortOrder.CODE_POINTS;
    Object limit = toParameter(column, comparison.value());
    String operator =
        comparison.value() instanceof BigDecimal
            ? comparison.sql((Number) limit)
            : comparison.operator().sql();
    return Condition.of(
        sortExpression(column, order)
            + operator(operator)
            + (isComparedAsText ? "?" : tables.parameter(column)),
        limit);
  }

  /** Returns the expression that sorts a column in this order. */
  static String sortExpression(Table.Column column, SortOrder order) {
    String name = Dialect.quote(column.name());
    if (order == SortOrder.DATABASE || !column.type().valueTypes().contains(ColumnType.TEXT)) {
      return name;
    }
    return (column.type().isEnum() ? "CAST(" + name + " AS text)" : name) + " COLLATE \"C\"";
  }

  static String operator(String sql) {
    return " OPERATOR(pg_catalog." + sql + ") ";
  }

  // A floating-point column equals the decimal that an answer shows only if the parameter has the
  // type of the column.
  private Object toParameter(Table.Column column, Object value) {
    if (value instanceof BigDecimal decimal) {
      return switch (column.type().base()) {
        case "float4" -> decimal.floatValue();
        case "float8" -> decimal.doubleValue();
        default -> decimal;
      };
    }
    return Objects.requireNonNull(tables.bind(value));
  }

  // A value that differs from its nearest floating-point number, as an answer shows it, equals no
  // stored number.
  private boolean isExact(Table.Column column, Object value) {
    return !(value instanceof BigDecimal decimal)
        || TableDialect.shown((Number) toParameter(column, decimal)).compareTo(decimal) == 0;
  }

  private static String arrayType(Table.Column column, ColumnType type) {
    // An integer column is compared as int8, because a value may be too large for a smaller type.
    return switch (type) {
      case INTEGER -> "int8";
      case DECIMAL -> column.type().base().startsWith("float") ? column.type().base() : "numeric";
      default -> column.type().base();
    };
  }

  // PostgresqlCatalog names the types of PostgreSQL without their schema, and all others with it.
  static String qualifiedName(String type) {
    return type.indexOf('.') < 0 ? "pg_catalog." + type : type;
  }

  private String[] toTexts(Table.Column column, List<Object> values) {
    boolean hasZone = !column.type().base().equals(PostgresqlCatalog.WITHOUT_ZONE);
    return values.stream()
        .map(
            value ->
                value instanceof Instant instant
                    ? timestamp(instant, hasZone)
                    : toParameter(column, value).toString())
        .toArray(String[]::new);
  }

  // PostgreSQL has no year 0: the year before 1 is 1 BC.
  private static String timestamp(Instant instant, boolean hasZone) {
    LocalDateTime utc = LocalDateTime.ofInstant(instant, ZoneOffset.UTC);
    return TIMESTAMP_FORMAT.format(utc) + (hasZone ? "Z" : "") + (utc.getYear() < 1 ? " BC" : "");
  }
}
