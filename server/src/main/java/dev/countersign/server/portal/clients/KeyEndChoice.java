package dev.countersign.server.portal.clients;

import dev.countersign.server.store.Timestamps;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The choices that a form offers for the end of a key. */
enum KeyEndChoice {
  IN_30_DAYS("30d", "In 30 days", Duration.ofDays(30)),
  IN_7_DAYS("7d", "In 7 days", Duration.ofDays(7)),
  IN_24_HOURS("24h", "In 24 hours", Duration.ofHours(24)),
  NOW("now", "Now", Duration.ZERO),
  AT("at", "At the time below", null),
  NEVER("none", "No expiry", null);

  private final String word;
  private final String label;
  private final @Nullable Duration fromNow;

  KeyEndChoice(String word, String label, @Nullable Duration fromNow) {
    this.word = word;
    this.label = label;
    this.fromNow = fromNow;
  }

  public String word() {
    return word;
  }

  public String label() {
    return label;
  }

  static KeyEndChoice of(@Nullable String word) {
    return Arrays.stream(values())
        .filter(choice -> choice.word.equals(word))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("choose when the key expires"));
  }

  /**
   * Returns the end of the key.
   *
   * @param time the time for {@link #AT}, such as {@code 2026-12-01T12:00}, in UTC
   * @return null for no end
   * @throws IllegalArgumentException if the time is invalid, in the past or after the year 9999
   */
  @Nullable Instant end(Instant now, @Nullable String time) {
    if (this == AT) {
      return future(now, time == null ? "" : time);
    }
    return fromNow == null ? null : now.plus(fromNow);
  }

  private static Instant future(Instant now, String time) {
    Instant end;
    try {
      end = LocalDateTime.parse(time.strip()).toInstant(ZoneOffset.UTC);
    } catch (DateTimeParseException malformed) {
      throw new IllegalArgumentException(
          "enter a date and time in UTC, such as 2026-12-01T12:00", malformed);
    }
    if (!end.isAfter(now)) {
      throw new IllegalArgumentException("this time has passed; choose a later time, or Now");
    }
    if (!Timestamps.isInRange(end)) {
      throw new IllegalArgumentException(
          "the year must be at most 9999; choose an earlier time, or No expiry");
    }
    return end;
  }
}
