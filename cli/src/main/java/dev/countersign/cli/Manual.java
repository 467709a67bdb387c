package dev.countersign.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.countersign.cli.terminal.Environment;
import dev.countersign.cli.terminal.ExitCode;
import dev.countersign.cli.terminal.Terminal;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import picocli.CommandLine;

/** Describes all commands, for manual pages and packages. */
public final class Manual {
  private Manual() {}

  /** All commands. Use them only to read their descriptions. */
  public static CommandLine commands() {
    return Commands.all(environment(OutputStream.nullOutputStream()));
  }

  /** Every exit code and its description, in ascending order. */
  public static SortedMap<Integer, String> exitCodes() {
    SortedMap<Integer, String> codes = new TreeMap<>();
    for (ExitCode exit : ExitCode.values()) {
      codes.put(exit.code(), exit.meaning().replace("`", ""));
    }
    return codes;
  }

  /** The completion script of a shell: bash, zsh or fish. */
  public static String completion(String shell) {
    ByteArrayOutputStream script = new ByteArrayOutputStream();
    int exit = Countersign.run(environment(script), "completion", shell);
    if (exit != ExitCode.OK.code()) {
      throw new IllegalArgumentException("there is no completion for " + shell);
    }
    return script.toString(UTF_8);
  }

  private static Environment environment(OutputStream out) {
    return new Environment(
        Map.of(),
        () -> Path.of(""),
        Clock.fixed(Instant.EPOCH, ZoneOffset.UTC),
        InputStream.nullInputStream(),
        out,
        OutputStream.nullOutputStream(),
        Terminal.none(),
        () -> false);
  }
}
