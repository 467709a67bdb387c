package dev.countersign.cli.terminal;

import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Everything that a command gets from its process. Commands read no clock, no environment variables
 * and no standard streams directly.
 *
 * @param variables the environment variables
 * @param home the user's home directory
 * @param interrupted true once the user has pressed Ctrl-C
 */
public record Environment(
    Map<String, String> variables,
    Path home,
    Clock clock,
    InputStream in,
    OutputStream out,
    OutputStream err,
    Terminal terminal,
    BooleanSupplier interrupted) {

  /** The value of a variable; an empty value counts as absent. */
  public Optional<String> variable(String name) {
    return Optional.ofNullable(variables.get(name)).filter(value -> !value.isEmpty());
  }

  /** A path as people type it. {@code ~/} stands for the home directory. */
  public Path path(String typed) {
    return typed.startsWith("~/") ? home.resolve(typed.substring(2)) : Path.of(typed);
  }

  /** Returns whether to use colours: only on a terminal, and never with NO_COLOR (no-color.org). */
  public boolean colours(boolean terminalStream) {
    return terminalStream
        && variable("NO_COLOR").isEmpty()
        && !"dumb".equals(variables.get("TERM"));
  }
}
