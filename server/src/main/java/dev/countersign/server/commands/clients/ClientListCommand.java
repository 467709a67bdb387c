package dev.countersign.server.commands.clients;

import dev.countersign.server.commands.DataOption;
import dev.countersign.server.commands.OperatorContext;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Shows all clients in a table. */
@Command(
    name = "list",
    mixinStandardHelpOptions = true,
    description = "Lists all clients except removed ones, sorted by name.",
    footer = {"", "Example:", "  countersign clients list --json"})
final class ClientListCommand implements Runnable {
  @Mixin private final DataOption data;
  @Mixin private final ClientOutput output = new ClientOutput();

  ClientListCommand(OperatorContext.Opener opener) {
    this.data = new DataOption(opener);
  }

  @Override
  public void run() {
    data.open(context -> output.print(context.clients().list(), context));
  }
}
