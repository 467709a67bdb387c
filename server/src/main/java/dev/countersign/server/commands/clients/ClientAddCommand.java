package dev.countersign.server.commands.clients;

import dev.countersign.server.clients.Client;
import dev.countersign.server.clients.NewClient;
import dev.countersign.server.commands.DataOption;
import dev.countersign.server.commands.OperatorConsole;
import dev.countersign.server.commands.OperatorContext;
import java.security.interfaces.RSAPublicKey;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Registers a client and prints its clientId. */
@Command(
    name = "add",
    mixinStandardHelpOptions = true,
    description = "Registers a client and prints its clientId on the first line.",
    footer = {
      "",
      "Example:",
      "  countersign clients add --name 'Acme Bank' --public-key acme.pem \\",
      "    --allow 203.0.113.7,2001:db8::/48 --role ledger-viewer"
    })
final class ClientAddCommand implements Runnable {
  private final OperatorConsole console;

  @Mixin private final DataOption data;
  @Mixin private final ClientOutput output = new ClientOutput();
  @Mixin private final AttributeOptions attributes = new AttributeOptions();
  @Mixin private final PublicKeyOption publicKey = new PublicKeyOption();

  @Option(
      names = "--name",
      required = true,
      paramLabel = "NAME",
      description = "A label for the client.")
  private String name = "";

  @Option(
      names = "--allow",
      required = true,
      split = ",",
      paramLabel = "ADDRESS",
      description =
          "An address or range that the client can call from, or 0.0.0.0 for all; repeatable.")
  private List<String> allow = List.of();

  @Option(
      names = "--role",
      required = true,
      split = ",",
      paramLabel = "ROLE",
      description = "A role from the configuration; repeatable.")
  private List<String> roles = List.of();

  @Option(
      names = "--client-id",
      paramLabel = "ID",
      description = "An existing clientId of the partner (default: a generated one).")
  private @Nullable String clientId;

  ClientAddCommand(OperatorContext.Opener opener, OperatorConsole console) {
    this.data = new DataOption(opener);
    this.console = console;
  }

  @Override
  public void run() {
    NewClient request = request(publicKey.read(console));
    data.openOrCreate(
        context -> {
          Client client = context.clients().add(request);
          output.print(client, context);
          output.warn(client, context);
        });
  }

  private NewClient request(RSAPublicKey key) {
    return new NewClient(
        name,
        allow.stream().map(String::strip).toList(),
        roles.stream().map(String::strip).toList(),
        attributes.settings(),
        key,
        clientId);
  }
}
