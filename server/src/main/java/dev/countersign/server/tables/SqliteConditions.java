package dev.countersign.server.tables;

import dev.countersign.server.store.SqliteDialect;
import dev.countersign.server.tables.TableDialect.Comparison;
import dev.countersign.server.tables.TableDialect.RangeOperator;
import dev.countersign.server.tables.TableDialect.Unreadable;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;
import tools.jackson.databind.json.JsonMapper;

/** Writes conditions on the operator's tables for SQLite. */
final class SqliteConditions {
  private final SqliteTables tables;

  SqliteConditions(SqliteTables tables) {
    this.tables = tables;
  }

  Condition equal(Table.Column column, ColumnType type, List<Object> values) {
    String name = tables.column(column.name());
    return switch (type) {
      case TEXT, UUID -> equalText(column, values);
      case TIMESTAMP -> sameInstant(name, values);
      case DECIMAL -> equalDecimal(name, values);
      case INTEGER, BOOLEAN, DATE, JSON ->
          values.size() == 1
              ? Condition.of(name + " = ?", toParameter(values.getFirst()))
              : Condition.of(name + " IN (SELECT value FROM json_each(?))", json(values));
    };
  }

  // The parameters are numbers, because SQLite does not always convert a text to the nearest
  // double. A value that differs from its nearest storable number, as an answer shows it, equals no
  // stored number.
  private static Condition equalDecimal(String name, List<Object> values) {
    List<Object> numbers =
        values.stream()
            .map(BigDecimal.class::cast)
            .filter(value -> TableDialect.shown(SqliteDialect.number(value)).compareTo(value) == 0)
            .<Object>map(SqliteDialect::number)
            .toList();
    return new Condition(
        name + " IN (" + String.join(", ", Collections.nCopies(numbers.size(), "?")) + ")",
        numbers);
  }

  private static Condition compareDecimal(String name, Comparison comparison) {
    Number limit = SqliteDialect.number((BigDecimal) comparison.value());
    return Condition.of(name + " " + comparison.sql(limit) + " ?", limit);
  }

  // Most programs write a UUID in lower case, and some in upper case.
  Condition equalAsShown(Table.Column column, ColumnType type, List<Object> values) {
    if (type != ColumnType.UUID) {
      return equal(column, type, values);
    }
    return equalText(
        column,
        values.stream()
            .flatMap(value -> Stream.of(value, value.toString().toUpperCase(Locale.ROOT)))
            .toList());
  }

  // The condition also compares by the column's own collation, so that SQLite can use an index with
  // that collation.
  private Condition equalText(Table.Column column, List<Object> values) {
    String name = tables.column(column.name());
    Object value = values.size() == 1 ? toParameter(values.getFirst()) : json(values);
    String operator = values.size() == 1 ? " = ?" : " IN (SELECT value FROM json_each(?))";
    String binary = name + " COLLATE BINARY" + operator;
    return column.type().comparesBytes()
        ? Condition.of(binary, value)
        : Condition.of("(" + name + operator + " AND " + binary + ")", value, value);
  }

  // Finds the last row up to the key. There is one for every key that is not before the first, so
  // SQLite reads a row whether or not the key exists. It checks the condition on this row before it
  // compares the key: CASE guarantees this order.
  Condition byKey(Table table, TableDialect.Key key, Condition condition) {
    Table.Column column = key.column();
    boolean isText = key.type() != ColumnType.INTEGER;
    if (table.kind() != Table.Kind.TABLE || (isText && !column.type().comparesBytes())) {
      return Condition.all(List.of(equal(column, key.type(), List.of(key.value())), condition));
    }
    String name = tables.column(column.name()) + (isText ? " COLLATE BINARY" : "");
    List<Object> parameters = new ArrayList<>();
    parameters.add(toParameter(key.value()));
    parameters.addAll(condition.parameters());
    parameters.add(toParameter(key.value()));
    return new Condition(
        String.format(
                Locale.ROOT,
                "%1$s = (SELECT %1$s FROM %2$s WHERE %1$s <= ? ORDER BY %1$s DESC LIMIT 1)",
                name,
                table.sql())
            + " AND CASE WHEN "
            + condition.sql()
            + " THEN "
            + name
            + " = ? END",
        parameters);
  }

  private Object toParameter(Object value) {
    return Objects.requireNonNull(tables.bind(value));
  }

  private String json(List<Object> values) {
    return JsonMapper.shared().writeValueAsString(values.stream().map(this::toParameter).toList());
  }

  Condition compare(Table.Column column, ColumnType type, Comparison comparison, SortOrder order) {
    String name = tables.column(column.name());
    String operator = " " + comparison.operator().sql() + " ";
    return switch (type) {
      case TIMESTAMP -> compareInstants(name, comparison);
      case TEXT ->
          Condition.of(
              SqliteTables.collated(name, column, order) + operator + "?",
              toParameter(comparison.value()));
      case DECIMAL -> compareDecimal(name, comparison);
      case UUID, INTEGER, BOOLEAN, DATE, JSON ->
          Condition.of(name + operator + "?", toParameter(comparison.value()));
    };
  }

  // Stored timestamps may have several forms and zones, so the condition compares instants. It also
  // compares days, so that an index can narrow the search: a zone differs from UTC by less than a
  // day.
  private static Condition compareInstants(String name, Comparison comparison) {
    Instant value = (Instant) comparison.value();
    boolean isLower = comparison.operator().isLower();
    return Condition.of(
        String.format(
            Locale.ROOT,
            "(%1$s %2$s ? AND (%1$s %2$s ? OR %3$s %4$s ?))",
            name,
            isLower ? ">=" : "<",
            milliseconds(name),
            comparison.operator().sql()),
        isLower ? dayBefore(value) : dayAfter(value),
        isLower ? dayAfter(value) : dayBefore(value),
        limit(comparison.operator(), value));
  }

  // Stored timestamps are compared in milliseconds. A finer limit lies between two of them.
  private static long limit(RangeOperator operator, Instant value) {
    boolean isFiner = !value.truncatedTo(ChronoUnit.MILLIS).equals(value);
    boolean roundsUp = operator == RangeOperator.AT_LEAST || operator == RangeOperator.BELOW;
    return value.toEpochMilli() + (isFiner && roundsUp ? 1 : 0);
  }

  private static Condition sameInstant(String name, List<Object> values) {
    String milliseconds =
        JsonMapper.shared()
            .writeValueAsString(
                values.stream()
                    .map(Instant.class::cast)
                    .filter(value -> value.truncatedTo(ChronoUnit.MILLIS).equals(value))
                    .map(Instant::toEpochMilli)
                    .toList());
    return Condition.all(
        List.of(
            aroundDays(name, values),
            Condition.of(
                milliseconds(name) + " IN (SELECT value FROM json_each(?))", milliseconds)));
  }

  private static Condition aroundDays(String name, List<Object> values) {
    String day = "(" + name + " >= ? AND " + name + " < ?)";
    return Condition.any(
        values.stream()
            .map(Instant.class::cast)
            .map(value -> Condition.of(day, dayBefore(value), dayAfter(value)))
            .distinct()
            .toList());
  }

  Unreadable unreadable(Table.Column column, ColumnType type, List<Object> values) {
    String name = tables.column(column.name());
    boolean hasDays = type == ColumnType.TIMESTAMP || type == ColumnType.DATE;
    return new Unreadable(
        hasDays ? onDays(name, values) : equalAsShown(column, type, values),
        // For other types, no unreadable value equals a value of a filter.
        hasDays ? Condition.of(isUnreadable(name, type)) : Condition.FALSE,
        Stream.concat(unreadableBefore(name, type).stream(), unreadableAfter(name, type).stream())
            .toList());
  }

  Unreadable unreadable(
      Table.Column column, ColumnType type, Comparison comparison, SortOrder order) {
    String name = tables.column(column.name());
    boolean isLower = comparison.operator().isLower();
    Condition near =
        switch (type) {
          case TIMESTAMP, DATE -> fromDay(name, comparison);
          default -> compare(column, type, comparison, order);
        };
    return new Unreadable(
        near,
        Condition.of(isUnreadable(name, type)),
        isLower ? unreadableBefore(name, type) : unreadableAfter(name, type));
  }

  // Finds texts that begin with one of the days of the values. One parameter has all days, because
  // the time to plan a statement grows faster than the number of its conditions.
  private static Condition onDays(String name, List<Object> values) {
    SortedSet<String> days = new TreeSet<>();
    for (Object value : values) {
      LocalDate day = day(value);
      int around = value instanceof Instant ? 1 : 0;
      for (int i = -around; i <= around; i++) {
        days.add(day.plusDays(i).toString());
      }
    }
    return Condition.of(
        "("
            + name
            + " >= ? AND "
            + name
            + " < ? AND substr("
            + name
            + ", 1, 10)"
            + " IN (SELECT value FROM json_each(?)))",
        days.first(),
        days.last() + '~',
        JsonMapper.shared().writeValueAsString(days));
  }

  // Finds texts that begin with a day of the range. A zone moves a timestamp by less than a day.
  private static Condition fromDay(String name, Comparison comparison) {
    Object value = comparison.value();
    LocalDate day = day(value);
    if (value instanceof Instant instant) {
      return comparison.operator().isLower()
          ? Condition.of(name + " >= ?", dayBefore(instant))
          : Condition.of(name + " < ?", dayAfter(instant));
    }
    return switch (comparison.operator()) {
      case AT_LEAST, ABOVE -> Condition.of(name + " >= ?", day.toString());
      case AT_MOST -> Condition.of(name + " < ?", day + "~");
      case BELOW -> Condition.of(name + " < ?", day.toString());
    };
  }

  private static LocalDate day(Object value) {
    return value instanceof Instant instant
        ? instant.atOffset(ZoneOffset.UTC).toLocalDate()
        : (LocalDate) value;
  }

  // Returns ranges of an index that have only unreadable values, before or among the readable ones.
  // SQLite sorts numbers before texts, and BLOBs after them (Datatypes In SQLite, section 4.1).
  private static List<Condition> unreadableBefore(String name, ColumnType type) {
    return switch (type) {
      case TIMESTAMP -> List.of(Condition.of(name + " < '0000-01-01'"));
      case DATE -> List.of(Condition.of(name + " < '0001-01-01'"));
      // A column that is declared as UUID would convert '0' to a number.
      case UUID -> List.of(Condition.of(name + " < '0-'"));
      case BOOLEAN ->
          List.of(
              Condition.of(name + " < 0"), Condition.of("(" + name + " > 0 AND " + name + " < 1)"));
      // A column of texts converts numbers to texts.
      case TEXT, INTEGER, DECIMAL, JSON -> List.of();
    };
  }

  // Returns ranges of an index that have only unreadable values, after or among the readable ones.
  private static List<Condition> unreadableAfter(String name, ColumnType type) {
    return switch (type) {
      case TIMESTAMP, DATE -> List.of(Condition.of(name + " > '9999-12-31~'"));
      case TEXT -> List.of(Condition.of(name + " >= x''"));
      // The letters and signs that sort between the hexadecimal digits are no part of a UUID.
      case UUID ->
          List.of(
              Condition.of("(" + name + " >= ':' AND " + name + " < 'A')"),
              Condition.of("(" + name + " >= 'G' AND " + name + " < 'a')"),
              Condition.of(name + " >= 'g'"));
      case BOOLEAN -> List.of(Condition.of(name + " > 1"));
      case INTEGER, DECIMAL -> List.of(Condition.of(name + " >= ''"));
      case JSON -> List.of();
    };
  }

  /**
   * Returns the condition that a stored value is not a value of the type. The stored value must not
   * be NULL. The condition never fails, whatever is stored.
   */
  static String isUnreadable(String name, ColumnType type) {
    return "NOT " + isReadable(name, type);
  }

  private static String isReadable(String name, ColumnType type) {
    String form =
        switch (type) {
          case TIMESTAMP -> isTimestamp("%1$s");
          case DATE ->
              "(typeof(%1$s) = 'text' AND length(CAST(%1$s AS BLOB)) = 10"
                  + " AND date(%1$s) IS %1$s AND %1$s >= '0001')";
          case TEXT, JSON -> "typeof(%1$s) = 'text'";
          case UUID ->
              "(typeof(%1$s) = 'text' AND length(CAST(%1$s AS BLOB)) = 36"
                  + " AND length(replace(%1$s, '-', '')) = 32"
                  + " AND trim(%1$s, '0123456789abcdefABCDEF-') = ''"
                  + " AND substr(%1$s, 9, 1) || substr(%1$s, 14, 1) || substr(%1$s, 19, 1)"
                  + " || substr(%1$s, 24, 1) = '----')";
          case INTEGER -> "typeof(%1$s) = 'integer'";
          case DECIMAL ->
              "(typeof(%1$s) IN ('integer', 'real') AND %1$s > -9e999 AND %1$s < 9e999)";
          case BOOLEAN -> "(typeof(%1$s) = 'integer' AND %1$s IN (0, 1))";
        };
    return String.format(Locale.ROOT, form, name);
  }

  /**
   * Returns an expression for the milliseconds of a stored timestamp since 1970. The expression is
   * NULL for any other value. It reads the decimals from the text, and checks the date, because
   * SQLite's functions would round the decimals and take 30 February for 2 March.
   *
   * @see dev.countersign.server.store.Timestamps#parseMilliseconds
   */
  static String milliseconds(String name) {
    return "CASE WHEN " + isTimestamp(name) + " THEN " + millisecondsOfForm(name) + " END";
  }

  private static String millisecondsOfForm(String name) {
    return String.format(
        Locale.ROOT,
        "unixepoch(CASE substr(%1$s, 17, 1) WHEN ':'"
            + " THEN substr(%1$s, 1, 19) || ltrim(substr(%1$s, 20), '.0123456789') ELSE %1$s END)"
            + " * 1000 + CASE substr(%1$s, 20, 1) WHEN '.'"
            + " THEN CAST(CAST('0.' || substr(%1$s, 21, 3) AS REAL) * 1000 + 0.5 AS INTEGER)"
            + " ELSE 0 END",
        name);
  }

  /** Returns the condition that a stored value is a timestamp. It never fails. */
  private static String isTimestamp(String name) {
    return String.format(
        Locale.ROOT,
        "(typeof(%1$s) = 'text' AND length(CAST(%1$s AS BLOB)) = length(%1$s)"
            + " AND date(substr(%1$s, 1, 10)) = substr(%1$s, 1, 10)"
            + " AND (length(%1$s) = 10 OR (substr(%1$s, 11) GLOB '[ T][0-2][0-9]:[0-5][0-9]*'"
            + " AND substr(%1$s, 12, 2) < '24'"
            + " AND CASE substr(%1$s, 17, 1) WHEN ':' THEN substr(%1$s, 18) GLOB '[0-5][0-9]*'"
            + " AND (%2$s OR (substr(%1$s, 20) GLOB '.[0-9]*'"
            + " AND substr(%1$s, 21) NOT GLOB '*.*' AND %3$s)) ELSE %4$s END))"
            // A zone may move the instant out of these years.
            + " AND (substr(%1$s, 1, 10) NOT IN ('0000-01-01', '9999-12-31')"
            + " OR ifnull(%5$s >= -62167219200000, 0)))",
        name,
        isZone("substr(" + name + ", 20)"),
        isZone("ltrim(substr(" + name + ", 21), '0123456789')"),
        isZone("substr(" + name + ", 17)"),
        millisecondsOfForm(name));
  }

  private static String isZone(String text) {
    return String.format(
        Locale.ROOT,
        "(%1$s IN ('', 'Z', ' Z') OR (ltrim(substr(%1$s, 1, 1), ' ') || substr(%1$s, 2)"
            + " GLOB '[+-][01][0-9]:[0-5][0-9]'"
            + " AND substr(ltrim(%1$s), 2, 2) < '15'))",
        text);
  }

  private static String dayBefore(Instant value) {
    return value.atOffset(ZoneOffset.UTC).toLocalDate().minusDays(1).toString();
  }

  private static String dayAfter(Instant value) {
    LocalDate day = value.atOffset(ZoneOffset.UTC).toLocalDate().plusDays(2);
    // Sorts after every timestamp of four-digit years.
    return day.getYear() > 9999 ? ":" : day.toString();
  }
}
