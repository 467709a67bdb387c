package dev.countersign.signatures.base;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/**
 * Reads and writes the fixed form of an HTTP date: {@code Tue, 05 Mar 2024 07:08:09 GMT} (RFC 9110
 * section 5.6.7).
 *
 * <p>A day with one digit is also accepted, because existing signers send it. The two obsolete
 * forms of the RFC are not accepted.
 */
public final class HttpDate {
  private static final DateTimeFormatter FIXED =
      DateTimeFormatter.ofPattern("EEE, dd MMM uuuu HH:mm:ss 'GMT'", Locale.ENGLISH)
          .withZone(ZoneOffset.UTC);

  private static final String DAYS = "MonTueWedThuFriSatSun";
  private static final String MONTHS = "JanFebMarAprMayJunJulAugSepOctNovDec";

  private HttpDate() {}

  /** Formats an instant in UTC, truncated to whole seconds. */
  public static String format(Instant instant) {
    return FIXED.format(instant);
  }

  /**
   * Reads a header field with an HTTP date. Spaces and tabs at both ends are ignored.
   *
   * @throws DateTimeException in the same cases as {@link #parse}
   */
  public static Instant parseField(String line) {
    return parse(FieldValue.trim(line));
  }

  /**
   * Reads an HTTP date.
   *
   * @throws DateTimeException when the text has another form, names a day that does not exist, or
   *     has the wrong day of the week
   */
  public static Instant parse(String text) {
    // Design note: parses by hand, because this method runs for every request and a formatter takes
    // ten times longer.
    int digits = text.length() == 28 ? 1 : 2;
    int at = 5 + digits;
    if (text.length() != 27 + digits
        || !text.startsWith(", ", 3)
        || text.charAt(at) != ' '
        || text.charAt(at + 4) != ' '
        || text.charAt(at + 9) != ' '
        || text.charAt(at + 12) != ':'
        || text.charAt(at + 15) != ':'
        || !text.endsWith(" GMT")) {
      throw new DateTimeException("not of the form Tue, 05 Mar 2024 07:08:09 GMT");
    }
    LocalDateTime time =
        LocalDateTime.of(
            number(text, at + 5, 4),
            1 + index(MONTHS, text, at + 1),
            number(text, 5, digits),
            number(text, at + 10, 2),
            number(text, at + 13, 2),
            number(text, at + 16, 2));
    if (time.getDayOfWeek().getValue() != 1 + index(DAYS, text, 0)) {
      throw new DateTimeException("that day is a " + time.getDayOfWeek());
    }
    return time.toInstant(ZoneOffset.UTC);
  }

  private static int number(String text, int start, int length) {
    int number = 0;
    for (int i = start; i < start + length; i++) {
      char c = text.charAt(i);
      if (c < '0' || c > '9') {
        throw new DateTimeException("expected a digit at position " + i);
      }
      number = number * 10 + (c - '0');
    }
    return number;
  }

  /** Returns the index of the three-letter name that the text has at this position. */
  private static int index(String names, String text, int start) {
    for (int i = 0; i < names.length(); i += 3) {
      if (text.regionMatches(start, names, i, 3)) {
        return i / 3;
      }
    }
    throw new DateTimeException("expected an English name of three letters at position " + start);
  }
}
