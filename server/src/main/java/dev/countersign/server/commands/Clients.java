package dev.countersign.server.commands;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The commands about clients. Without a subcommand, reports which there are. */
@Command(
    name = "clients",
    mixinStandardHelpOptions = true,
    description = "Registers partners and their keys.",
    footer = {"", "Example:", "  countersign clients list"})
final class Clients implements Runnable {
  @Spec
  @SuppressWarnings("NullAway.Init") // picocli
  private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(),
        "clients needs one of " + String.join(", ", spec.subcommands().keySet()));
  }
}
