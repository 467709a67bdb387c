package dev.countersign.server.commands.clients;

import dev.countersign.server.commands.DataOption;
import dev.countersign.server.commands.MissingData;
import dev.countersign.server.commands.OperatorContext;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Disables a client. */
@Command(
    name = "disable",
    mixinStandardHelpOptions = true,
    description = "Refuses the requests of a client until it is enabled again.",
    footer = {"", "Example:", "  countersign clients disable cl-000000000000000101"})
final class ClientDisableCommand implements Runnable {
  private final OperatorContext.Opener opener;

  @Mixin private final DataOption data = new DataOption();
  @Mixin private final ClientOutput output = new ClientOutput();

  @Parameters(paramLabel = "ID", description = "The clientId.")
  private String clientId = "";

  ClientDisableCommand(OperatorContext.Opener opener) {
    this.opener = opener;
  }

  @Override
  public void run() {
    try (OperatorContext context = opener.open(data.directory(), MissingData.REFUSE)) {
      output.printState(context.clients().disable(clientId), context.clock().instant());
    }
  }
}
