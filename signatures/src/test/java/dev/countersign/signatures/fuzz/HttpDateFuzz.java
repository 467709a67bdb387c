package dev.countersign.signatures.fuzz;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.time.format.SignStyle.NOT_NEGATIVE;
import static java.time.temporal.ChronoField.DAY_OF_MONTH;
import static java.time.temporal.ChronoField.YEAR;

import dev.countersign.signatures.base.HttpDate;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.ResolverStyle;
import java.util.Locale;
import java.util.Optional;

/** HTTP dates, compared to a formatter of the JDK. */
public final class HttpDateFuzz {
  private static final DateTimeFormatter JDK =
      new DateTimeFormatterBuilder()
          .appendPattern("EEE, ")
          .appendValue(DAY_OF_MONTH, 1, 2, NOT_NEGATIVE)
          .appendPattern(" MMM ")
          .appendValue(YEAR, 4)
          .appendPattern(" HH:mm:ss 'GMT'")
          .toFormatter(Locale.ENGLISH)
          .withZone(ZoneOffset.UTC)
          .withResolverStyle(ResolverStyle.STRICT);

  private HttpDateFuzz() {}

  public static void fuzzerTestOneInput(byte[] input) {
    String text = new String(input, UTF_8);
    Optional<Instant> read = read(text);
    FuzzFinding.unlessEqual(read, readByTheJdk(text));
    read.ifPresent(
        instant -> FuzzFinding.unlessEqual(HttpDate.parse(HttpDate.format(instant)), instant));
  }

  private static Optional<Instant> read(String text) {
    try {
      return Optional.of(HttpDate.parse(text));
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }

  private static Optional<Instant> readByTheJdk(String text) {
    try {
      return Optional.of(JDK.parse(text, Instant::from));
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }
}
