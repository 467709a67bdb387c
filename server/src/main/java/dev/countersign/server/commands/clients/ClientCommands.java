package dev.countersign.server.commands.clients;

import dev.countersign.server.commands.CommandGroup;
import dev.countersign.server.commands.OperatorConsole;
import dev.countersign.server.commands.OperatorContext;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The commands about clients. */
@Command(
    name = "clients",
    mixinStandardHelpOptions = true,
    description = "Manages clients and their keys.",
    footer = {"", "Example:", "  countersign clients list"})
public final class ClientCommands extends CommandGroup {
  /** Returns the group with its commands. */
  public static CommandLine commands(OperatorContext.Opener opener, OperatorConsole console) {
    return new CommandLine(new ClientCommands())
        .addSubcommand(new ClientAddCommand(opener, console))
        .addSubcommand(new ClientListCommand(opener))
        .addSubcommand(new ClientShowCommand(opener))
        .addSubcommand(new ClientUpdateCommand(opener))
        .addSubcommand(new ClientStateCommand.Disable(opener))
        .addSubcommand(new ClientStateCommand.Enable(opener))
        .addSubcommand(new ClientRemoveCommand(opener, console))
        .addSubcommand(new ClientAddKeyCommand(opener, console))
        .addSubcommand(new ClientRemoveKeyCommand(opener));
  }
}
