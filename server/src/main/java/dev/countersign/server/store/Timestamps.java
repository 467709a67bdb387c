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
 * Converts timestamps and dates to text and back. A timestamp becomes RFC 3339 text in UTC with
 * three decimals, or with six if it has microseconds. A date becomes text such as {@code
 * 2026-11-20}.
 */
public final class Timestamps {
  private static final DateTimeFormatter MILLISECONDS =
      new DateTimeFormatterBuilder().appendInstant(3).toFormatter(Locale.ROOT);
  private static final DateTimeFormatter MICROSECONDS =
      new DateTimeFormatterBuilder().appendInstant(6).toFormatter(Locale.ROOT);
  private static final String MILLISECONDS_FORM = "0000-00-00T00:00:00.000Z";
  private static final int MILLISECONDS_LENGTH = MILLISECONDS_FORM.length();

  // A zone differs from UTC by at most 14:59 hours, because SQLite's functions reject other zones.
  private static final Pattern STORED =
      Pattern.compile(
          "(?<date>[0-9]{4}-[0-9]{2}-[0-9]{2})"
              + "(?:[ T](?<hoursMinutes>[0-9]{2}:[0-9]{2})"
              + "(?:(?<colonSeconds>:[0-9]{2})(?<pointDecimals>\\.[0-9]+)?)?"
              + "(?: ?(?<zone>Z|[+-](?:0[0-9]|1[0-4]):[0-5][0-9]))?)?");

  private static final Instant EARLIEST = Instant.parse("0000-01-01T00:00:00Z");
  private static final Instant END = Instant.parse("+10000-01-01T00:00:00Z");

  private Timestamps() {}

  /** Returns whether an instant is in the years 0 to 9999 (RFC 3339 section 1). */
  public static boolean isInRange(Instant instant) {
    return !instant.isBefore(EARLIEST) && instant.isBefore(END);
  }

  /** Returns text with milliseconds. It always has the same length, so that it sorts by time. */
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
    if (!isInRange(instant)) {
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
   * Returns whether text is a timestamp in the form of {@link #milliseconds}. Does not parse the
   * text, because this would be slow for every row of a page.
   */
  public static boolean hasMillisecondsForm(String text) {
    return text.length() == MILLISECONDS_LENGTH
        && matchesForm(text)
        && number(text, 11) < 24
        && number(text, 14) < 60
        && number(text, 17) < 60
        && isDay(number(text, 0) * 100 + number(text, 2), number(text, 5), number(text, 8));
  }

  private static boolean matchesForm(String text) {
    for (int at = 0; at < MILLISECONDS_LENGTH; at++) {
      char expected = MILLISECONDS_FORM.charAt(at);
      char c = text.charAt(at);
      if (expected == '0' ? c < '0' || c > '9' : c != expected) {
        return false;
      }
    }
    return true;
  }

  /** Returns the number that the two digits at this position form. */
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
   * Parses a timestamp in one of the forms that programs store. Such a text consists of:
   *
   * <ul>
   *   <li>a date, {@code YYYY-MM-DD};
   *   <li>optionally, a space or {@code T} and a time: {@code HH:MM}, {@code HH:MM:SS} or {@code
   *       HH:MM:SS.} with any number of decimals;
   *   <li>optionally after a time, a zone: {@code Z} or {@code \u00b1HH:MM}, with or without a
   *       space before it. Without a zone, the time is in UTC.
   * </ul>
   *
   * <p>{@code SqliteConditions} has the same grammar in SQL.
   *
   * @return the instant in milliseconds; further decimals are cut
   * @throws DateTimeException if the text is not a timestamp, or not within the years 0 to 9999
   */
  public static Instant parseMilliseconds(String text) {
    Matcher form = STORED.matcher(text);
    if (!form.matches()) {
      throw new DateTimeException("not a timestamp");
    }
    LocalDate date = LocalDate.parse(form.group("date"));
    String hoursMinutes = form.group("hoursMinutes");
    if (hoursMinutes == null) {
      return date.atStartOfDay(ZoneOffset.UTC).toInstant();
    }
    String colonSeconds = form.group("colonSeconds");
    String zone = form.group("zone");
    Instant instant =
        date.atTime(LocalTime.parse(hoursMinutes + (colonSeconds == null ? "" : colonSeconds)))
            .plus(milliseconds(form.group("pointDecimals")), ChronoUnit.MILLIS)
            .toInstant(zone == null ? ZoneOffset.UTC : ZoneOffset.of(zone));
    if (!isInRange(instant)) {
      throw new DateTimeException("not within the years 0 to 9999");
    }
    return instant;
  }

  private static int milliseconds(@Nullable String pointDecimals) {
    return pointDecimals == null ? 0 : Integer.parseInt((pointDecimals + "000").substring(1, 4));
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
