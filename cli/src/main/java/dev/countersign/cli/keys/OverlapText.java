package dev.countersign.cli.keys;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses a duration: {@code 24h}, {@code 7d}, {@code 90m}, {@code 30s}, or ISO 8601. */
final class OverlapText implements ITypeConverter<Duration> {
  private static final Pattern SHORT = Pattern.compile("([0-9]{1,9})([smhd])");

  @Override
  public Duration convert(String text) {
    Matcher matcher = SHORT.matcher(text.toLowerCase(Locale.ROOT));
    if (matcher.matches()) {
      long number = Long.parseLong(matcher.group(1));
      return switch (matcher.group(2)) {
        case "s" -> Duration.ofSeconds(number);
        case "m" -> Duration.ofMinutes(number);
        case "h" -> Duration.ofHours(number);
        default -> Duration.ofDays(number);
      };
    }
    try {
      return Duration.parse(text);
    } catch (DateTimeParseException malformed) {
      throw new TypeConversionException(
          "'" + text + "' must be a duration such as 24h, 7d or PT24H");
    }
  }
}
