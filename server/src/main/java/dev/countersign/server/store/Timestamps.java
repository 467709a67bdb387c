package dev.countersign.server.store;

import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoUnit;

/** Timestamps as RFC 3339 text in UTC, with three decimals, or six where a column keeps them. */
final class Timestamps {
  private static final DateTimeFormatter MILLISECONDS =
      new DateTimeFormatterBuilder().appendInstant(3).toFormatter();
  private static final DateTimeFormatter MICROSECONDS =
      new DateTimeFormatterBuilder().appendInstant(6).toFormatter();
  private static final int FIXED_WIDTH = "2026-11-20T18:35:30.123Z".length();

  private static final Instant EARLIEST = Instant.parse("0000-01-01T00:00:00Z");
  private static final Instant END = Instant.parse("+10000-01-01T00:00:00Z");

  private Timestamps() {}

  /** Text of fixed width, so that the order of the text is the order of time. */
  static String milliseconds(Instant instant) {
    return MILLISECONDS.format(instant);
  }

  /**
   * Text that keeps microseconds where there are some.
   *
   * @throws SQLException for an instant outside the years 0 to 9999 (RFC 3339 section 1), which
   *     PostgreSQL's infinite timestamps are too
   */
  static String text(Instant instant) throws SQLException {
    if (instant.isBefore(EARLIEST) || !instant.isBefore(END)) {
      throw new SQLException("a column of timestamps holds a year that is not 0 to 9999", "22008");
    }
    boolean whole = instant.truncatedTo(ChronoUnit.MILLIS).equals(instant);
    return (whole ? MILLISECONDS : MICROSECONDS).format(instant);
  }

  /** Whether text looks as {@link #milliseconds} writes it. */
  static boolean isOfFixedWidth(String text) {
    return text.length() == FIXED_WIDTH
        && text.charAt(10) == 'T'
        && text.charAt(19) == '.'
        && text.charAt(FIXED_WIDTH - 1) == 'Z';
  }

  /** Reads RFC 3339, and the form of SQLite's own functions, which is UTC without saying so. */
  static Instant parse(String text) {
    if (text.length() > 10 && text.charAt(10) == ' ' && !text.endsWith("Z")) {
      return LocalDateTime.parse(text.replace(' ', 'T')).toInstant(ZoneOffset.UTC);
    }
    return OffsetDateTime.parse(text).toInstant();
  }
}
