package dev.countersign.server.commands.clients;

import dev.countersign.server.clients.Client;
import dev.countersign.server.commands.Confirmation;
import dev.countersign.server.commands.DataOption;
import dev.countersign.server.commands.OperatorConsole;
import dev.countersign.server.commands.OperatorContext;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Removes a client permanently, after a confirmation. */
@Command(
    name = "remove",
    mixinStandardHelpOptions = true,
    description = "Removes a client and its keys permanently. Its clientId is never used again.",
    footer = {"", "Example:", "  countersign clients remove cl-000000000000000101 --yes"})
final class ClientRemoveCommand implements Runnable {
  private final OperatorConsole console;

  @Mixin private final DataOption data;
  @Mixin private final ClientOutput output = new ClientOutput();

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Parameters(paramLabel = "ID", description = "The clientId.")
  private String clientId = "";

  @Option(names = "--yes", description = "Do not ask for confirmation.")
  private boolean yes;

  ClientRemoveCommand(OperatorContext.Opener opener, OperatorConsole console) {
    this.data = new DataOption(opener);
    this.console = console;
  }

  @Override
  public void run() {
    data.open(
        context -> {
          Client client = context.clients().get(clientId);
          if (!yes) {
            Confirmation.ask(
                spec.commandLine(), console, client.clientId() + " (" + client.name() + ")");
          }
          Client removed = context.clients().remove(client.clientId());
          output.printState(removed, context);
        });
  }
}
