package dev.countersign.server.commands.clients;

import dev.countersign.server.commands.DataOption;
import dev.countersign.server.commands.MissingData;
import dev.countersign.server.commands.OperatorContext;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Enables a client. */
@Command(
    name = "enable",
    mixinStandardHelpOptions = true,
    description = "Lets a client call again that was disabled.",
    footer = {"", "Example:", "  countersign clients enable cl-000000000000000101"})
final class ClientEnableCommand implements Runnable {
  private final OperatorContext.Opener opener;

  @Mixin private final DataOption data = new DataOption();
  @Mixin private final ClientOutput output = new ClientOutput();

  @Parameters(paramLabel = "ID", description = "The clientId.")
  private String clientId = "";

  ClientEnableCommand(OperatorContext.Opener opener) {
    this.opener = opener;
  }

  @Override
  public void run() {
    try (OperatorContext context = opener.open(data.directory(), MissingData.REFUSE)) {
      output.printState(context.clients().enable(clientId), context.clock().instant());
    }
  }
}
