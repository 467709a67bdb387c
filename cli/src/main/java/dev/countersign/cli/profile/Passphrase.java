package dev.countersign.cli.profile;

import dev.countersign.cli.terminal.CliException;
import dev.countersign.cli.terminal.Environment;
import dev.countersign.cli.terminal.ExitCode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The passphrase of a key: from a file, or else from the person at the terminal, but never from an
 * argument.
 */
public final class Passphrase implements Supplier<char[]> {
  private final Environment environment;
  private final Optional<Path> file;

  public Passphrase(Environment environment, Optional<Path> file) {
    this.environment = environment;
    this.file = file;
  }

  /** Returns whether the passphrase is available without asking anybody. */
  boolean isInFile() {
    return file.isPresent();
  }

  @Override
  public char[] get() {
    return file.map(Passphrase::firstLine).orElseGet(this::asked);
  }

  private char[] asked() {
    return environment
        .terminal()
        .askSecret("Passphrase of the key: ")
        .orElseThrow(
            () ->
                new CliException(
                    ExitCode.FAILED,
                    "key_unusable",
                    environment.terminal().canAsk()
                        ? "the input ended before the key's passphrase was entered"
                        : "the key has a passphrase and there is no terminal to ask for it: give"
                            + " --passphrase-file FILE"));
  }

  private static char[] firstLine(Path file) {
    try (var lines = Files.lines(file)) {
      return lines.findFirst().orElse("").toCharArray();
    } catch (IOException | UncheckedIOException failed) {
      throw new CliException(
          ExitCode.FAILED, "key_unusable", "the passphrase file " + file + " cannot be read");
    }
  }
}
