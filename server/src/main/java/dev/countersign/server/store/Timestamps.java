package dev.countersign.server.store;

import java.sql.SQLException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Timestamps as RFC 3339 text in UTC, with three decimals, or six if the column stores them, and
 * dates as the text of their day.
 */
public final class Timestamps {
  private static final DateTimeFormatter MILLISECONDS =
      new DateTimeFormatterBuilder().appendInstant(3).toFormatter(Locale.ROOT);
  private static final DateTimeFormatter MICROSECONDS =
      new DateTimeFormatterBuilder().appendInstant(6).toFormatter(Locale.ROOT);
  private static final String FORM = "0000-00-00T00:00:00.000Z";
  private static final int FIXED_WIDTH = FORM.length();

  // SQLite's functions know no zone further from UTC than 14 hours and 59 minutes.
  private static final Pattern STORED =
      Pattern.compile(
          "(?<day>[0-9]{4}-[0-9]{2}-[0-9]{2})"
              + "(?:[ T](?<minutes>[0-9]{2}:[0-9]{2})"
              + "(?:(?<seconds>:[0-9]{2})(?<decimals>\\.[0-9]+)?)?"
              + "(?: ?(?<zone>Z|[+-](?:0[0-9]|1[0-4]):[0-5][0-9]))?)?");

  private static final Instant EARLIEST = Instant.parse("0000-01-01T00:00:00Z");
  private static final Instant END = Instant.parse("+10000-01-01T00:00:00Z");

  private Timestamps() {}

  /** Returns text of fixed width, so that the text sorts by time. */
  public static String milliseconds(Instant instant) {
    return MILLISECONDS.format(instant);
  }

  /**
   * Returns text with milliseconds, or with microseconds if there are any.
   *
   * @throws SQLException for an instant outside the years 0 to 9999 (RFC 3339 section 1), including
   *     PostgreSQL's infinite timestamps
   */
  public static String text(Instant instant) throws SQLException {
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
  public static String text(LocalDate date) throws SQLException {
    if (date.getYear() < 1 || date.getYear() > 9999) {
      throw new SQLException("a date column contains a year outside 1 to 9999", "22008");
    }
    return date.toString();
  }

  /**
   * Returns whether text is a timestamp in the form of {@link #milliseconds}. Every row of a page
   * is checked here, so the text is not parsed.
   */
  public static boolean isOfFixedWidth(String text) {
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

  /**
   * Parses a timestamp in one of the forms that programs store: a day {@code YYYY-MM-DD}, then
   * nothing, or a blank or {@code T} and {@code HH:MM}, {@code HH:MM:SS} or {@code HH:MM:SS.} with
   * any number of decimals, then optionally a zone: {@code Z} or {@code \u00b1HH:MM}, which may
   * follow a blank. Without a zone, it is UTC. {@code SqliteConditions} has the same grammar in
   * SQL.
   *
   * @return the instant in milliseconds; further decimals are cut
   * @throws DateTimeException if the text is not a timestamp, or not within the years 0 to 9999
   */
  public static Instant parseMilliseconds(String text) {
    Matcher form = STORED.matcher(text);
    if (!form.matches()) {
      throw new DateTimeException("not a timestamp");
    }
    LocalDate day = LocalDate.parse(form.group("day"));
    if (form.group("minutes") == null) {
      return day.atStartOfDay(ZoneOffset.UTC).toInstant();
    }
    String seconds = form.group("seconds");
    String zone = form.group("zone");
    Instant instant =
        day.atTime(LocalTime.parse(form.group("minutes") + (seconds == null ? "" : seconds)))
            .plus(milliseconds(form.group("decimals")), ChronoUnit.MILLIS)
            .toInstant(zone == null ? ZoneOffset.UTC : ZoneOffset.of(zone));
    if (instant.isBefore(EARLIEST) || !instant.isBefore(END)) {
      throw new DateTimeException("not within the years 0 to 9999");
    }
    return instant;
  }

  private static int milliseconds(@Nullable String decimals) {
    return decimals == null ? 0 : Integer.parseInt((decimals + "000").substring(1, 4));
  }

  /**
   * Returns the form of a stored timestamp, with zeros for its digits except those of a zone. Texts
   * of one form sort by time.
   */
  public static String form(String text) {
    Matcher form = STORED.matcher(text);
    if (!form.matches()) {
      return "";
    }
    String zone = form.group("zone");
    int end = zone == null ? text.length() : form.start("zone");
    return text.substring(0, end).replaceAll("[0-9]", "0") + (zone == null ? "" : zone);
  }
}
