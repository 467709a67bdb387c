package dev.countersign.server.commands.operators;

import dev.countersign.server.commands.OperatorConsole;
import dev.countersign.server.commands.OperatorContext;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The commands about operators. Without a subcommand, the command fails and lists its subcommands.
 */
@Command(
    name = "operators",
    mixinStandardHelpOptions = true,
    description = "Manages the operators who can use the portal.",
    footer = {"", "Example:", "  countersign operators list"})
public final class OperatorAccountCommands implements Runnable {
  @Spec
  @SuppressWarnings("NullAway.Init") // picocli
  private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(),
        "operators needs one of " + String.join(", ", spec.subcommands().keySet()));
  }

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
