package dev.countersign.server.commands.clients;

import dev.countersign.server.clients.Client;
import dev.countersign.server.commands.DataOption;
import dev.countersign.server.commands.OperatorConsole;
import dev.countersign.server.commands.OperatorContext;
import java.security.interfaces.RSAPublicKey;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Adds the second key of a rotation. */
@Command(
    name = "add-key",
    mixinStandardHelpOptions = true,
    description = "Adds a key to a client. While a client has two keys, both are valid.",
    footer = {
      "",
      "Example:",
      "  countersign clients add-key cl-000000000000000101 --public-key new.pem --end-others 7d"
    })
final class ClientAddKeyCommand implements Runnable {
  private final OperatorConsole console;

  @Mixin private final DataOption data;
  @Mixin private final ClientOutput output = new ClientOutput();
  @Mixin private final PublicKeyOption publicKey = new PublicKeyOption();

  @Parameters(paramLabel = "ID", description = "The clientId.")
  private String clientId = "";

  @Option(
      names = "--end-others",
      paramLabel = "DURATION",
      converter = KeyEnd.Converter.class,
      description = "When the other keys end: now, or after a duration such as 12h or 7d.")
  private @Nullable KeyEnd endOthers;

  ClientAddKeyCommand(OperatorContext.Opener opener, OperatorConsole console) {
    this.data = new DataOption(opener);
    this.console = console;
  }

  @Override
  public void run() {
    RSAPublicKey key = publicKey.read(console);
    data.open(
        context -> {
          Instant now = context.clock().instant();
          Instant end = endOthers == null ? null : endOthers.after(now);
          Client client = context.clients().addKey(clientId, key, end);
          output.print(client, context);
        });
  }
}
