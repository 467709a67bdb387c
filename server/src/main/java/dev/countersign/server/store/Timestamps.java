package dev.countersign.server.store;

import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoUnit;
import java.util.Locale;

/**
 * Timestamps as RFC 3339 text in UTC, with three decimals, or six if the column stores them, and
 * dates as the text of their day.
 */
final class Timestamps {
  private static final DateTimeFormatter MILLISECONDS =
      new DateTimeFormatterBuilder().appendInstant(3).toFormatter(Locale.ROOT);
  private static final DateTimeFormatter MICROSECONDS =
      new DateTimeFormatterBuilder().appendInstant(6).toFormatter(Locale.ROOT);
  private static final String FORM = "0000-00-00T00:00:00.000Z";
  private static final int FIXED_WIDTH = FORM.length();

  private static final Instant EARLIEST = Instant.parse("0000-01-01T00:00:00Z");
  private static final Instant END = Instant.parse("+10000-01-01T00:00:00Z");

  private Timestamps() {}

  /** Returns text of fixed width, so that the text sorts by time. */
  static String milliseconds(Instant instant) {
    return MILLISECONDS.format(instant);
  }

  /**
   * Returns text with milliseconds, or with microseconds if there are any.
   *
   * @throws SQLException for an instant outside the years 0 to 9999 (RFC 3339 section 1), including
   *     PostgreSQL's infinite timestamps
   */
  static String text(Instant instant) throws SQLException {
    if (instant.isBefore(EARLIEST) || !instant.isBefore(END)) {
      throw new SQLException("a timestamp column contains a year outside 0 to 9999", "22008");
    }
    boolean whole = instant.truncatedTo(ChronoUnit.MILLIS).equals(instant);
    return (whole ? MILLISECONDS : MICROSECONDS).format(instant);
  }

  /**
   * Returns a date as text such as {@code 2026-11-20}.
   *
   * @throws SQLException for a year outside 1 to 9999, including PostgreSQL's infinite dates
   */
  static String text(LocalDate date) throws SQLException {
    if (date.getYear() < 1 || date.getYear() > 9999) {
      throw new SQLException("a date column contains a year outside 1 to 9999", "22008");
    }
    return date.toString();
  }

  /**
   * Returns whether text is a timestamp in the form of {@link #milliseconds}. Every row of a page
   * is checked here, so the text is not parsed.
   */
  static boolean isOfFixedWidth(String text) {
    return text.length() == FIXED_WIDTH
        && hasForm(text)
        && number(text, 11) < 24
        && number(text, 14) < 60
        && number(text, 17) < 60
        && isDay(number(text, 0) * 100 + number(text, 2), number(text, 5), number(text, 8));
  }

  private static boolean hasForm(String text) {
    for (int at = 0; at < FIXED_WIDTH; at++) {
      char expected = FORM.charAt(at);
      char c = text.charAt(at);
      if (expected == '0' ? c < '0' || c > '9' : c != expected) {
        return false;
      }
    }
    return true;
  }

  /** Returns the number of two digits at this position. */
  private static int number(String text, int at) {
    return (text.charAt(at) - '0') * 10 + text.charAt(at + 1) - '0';
  }

  private static boolean isDay(int year, int month, int day) {
    return month >= 1
        && month <= 12
        && day >= 1
        && (day <= 28 || day <= YearMonth.of(year, month).lengthOfMonth());
  }

  /** Parses RFC 3339, and the form of SQLite's functions, which is UTC without a zone. */
  static Instant parse(String text) {
    if (text.length() > 10 && text.charAt(10) == ' ' && !text.endsWith("Z")) {
      return LocalDateTime.parse(text.replace(' ', 'T')).toInstant(ZoneOffset.UTC);
    }
    return OffsetDateTime.parse(text).toInstant();
  }
}
