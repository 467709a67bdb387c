package dev.countersign.server.commands.clients;

import dev.countersign.server.commands.DataOption;
import dev.countersign.server.commands.OperatorContext;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Shows one client with its keys. */
@Command(
    name = "show",
    mixinStandardHelpOptions = true,
    description = "Shows a client and its keys.",
    footer = {"", "Example:", "  countersign clients show cl-000000000000000101"})
final class ClientShowCommand implements Runnable {
  @Mixin private final DataOption data;
  @Mixin private final ClientOutput output = new ClientOutput();

  @Parameters(paramLabel = "ID", description = "The clientId.")
  private String clientId = "";

  ClientShowCommand(OperatorContext.Opener opener) {
    this.data = new DataOption(opener);
  }

  @Override
  public void run() {
    data.open(context -> output.show(context.clients().get(clientId), context));
  }
}
