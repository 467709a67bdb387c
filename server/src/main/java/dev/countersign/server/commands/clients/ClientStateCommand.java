package dev.countersign.server.commands.clients;

import dev.countersign.server.clients.Client;
import dev.countersign.server.clients.ClientStore;
import dev.countersign.server.commands.DataOption;
import dev.countersign.server.commands.OperatorContext;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Disables or enables a client. */
abstract class ClientStateCommand implements Runnable {
  @Mixin private final DataOption data;

  @Mixin private final ClientOutput output = new ClientOutput();

  @Parameters(paramLabel = "ID", description = "The clientId.")
  private String clientId = "";

  private ClientStateCommand(OperatorContext.Opener opener) {
    this.data = new DataOption(opener);
  }

  abstract Client change(ClientStore clients, String id);

  @Override
  public void run() {
    data.open(context -> output.printState(change(context.clients(), clientId), context));
  }

  /** Disables a client. */
  @Command(
      name = "disable",
      mixinStandardHelpOptions = true,
      description = "Refuses the requests of a client until the client is enabled again.",
      footer = {"", "Example:", "  countersign clients disable cl-000000000000000101"})
  static final class Disable extends ClientStateCommand {
    Disable(OperatorContext.Opener opener) {
      super(opener);
    }

    @Override
    Client change(ClientStore clients, String id) {
      return clients.disable(id);
    }
  }

  /** Enables a client. */
  @Command(
      name = "enable",
      mixinStandardHelpOptions = true,
      description = "Enables a disabled client, so that it can call again.",
      footer = {"", "Example:", "  countersign clients enable cl-000000000000000101"})
  static final class Enable extends ClientStateCommand {
    Enable(OperatorContext.Opener opener) {
      super(opener);
    }

    @Override
    Client change(ClientStore clients, String id) {
      return clients.enable(id);
    }
  }
}
