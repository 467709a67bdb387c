package dev.countersign.cli.keys;

import dev.countersign.cli.profile.Connection;
import dev.countersign.cli.terminal.Environment;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The group of commands for key pairs. Without a subcommand, it fails and names the subcommands.
 */
@Command(
    name = "keys",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    description = "Makes, shows and rotates key pairs.",
    footer = {"", "Example:", "  countersign keys generate --out partner"})
public final class KeysCommand implements Runnable {
  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  /** Builds the group with its commands. */
  public static CommandLine commandLine(Environment environment, Connection connection) {
    return new CommandLine(new KeysCommand())
        .addSubcommand(new KeysGenerateCommand(environment, connection))
        .addSubcommand(new KeysInspectCommand(environment, connection))
        .addSubcommand(new KeysRotateCommand(environment, connection));
  }

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(), "keys needs one of " + String.join(", ", spec.subcommands().keySet()));
  }
}
