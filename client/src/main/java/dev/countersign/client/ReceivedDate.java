package dev.countersign.client;

import dev.countersign.signatures.base.HttpDate;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Reads the dates of a response. A recipient accepts the two obsolete forms of an HTTP date as well
 * (RFC 9110 section 5.6.7): {@code Friday, 15-Mar-24 07:08:09 GMT} and {@code Fri Mar 15 07:08:09
 * 2024}. Signatures accept neither.
 */
final class ReceivedDate {
  private static final Pattern RFC_850 =
      Pattern.compile(
          "(?=(...))(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, (..)-(...)-(..) (.{8}) GMT");

  private static final Pattern ASCTIME =
      Pattern.compile("(...) (...) ([0-9]{2}) (.{8}) ([0-9]{4})");

  private ReceivedDate() {}

  /** Reads a date; empty if it has none of the three forms, or the wrong day of the week. */
  static Optional<Instant> parse(String text) {
    return fixedForms(text).flatMap(form -> parseFixed(form).stream()).findFirst();
  }

  /** Returns what the text may mean, in the fixed form. */
  private static Stream<String> fixedForms(String text) {
    Matcher rfc850 = RFC_850.matcher(text);
    if (rfc850.matches()) {
      // The day of the week decides the century: it is different a hundred years earlier.
      return Stream.of(
          rfc850.replaceFirst("$1, $2 $3 20$4 $5 GMT"),
          rfc850.replaceFirst("$1, $2 $3 19$4 $5 GMT"));
    }
    // A day with one digit has a second blank in front.
    Matcher asctime = ASCTIME.matcher(text.replace("  ", " 0"));
    return Stream.of(asctime.matches() ? asctime.replaceFirst("$1, $3 $2 $5 $4 GMT") : text);
  }

  private static Optional<Instant> parseFixed(String text) {
    try {
      return Optional.of(HttpDate.parse(text));
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }
}
