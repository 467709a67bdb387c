package dev.countersign.server.portal;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/**
 * Formats times for pages: in UTC, and relative to now.
 *
 * @param now when the page is rendered
 */
public record Moments(Instant now) {
  private static final DateTimeFormatter TEXT =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm 'UTC'", Locale.ROOT).withZone(ZoneOffset.UTC);

  private static final DateTimeFormatter EXACT =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss 'UTC'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  /** Formats a time, such as {@code 2026-11-20 18:35 UTC}. */
  public String text(Instant time) {
    return TEXT.format(time);
  }

  /** Formats a time with seconds, such as {@code 2026-11-20 18:35:07 UTC}. */
  public String exactly(Instant time) {
    return EXACT.format(time);
  }

  /** Formats a time's distance from now, such as {@code 3 days ago} or {@code in 7 days}. */
  public String distance(Instant time) {
    Duration distance = Duration.between(time, now);
    if (distance.abs().compareTo(Duration.ofMinutes(1)) < 0) {
      return "now";
    }
    String words = words(distance.abs());
    return distance.isNegative() ? "in " + words : words + " ago";
  }

  /** Returns the whole days since a time, at least 0. */
  public long days(Instant since) {
    return Math.max(0, Duration.between(since, now).toDays());
  }

  /** Formats the age in days, such as {@code 1 day} or {@code 95 days}. */
  public String age(Instant since) {
    return count(days(since), "day");
  }

  private static String words(Duration distance) {
    if (distance.toHours() < 1) {
      return count(distance.toMinutes(), "minute");
    }
    return distance.toDays() < 1
        ? count(distance.toHours(), "hour")
        : count(distance.toDays(), "day");
  }

  private static String count(long number, String unit) {
    return number + " " + unit + (number == 1 ? "" : "s");
  }
}
