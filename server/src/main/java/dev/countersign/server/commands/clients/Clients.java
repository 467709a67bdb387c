package dev.countersign.server.commands.clients;

import dev.countersign.server.commands.OperatorConsole;
import dev.countersign.server.commands.OperatorContext;
import picocli.CommandLine;
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
public final class Clients implements Runnable {
  @Spec
  @SuppressWarnings("NullAway.Init") // picocli
  private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(),
        "clients needs one of " + String.join(", ", spec.subcommands().keySet()));
  }

  /** The group with its commands. */
  public static CommandLine commands(OperatorContext.Opener opener, OperatorConsole console) {
    return new CommandLine(new Clients())
        .addSubcommand(new ClientsAdd(opener, console))
        .addSubcommand(new ClientsList(opener))
        .addSubcommand(new ClientsShow(opener))
        .addSubcommand(new ClientsUpdate(opener))
        .addSubcommand(new ClientsDisable(opener))
        .addSubcommand(new ClientsEnable(opener))
        .addSubcommand(new ClientsRemove(opener, console))
        .addSubcommand(new ClientsAddKey(opener, console))
        .addSubcommand(new ClientsRemoveKey(opener));
  }
}
