package dev.countersign.server.store;

import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoUnit;

/** Timestamps as RFC 3339 text in UTC, with three decimals, or six if the column stores them. */
final class Timestamps {
  private static final DateTimeFormatter MILLISECONDS =
      new DateTimeFormatterBuilder().appendInstant(3).toFormatter();
  private static final DateTimeFormatter MICROSECONDS =
      new DateTimeFormatterBuilder().appendInstant(6).toFormatter();
  private static final int FIXED_WIDTH = "2026-11-20T18:35:30.123Z".length();

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

  /** Returns whether text has the form of {@link #milliseconds}. */
  static boolean isOfFixedWidth(String text) {
    return text.length() == FIXED_WIDTH
        && text.charAt(10) == 'T'
        && text.charAt(19) == '.'
        && text.charAt(FIXED_WIDTH - 1) == 'Z';
  }

  /** Parses RFC 3339, and the form of SQLite's functions, which is UTC without a zone. */
  static Instant parse(String text) {
    if (text.length() > 10 && text.charAt(10) == ' ' && !text.endsWith("Z")) {
      return LocalDateTime.parse(text.replace(' ', 'T')).toInstant(ZoneOffset.UTC);
    }
    return OffsetDateTime.parse(text).toInstant();
  }
}
