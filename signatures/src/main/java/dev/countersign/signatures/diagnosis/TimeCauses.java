package dev.countersign.signatures.diagnosis;

import dev.countersign.signatures.base.HttpDate;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Finds out why two dates, or two values of {@code created}, differ. */
final class TimeCauses {
  // In characters. Longer dates and longer Unix times are not read.
  private static final int MAX_DATE_LENGTH = 40;
  private static final int MAX_NUMBER_LENGTH = 15;
  // In seconds: time zones differ from UTC by multiples of 15 minutes, up to 14 hours.
  private static final long ZONE_STEP = 900;
  private static final long MAX_ZONE_OFFSET = 14 * 3600;

  private static final List<Function<String, Instant>> FORMS =
      List.of(
          HttpDate::parse,
          text -> DateTimeFormatter.RFC_1123_DATE_TIME.parse(withGmt(text), Instant::from),
          text -> OffsetDateTime.parse(text).toInstant());

  private TimeCauses() {}

  static Optional<LikelyCause> ofDates(String signed, String rebuilt) {
    Optional<Instant> a = instant(signed);
    Optional<Instant> b = instant(rebuilt);
    if (a.isEmpty() || b.isEmpty()) {
      // If neither text can be read as a date, the cause remains unknown.
      return a.isPresent() != b.isPresent() ? Optional.of(LikelyCause.DATE_FORM) : Optional.empty();
    }
    long apart = a.get().getEpochSecond() - b.get().getEpochSecond();
    if (apart == 0) {
      return Optional.of(LikelyCause.DATE_FORM);
    }
    return Optional.of(isZoneOffset(apart) ? LikelyCause.TIME_ZONE : LikelyCause.DATE_DIFFERS);
  }

  static Optional<LikelyCause> ofCreated(String signed, String rebuilt) {
    if (!isNumber(signed) || !isNumber(rebuilt)) {
      return Optional.empty();
    }
    long a = Long.parseLong(signed);
    long b = Long.parseLong(rebuilt);
    if (Math.min(a, b) > 0 && Math.max(a, b) / 1000 == Math.min(a, b)) {
      return Optional.of(LikelyCause.CREATED_IN_MILLISECONDS);
    }
    return Optional.of(isZoneOffset(a - b) ? LikelyCause.TIME_ZONE : LikelyCause.CREATED_DIFFERS);
  }

  private static boolean isZoneOffset(long seconds) {
    return seconds != 0 && seconds % ZONE_STEP == 0 && Math.abs(seconds) <= MAX_ZONE_OFFSET;
  }

  private static boolean isNumber(String text) {
    return !text.isEmpty()
        && text.length() <= MAX_NUMBER_LENGTH
        && text.chars().allMatch(c -> c >= '0' && c <= '9');
  }

  /** Reads an HTTP date, also with an offset or another name for UTC, or an ISO 8601 time. */
  private static Optional<Instant> instant(String text) {
    if (text.length() > MAX_DATE_LENGTH) {
      return Optional.empty();
    }
    return FORMS.stream().flatMap(form -> parsed(form, text).stream()).findFirst();
  }

  private static Optional<Instant> parsed(Function<String, Instant> form, String text) {
    try {
      return Optional.of(form.apply(text));
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }

  private static String withGmt(String text) {
    return text.endsWith(" UTC") || text.endsWith(" Z")
        ? text.substring(0, text.lastIndexOf(' ')) + " GMT"
        : text;
  }
}
