package dev.countersign.server.tables;

import dev.countersign.protocol.DecimalText;
import dev.countersign.server.store.StoredText;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;

/** The syntax of the values of each type, in a body, a path, an attribute and the configuration. */
public final class ValueSyntax {
  private static final Pattern UUID_FORM =
      Pattern.compile("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}");
  private static final Pattern INTEGER_FORM = Pattern.compile("-?(0|[1-9][0-9]{0,18})");
  private static final Pattern DECIMAL_FORM =
      Pattern.compile("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]{1,4})?");
  private static final Pattern DATE_FORM = Pattern.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}");
  // RFC 3339 section 5.6 requires the seconds, and hours and minutes in an offset. It lets T and Z
  // be in lower case. OffsetDateTime checks the ranges.
  private static final Pattern TIMESTAMP_FORM =
      Pattern.compile(
          "[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt][0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]+)?"
              + "([Zz]|[+-][0-9]{2}:[0-9]{2})");
  // RFC 3339 covers the years 0 to 9999 (section 1). The end is exclusive.
  private static final Instant FIRST_INSTANT = Instant.parse("0000-01-01T00:00:00Z");
  private static final Instant END_INSTANT = Instant.parse("+10000-01-01T00:00:00Z");

  private ValueSyntax() {}

  /** Parses a value; empty if the text is not a value of the type. */
  public static Optional<Object> parse(ColumnType type, String text) {
    return switch (type) {
      case UUID ->
          UUID_FORM.matcher(text).matches() ? Optional.of(UUID.fromString(text)) : Optional.empty();
      case TEXT -> StoredText.isStorable(text) ? Optional.of(text) : Optional.empty();
      case INTEGER -> parseInteger(text);
      case DECIMAL -> parseDecimal(text);
      case BOOLEAN ->
          text.equals("true") || text.equals("false")
              ? Optional.of(Boolean.valueOf(text))
              : Optional.empty();
      case TIMESTAMP -> parseTimestamp(text);
      case DATE -> parseDate(text);
      case JSON -> StoredJson.isStorable(text) ? Optional.of(text) : Optional.empty();
    };
  }

  /** Returns the rule for the values of a type, as a text that continues "must be". */
  public static String rule(ColumnType type) {
    return switch (type) {
      case UUID -> "a UUID such as 1f0e8c9a-3b5d-4c7e-9f21-6a8b0c2d4e6f";
      case TEXT -> "text without U+0000 or lone surrogates";
      case INTEGER -> "a 64-bit integer";
      case DECIMAL ->
          "a number of at most 1,000 significant digits and with an exponent of -1000 to 1000";
      case BOOLEAN -> "true or false";
      case TIMESTAMP ->
          "an RFC 3339 timestamp with at most six decimals, such as 2026-11-20T18:35:30.5Z";
      case DATE -> "a date such as 2026-11-20";
      case JSON ->
          "a JSON value whose texts have no U+0000 or lone surrogates, and whose numbers in"
              + " scientific notation have an exponent of -"
              + StoredJson.MAXIMUM_EXPONENT
              + " to "
              + StoredJson.MAXIMUM_EXPONENT;
    };
  }

  private static Optional<Object> parseInteger(String text) {
    try {
      return INTEGER_FORM.matcher(text).matches()
          ? Optional.of(Long.valueOf(text))
          : Optional.empty();
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }

  private static Optional<Object> parseDecimal(String text) {
    if (text.length() > DecimalText.MAXIMUM_LENGTH || !DECIMAL_FORM.matcher(text).matches()) {
      return Optional.empty();
    }
    BigDecimal number = new BigDecimal(text);
    return DecimalText.isBounded(number.stripTrailingZeros())
        ? Optional.of(number)
        : Optional.empty();
  }

  private static Optional<Object> parseDate(String text) {
    try {
      return DATE_FORM.matcher(text).matches()
          ? Optional.of(LocalDate.parse(text))
              .filter(date -> date.getYear() > 0)
              .map(Object.class::cast)
          : Optional.empty();
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }

  private static Optional<Object> parseTimestamp(String text) {
    if (!TIMESTAMP_FORM.matcher(text).matches()) {
      return Optional.empty();
    }
    try {
      Instant instant = OffsetDateTime.parse(text).toInstant();
      boolean fits =
          !instant.isBefore(FIRST_INSTANT)
              && instant.isBefore(END_INSTANT)
              && instant.truncatedTo(ChronoUnit.MICROS).equals(instant);
      return fits ? Optional.of(instant) : Optional.empty();
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }
}
