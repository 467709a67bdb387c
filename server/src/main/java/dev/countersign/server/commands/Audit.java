package dev.countersign.server.commands;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The commands about the audit trail. Without a subcommand, reports which there are. */
@Command(
    name = "audit",
    mixinStandardHelpOptions = true,
    description = "Shows and checks who changed what.",
    footer = {"", "Example:", "  countersign audit list"})
final class Audit implements Runnable {
  @Spec
  @SuppressWarnings("NullAway.Init") // picocli
  private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(), "audit needs one of " + String.join(", ", spec.subcommands().keySet()));
  }
}
