package dev.countersign.server.commands.listings;

import dev.countersign.server.commands.OperatorContext;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The commands about listings. Without a subcommand, the command fails and lists its subcommands.
 */
@Command(
    name = "listings",
    mixinStandardHelpOptions = true,
    description = "Suggests listings for the tables of your database.",
    footer = {"", "Example:", "  countersign listings suggest"})
public final class ListingCommands implements Runnable {
  @Spec
  @SuppressWarnings("NullAway.Init") // picocli
  private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(),
        "listings needs one of " + String.join(", ", spec.subcommands().keySet()));
  }

  /** Returns the group with its commands. */
  public static CommandLine commands(OperatorContext.Opener opener) {
    return new CommandLine(new ListingCommands()).addSubcommand(new ListingSuggestCommand(opener));
  }
}
