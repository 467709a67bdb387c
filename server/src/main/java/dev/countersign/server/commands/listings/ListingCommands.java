package dev.countersign.server.commands.listings;

import dev.countersign.server.commands.CommandGroup;
import dev.countersign.server.commands.OperatorContext;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The commands about listings. */
@Command(
    name = "listings",
    mixinStandardHelpOptions = true,
    description = "Suggests listings for the tables of your database.",
    footer = {"", "Example:", "  countersign listings suggest"})
public final class ListingCommands extends CommandGroup {
  /** Returns the group with its commands. */
  public static CommandLine commands(OperatorContext.Opener opener) {
    return new CommandLine(new ListingCommands()).addSubcommand(new ListingSuggestCommand(opener));
  }
}
