package dev.countersign.server.commands.operators;

import dev.countersign.server.commands.OperatorConsole;
import dev.countersign.server.commands.OperatorContext;
import picocli.CommandLine;
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
public final class Operators implements Runnable {
  @Spec
  @SuppressWarnings("NullAway.Init") // picocli
  private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(),
        "operators needs one of " + String.join(", ", spec.subcommands().keySet()));
  }

  /** The group with its commands. */
  public static CommandLine commands(OperatorContext.Opener opener, OperatorConsole console) {
    return new CommandLine(new Operators())
        .addSubcommand(new OperatorsAdd(opener))
        .addSubcommand(new OperatorsList(opener))
        .addSubcommand(new OperatorsReset(opener))
        .addSubcommand(new OperatorsDisable(opener))
        .addSubcommand(new OperatorsEnable(opener))
        .addSubcommand(new OperatorsRemove(opener, console));
  }
}
