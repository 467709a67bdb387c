package dev.countersign.server.commands.clients;

import dev.countersign.server.commands.DataOption;
import dev.countersign.server.commands.MissingData;
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
  private final OperatorContext.Opener opener;

  @Mixin private final DataOption data = new DataOption();
  @Mixin private final ClientOutput output = new ClientOutput();

  ClientListCommand(OperatorContext.Opener opener) {
    this.opener = opener;
  }

  @Override
  public void run() {
    try (OperatorContext context = opener.open(data.directory(), MissingData.REFUSE)) {
      output.print(context.clients().list(), context);
    }
  }
}
