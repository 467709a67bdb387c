package dev.countersign.cli.keys;

import dev.countersign.cli.profile.Connection;
import dev.countersign.cli.terminal.CliException;
import dev.countersign.cli.terminal.Environment;
import dev.countersign.cli.terminal.ExitCode;
import dev.countersign.cli.terminal.Output;
import dev.countersign.client.rotation.KeyRotation;
import dev.countersign.client.rotation.RotatedKey;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/**
 * The command {@code countersign keys rotate}: replaces the key in use with a new one, without
 * interrupting calls.
 */
@Command(
    name = "rotate",
    mixinStandardHelpOptions = true,
    description = {
      "Makes a new key, registers it with the service, and replaces the key file with it.",
      "The old key works until the overlap ends. If a run is interrupted, the next run resumes it."
    },
    footer = {"", "Example:", "  countersign keys rotate --key partner.key --overlap 24h"})
final class KeysRotateCommand implements Callable<Integer> {
  private final Environment environment;
  private final Connection connection;

  @Mixin private final Output output;

  @Option(
      names = "--overlap",
      paramLabel = "DURATION",
      converter = OverlapText.class,
      description = "How long the old key stays valid: 24h, 7d, PT24H (default: 24h).")
  private Duration overlap = Duration.ofHours(24);

  KeysRotateCommand(Environment environment, Connection connection) {
    this.environment = environment;
    this.connection = connection;
    this.output = new Output(environment);
  }

  @Override
  public Integer call() {
    print(withOverlap(rotation()).rotate());
    return ExitCode.OK.code();
  }

  private KeyRotation rotation() {
    return KeyRotation.of(connection.baseUrl().uri(), connection.clientId(), connection.keyFile())
        .withClock(environment.clock())
        .withPassphrase(connection.passphrase())
        .withWarnings(warning -> output.note("warning: " + warning));
  }

  private KeyRotation withOverlap(KeyRotation rotation) {
    try {
      return rotation.withOverlap(overlap);
    } catch (IllegalArgumentException outOfRange) {
      throw CliException.usage("--" + outOfRange.getMessage());
    }
  }

  private void print(RotatedKey rotated) {
    if (output.json()) {
      Map<String, Object> result = new LinkedHashMap<>();
      result.put("key", connection.keyFile().toString());
      result.put("fingerprint", rotated.fingerprint());
      rotated.previousFingerprint().ifPresent(old -> result.put("previousFingerprint", old));
      rotated.previousEndsAt().ifPresent(end -> result.put("previousEndsAt", end.toString()));
      output.printJson(result);
      return;
    }
    output.print(rotated.fingerprint());
    output.note("the new key is in " + connection.keyFile());
    rotated.previousEndsAt().ifPresent(end -> output.note("the old key works until " + end));
  }

  /** Parses a duration: {@code 24h}, {@code 7d}, {@code 90m}, {@code 30s}, or ISO 8601. */
  private static final class OverlapText implements ITypeConverter<Duration> {
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
}
