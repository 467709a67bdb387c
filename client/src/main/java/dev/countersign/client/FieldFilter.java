package dev.countersign.client;

import dev.countersign.protocol.DecimalText;
import dev.countersign.protocol.PlainText;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.UUID;

/**
 * A filter on one field of a list, begun by {@link PageWalk#where}. Each method returns the walk
 * over the records that satisfy this filter and all earlier ones.
 *
 * <pre>{@code
 * client.list("/ledger/v1/transactions", Transaction.class)
 *     .where("status").in("COMPLETED", "REVERSED")
 *     .where("bookedAt").from(start).before(end)
 *     .stream()
 * }</pre>
 *
 * <table>
 *   <caption>The methods and the parameters that they send</caption>
 *   <tr><th>method</th><th>parameter</th><th>finds records whose field</th></tr>
 *   <tr><td>{@link #is}</td><td>{@code field}</td><td>equals the value</td></tr>
 *   <tr><td>{@link #in(Object...)}</td><td>{@code field}, repeated</td>
 *       <td>equals one of the values</td></tr>
 *   <tr><td>{@link #from}</td><td>{@code field.gte}</td>
 *       <td>equals the value or follows it</td></tr>
 *   <tr><td>{@link #after}</td><td>{@code field.gt}</td><td>follows the value</td></tr>
 *   <tr><td>{@link #upTo}</td><td>{@code field.lte}</td>
 *       <td>equals the value or precedes it</td></tr>
 *   <tr><td>{@link #before}</td><td>{@code field.lt}</td><td>precedes the value</td></tr>
 * </table>
 *
 * <p>A value is a {@code String}, {@code Integer}, {@code Long}, {@link BigDecimal}, {@code
 * Boolean}, {@link UUID}, {@link Instant} or {@link LocalDate}. A {@code Boolean} or a {@code UUID}
 * can be compared for equality only. An {@code Instant} must have whole microseconds, because the
 * service reads no finer fraction and rounding would change which records are found: truncate it
 * with {@link Instant#truncatedTo}. Instants must be in the years 0 to 9999, and dates in the years
 * 1 to 9999. A {@code BigDecimal} has at most 1,000 significant digits, and unless it is 0, an
 * exponent of -1000 to 1000 in scientific notation.
 *
 * <p>The operator decides which fields of a list can be filtered by. The service refuses a filter
 * on another field with {@code parameter_unknown}, and a value that does not fit the field's type
 * with {@code parameter_invalid}.
 *
 * <p>All methods throw {@link IllegalArgumentException} for a value that breaks a rule above. They
 * also throw it if the walk or the query of the list already has the same filter: set each bound of
 * a field once, and give all values of {@code in} together.
 *
 * @param <T> the type of a record
 */
public final class FieldFilter<T> {
  /** The maximum number of values that a field can be compared with. */
  static final int MAX_VALUES = 50;

  private static final Instant FIRST = Instant.parse("0000-01-01T00:00:00Z");
  private static final Instant END = Instant.parse("+10000-01-01T00:00:00Z");

  private final PageWalk<T> walk;
  private final String field;

  FieldFilter(PageWalk<T> walk, String field) {
    if (field.isEmpty()) {
      throw new IllegalArgumentException("a field must have a name");
    }
    if (field.indexOf('.') >= 0) {
      throw new IllegalArgumentException(
          PlainText.quoted(field)
              + " is not a field, because it contains a dot; for a range, use from, after, upTo or"
              + " before");
    }
    if (ListQuery.PAGING.contains(field)) {
      throw new IllegalArgumentException(
          field
              + " is a parameter for paging, not a field; use withSize, withSort, fromPage,"
              + " fromOffset, after or withoutTotals");
    }
    requireUnicode(field);
    this.walk = walk;
    this.field = field;
  }

  /** Finds records whose field equals this value. */
  public PageWalk<T> is(Object value) {
    return in(List.of(value));
  }

  /**
   * Finds records whose field equals one of these values.
   *
   * @param values 1 to 50 different values
   */
  public PageWalk<T> in(Object... values) {
    return in(Arrays.asList(values));
  }

  /**
   * Finds records whose field equals one of these values.
   *
   * @param values 1 to 50 different values
   */
  public PageWalk<T> in(Collection<?> values) {
    List<String> texts = values.stream().map(this::text).distinct().toList();
    if (texts.isEmpty() || texts.size() > MAX_VALUES) {
      throw new IllegalArgumentException(
          PlainText.line(field) + " must have 1 to " + MAX_VALUES + " values, has " + texts.size());
    }
    return walk.withFilter(field, texts);
  }

  /** Finds records whose field equals this value or follows it. */
  public RangeWalk<T> from(Object minimum) {
    return new RangeWalk<>(bound(".gte", minimum), field);
  }

  /** Finds records whose field follows this value. */
  public RangeWalk<T> after(Object value) {
    return new RangeWalk<>(bound(".gt", value), field);
  }

  /** Finds records whose field equals this value or precedes it. */
  public PageWalk<T> upTo(Object maximum) {
    return bound(".lte", maximum);
  }

  /** Finds records whose field precedes this value. */
  public PageWalk<T> before(Object value) {
    return bound(".lt", value);
  }

  private PageWalk<T> bound(String suffix, Object value) {
    if (value instanceof Boolean || value instanceof UUID) {
      throw wrong(value, "a " + value.getClass().getSimpleName() + " has no range; use is or in");
    }
    return walk.withFilter(field + suffix, List.of(text(value)));
  }

  private String text(Object value) {
    Objects.requireNonNull(value, "value");
    if (value instanceof String text) {
      return requireUnicode(text);
    }
    if (value instanceof Instant instant) {
      return timestamp(instant);
    }
    if (value instanceof LocalDate date) {
      if (date.getYear() < 1 || date.getYear() > 9999) {
        throw wrong(date, "the year must be 1 to 9999");
      }
      return date.toString();
    }
    if (value instanceof BigDecimal number) {
      return plain(number);
    }
    if (value instanceof Integer
        || value instanceof Long
        || value instanceof Boolean
        || value instanceof UUID) {
      return value.toString();
    }
    throw new IllegalArgumentException(
        "a value of "
            + PlainText.line(field)
            + " must be a String, Integer, Long, BigDecimal, Boolean, UUID, Instant or LocalDate,"
            + " was a "
            + value.getClass().getName());
  }

  private String timestamp(Instant instant) {
    if (instant.isBefore(FIRST) || !instant.isBefore(END)) {
      throw wrong(instant, "the year must be 0 to 9999");
    }
    if (!instant.truncatedTo(ChronoUnit.MICROS).equals(instant)) {
      throw wrong(
          instant, "the service reads whole microseconds only; use truncatedTo(ChronoUnit.MICROS)");
    }
    return DateTimeFormatter.ISO_INSTANT.format(instant);
  }

  // Equal numbers are one value: 1.10 is sent as 1.1.
  private String plain(BigDecimal value) {
    BigDecimal number = value.stripTrailingZeros();
    if (!DecimalText.isBounded(number)) {
      throw wrong(value, "it must have at most 1,000 digits and an exponent of -1000 to 1000");
    }
    return number.toPlainString();
  }

  private IllegalArgumentException wrong(Object value, String rule) {
    return new IllegalArgumentException(PlainText.line(field + ": " + value) + ": " + rule);
  }

  // Percent-encoding would replace a lone surrogate by a question mark.
  private static String requireUnicode(String text) {
    if (!StandardCharsets.UTF_8.newEncoder().canEncode(text)) {
      throw new IllegalArgumentException(
          PlainText.quoted(text) + " contains a lone surrogate, which UTF-8 cannot express");
    }
    return text;
  }
}
