package dev.countersign.server.commands.operators;

import dev.countersign.server.commands.CommandGroup;
import dev.countersign.server.commands.OperatorConsole;
import dev.countersign.server.commands.OperatorContext;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The commands about operators. */
@Command(
    name = "operators",
    mixinStandardHelpOptions = true,
    description = "Manages the operators who can use the portal.",
    footer = {"", "Example:", "  countersign operators list"})
public final class OperatorAccountCommands extends CommandGroup {
  /** Returns the group with its commands. */
  public static CommandLine commands(OperatorContext.Opener opener, OperatorConsole console) {
    return new CommandLine(new OperatorAccountCommands())
        .addSubcommand(new OperatorAddCommand(opener))
        .addSubcommand(new OperatorListCommand(opener))
        .addSubcommand(new OperatorResetCommand(opener))
        .addSubcommand(new OperatorStateCommand.Disable(opener))
        .addSubcommand(new OperatorStateCommand.Enable(opener))
        .addSubcommand(new OperatorRemoveCommand(opener, console));
  }
}
