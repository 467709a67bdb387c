package dev.countersign.server.commands;

import dev.countersign.server.nodes.NodeStore;
import dev.countersign.server.nodes.ServiceNode;
import java.io.PrintWriter;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import tools.jackson.databind.json.JsonMapper;

/** Shows the running nodes in a table. */
@Command(
    name = "nodes",
    mixinStandardHelpOptions = true,
    description = {
      "Lists the nodes that share the database, sorted by name.",
      "A node that was killed is listed as silent for a day."
    },
    footer = {"", "Example:", "  countersign nodes --json"})
public final class NodesCommand implements Runnable {
  private static final JsonMapper JSON = new JsonMapper();

  @Mixin private final DataOption data;

  @Option(names = "--json", description = "Print JSON instead of text.")
  private boolean json;

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  public NodesCommand(OperatorContext.Opener opener) {
    this.data = new DataOption(opener);
  }

  @Override
  public void run() {
    data.open(
        context -> {
          List<ServiceNode> nodes = new NodeStore(context.database()).list();
          PrintWriter out = spec.commandLine().getOut();
          if (json) {
            out.println(JSON.writeValueAsString(nodes.stream().map(NodesCommand::object).toList()));
          } else if (nodes.isEmpty()) {
            out.println("no node is running");
          } else {
            table(nodes).lines().forEach(out::println);
          }
          out.flush();
        });
  }

  private static TextTable table(List<ServiceNode> nodes) {
    TextTable table =
        new TextTable("NAME", "VERSION", "STATE", "STARTED", "HEARTBEAT", "REGISTRY AGE", "CLOCK");
    for (ServiceNode node : nodes) {
      table.add(
          node.name(),
          node.version(),
          node.state(),
          node.startedAt().truncatedTo(ChronoUnit.SECONDS).toString(),
          node.sinceHeartbeat().toSeconds() + " s ago",
          node.registryAge().toSeconds() + " s",
          node.clockDifference());
    }
    return table;
  }

  private static Map<String, Object> object(ServiceNode node) {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("id", node.id());
    object.put("name", node.name());
    object.put("version", node.version());
    object.put("state", node.state());
    object.put("startedAt", node.startedAt().toString());
    object.put("sinceHeartbeatMillis", node.sinceHeartbeat().toMillis());
    object.put("registryAgeMillis", node.registryAge().toMillis());
    object.put("clockDifferenceMillis", node.reading().difference().toMillis());
    object.put("draining", node.draining());
    return object;
  }
}
