package dev.countersign.server.commands.clients;

import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * The time from now until a key ends: {@code now}, {@code 30m}, {@code 12h}, {@code 7d}, or an ISO
 * 8601 duration such as {@code PT36H}; up to 366 days.
 */
record KeyEnd(Duration fromNow) {
  private static final Duration MAX = Duration.ofDays(366);
  private static final Pattern SHORT = Pattern.compile("([0-9]{1,6})([smhd])");

  static KeyEnd parse(String text) {
    Duration duration = duration(text.strip().toLowerCase(Locale.ROOT));
    if (duration.isNegative() || duration.compareTo(MAX) > 0) {
      throw refused(text);
    }
    return new KeyEnd(duration);
  }

  Instant after(Instant now) {
    return now.plus(fromNow);
  }

  private static Duration duration(String text) {
    Matcher units = SHORT.matcher(text);
    if (text.equals("now")) {
      return Duration.ZERO;
    } else if (!units.matches()) {
      return iso(text);
    }
    long count = Long.parseLong(units.group(1));
    return switch (units.group(2)) {
      case "s" -> Duration.ofSeconds(count);
      case "m" -> Duration.ofMinutes(count);
      case "h" -> Duration.ofHours(count);
      default -> Duration.ofDays(count);
    };
  }

  private static Duration iso(String text) {
    try {
      return Duration.parse(text);
    } catch (DateTimeParseException malformed) {
      throw refused(text);
    }
  }

  private static TypeConversionException refused(String text) {
    return new TypeConversionException(
        "'" + text + "' is not now or a duration of at most 366 days such as 30m, 12h or 7d");
  }

  /** Parses the option's value. */
  static final class Converter implements ITypeConverter<KeyEnd> {
    @Override
    public KeyEnd convert(String value) {
      return parse(value);
    }
  }
}
