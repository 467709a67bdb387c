package dev.countersign.cli.terminal;

import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Everything that a command gets from its process. Commands read no clock, no environment variables
 * and no standard streams directly.
 *
 * @param variables the environment variables
 * @param home returns the user's home directory; fails with a {@link CliException} if the directory
 *     cannot be used
 * @param interrupted returns true after a signal, such as Ctrl-C
 */
public record Environment(
    Map<String, String> variables,
    Supplier<Path> home,
    Clock clock,
    InputStream in,
    OutputStream out,
    OutputStream err,
    Terminal terminal,
    BooleanSupplier interrupted) {

  /** Returns the value of a variable; an empty value counts as absent. */
  public Optional<String> variable(String name) {
    return Optional.ofNullable(variables.get(name)).filter(value -> !value.isEmpty());
  }

  /**
   * Converts a typed path. {@code ~/} at its beginning stands for the home directory. A text that
   * is not a path on this system is a usage error.
   */
  public Path path(String typed) {
    try {
      return typed.startsWith("~/") ? home.get().resolve(typed.substring(2)) : Path.of(typed);
    } catch (InvalidPathException unusable) {
      throw CliException.usage("'" + typed + "' is not a path: " + unusable.getReason());
    }
  }

  /**
   * Returns whether to use colours: only on a terminal, but not with {@code TERM=dumb} or NO_COLOR
   * (no-color.org).
   *
   * @param isTerminal whether the output goes to a terminal
   */
  public boolean usesColours(boolean isTerminal) {
    return isTerminal && variable("NO_COLOR").isEmpty() && !"dumb".equals(variables.get("TERM"));
  }
}
