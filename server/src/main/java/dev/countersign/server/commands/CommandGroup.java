package dev.countersign.server.commands;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * A command that only has subcommands, such as {@code clients}. Without one of them, it fails and
 * lists them.
 */
public abstract class CommandGroup implements Runnable {
  @Spec
  @SuppressWarnings("NullAway.Init") // picocli
  private CommandSpec spec;

  @Override
  public final void run() {
    throw new ParameterException(
        spec.commandLine(),
        spec.name() + " needs one of " + String.join(", ", spec.subcommands().keySet()));
  }
}
