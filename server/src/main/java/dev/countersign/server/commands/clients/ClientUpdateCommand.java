package dev.countersign.server.commands.clients;

import dev.countersign.server.access.directory.AttributeSetting;
import dev.countersign.server.clients.Client;
import dev.countersign.server.clients.ClientUpdate;
import dev.countersign.server.commands.DataOption;
import dev.countersign.server.commands.OperatorContext;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Changes the name, the whitelist, the roles or the attributes of a client. */
@Command(
    name = "update",
    mixinStandardHelpOptions = true,
    description =
        "Changes a client. A list that you give replaces the whole existing list, and the values of"
            + " an attribute replace all its existing values.",
    footer = {
      "",
      "Example:",
      "  countersign clients update cl-000000000000000101 --allow 203.0.113.0/24 --allow 10.0.0.7",
      "  countersign clients update cl-000000000000000101 --attribute customerId=4711"
    })
final class ClientUpdateCommand implements Runnable {
  @Mixin private final DataOption data;
  @Mixin private final ClientOutput output = new ClientOutput();
  @Mixin private final AttributeOptions attributes = new AttributeOptions();

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Parameters(paramLabel = "ID", description = "The clientId.")
  private String clientId = "";

  @Option(names = "--name", paramLabel = "NAME", description = "The new name.")
  private @Nullable String name;

  @Option(
      names = "--allow",
      split = ",",
      paramLabel = "ADDRESS",
      description =
          "An address or range that the client can call from, or 0.0.0.0 for all; repeatable.")
  private @Nullable List<String> allow;

  @Option(
      names = "--role",
      split = ",",
      paramLabel = "ROLE",
      description = "A role from the configuration; repeatable.")
  private @Nullable List<String> roles;

  @Option(
      names = "--no-attribute",
      paramLabel = "NAME",
      description = "An attribute to remove from the client; repeatable.")
  private List<String> removedAttributes = List.of();

  ClientUpdateCommand(OperatorContext.Opener opener) {
    this.data = new DataOption(opener);
  }

  @Override
  public void run() {
    Map<String, AttributeSetting> settings = attributes.settings();
    requireChange(settings);
    ClientUpdate update =
        new ClientUpdate(
            name,
            stripped(allow),
            stripped(roles),
            settings,
            new HashSet<>(removedAttributes),
            null);
    data.open(
        context -> {
          Client client = context.clients().update(clientId, update);
          output.print(client, context);
          output.warn(client, context);
        });
  }

  private void requireChange(Map<String, AttributeSetting> settings) {
    boolean isEmpty =
        name == null
            && allow == null
            && roles == null
            && settings.isEmpty()
            && removedAttributes.isEmpty();
    if (isEmpty) {
      throw refused(
          "nothing to change: give --name, --allow, --role, --attribute or --no-attribute");
    }
    for (String removed : removedAttributes) {
      if (settings.containsKey(removed)) {
        throw refused("attribute " + removed + ": give either --attribute or --no-attribute");
      }
    }
  }

  private ParameterException refused(String message) {
    return new ParameterException(spec.commandLine(), message);
  }

  private static @Nullable List<String> stripped(@Nullable List<String> values) {
    return values == null ? null : values.stream().map(String::strip).toList();
  }
}
