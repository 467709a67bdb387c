package dev.countersign.server.commands.clients;

import dev.countersign.server.clients.Client;
import dev.countersign.server.clients.ClientKey;
import dev.countersign.server.commands.DataOption;
import dev.countersign.server.commands.OperatorContext;
import dev.countersign.server.commands.OperatorErrors;
import java.time.Instant;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Removes a key from a client at once. */
@Command(
    name = "remove-key",
    mixinStandardHelpOptions = true,
    description = "Removes a key of a client immediately. The last live key cannot be removed.",
    footer = {"", "Example:", "  countersign clients remove-key cl-000000000000000101 SHA256:4fKq"})
final class ClientRemoveKeyCommand implements Runnable {
  @Mixin private final DataOption data;
  @Mixin private final ClientOutput output = new ClientOutput();

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Parameters(index = "0", paramLabel = "ID", description = "The clientId.")
  private String clientId = "";

  @Parameters(
      index = "1",
      paramLabel = "FINGERPRINT",
      description = "The key's fingerprint, or a unique beginning of it.")
  private String fingerprint = "";

  ClientRemoveKeyCommand(OperatorContext.Opener opener) {
    this.data = new DataOption(opener);
  }

  @Override
  public void run() {
    data.open(
        context -> {
          Client client = context.clients().removeKey(clientId, fingerprint);
          Instant now = context.clock().instant();
          output.print(client, context);
          warnOfEnd(client.liveKeys(now));
        });
  }

  private void warnOfEnd(List<ClientKey> live) {
    if (live.size() == 1 && live.getFirst().endsAt() != null) {
      OperatorErrors.warn(
          spec.commandLine(),
          "the remaining key ends at "
              + live.getFirst().endsAt()
              + "; add another key before then");
    }
  }
}
