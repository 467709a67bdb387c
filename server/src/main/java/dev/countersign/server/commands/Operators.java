package dev.countersign.server.commands;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The commands about operators. Without a subcommand, reports which there are. */
@Command(
    name = "operators",
    mixinStandardHelpOptions = true,
    description = "Says who may use the portal.",
    footer = {"", "Example:", "  countersign operators list"})
final class Operators implements Runnable {
  @Spec
  @SuppressWarnings("NullAway.Init") // picocli
  private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(),
        "operators needs one of " + String.join(", ", spec.subcommands().keySet()));
  }
}
