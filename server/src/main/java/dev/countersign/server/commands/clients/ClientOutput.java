package dev.countersign.server.commands.clients;

import dev.countersign.server.access.directory.AttributeSetting;
import dev.countersign.server.access.directory.Attributes;
import dev.countersign.server.access.directory.ClientReach.UnseenListing;
import dev.countersign.server.access.network.NetworkWhitelist;
import dev.countersign.server.clients.Client;
import dev.countersign.server.clients.ClientKey;
import dev.countersign.server.commands.OperatorContext;
import dev.countersign.server.commands.OperatorErrors;
import dev.countersign.server.commands.TextTable;
import java.io.PrintWriter;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import tools.jackson.databind.json.JsonMapper;

/** Prints clients as text for a person, or as JSON for a script. */
final class ClientOutput {
  private static final JsonMapper JSON = new JsonMapper();

  @Option(names = "--json", description = "Print JSON instead of text.")
  private boolean json;

  @Spec(Spec.Target.MIXEE)
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  /** Prints a client as text, with the clientId alone on the first line, or as a JSON object. */
  void print(Client client, OperatorContext context) {
    print(client, context, List.of());
  }

  /** Prints a client like {@link #print}, and the listings that it may read but sees nothing of. */
  void show(Client client, OperatorContext context) {
    print(client, context, unseen(client, context).map(UnseenListing::sentence).toList());
  }

  private void print(Client client, OperatorContext context, List<String> remarks) {
    if (json) {
      printJson(object(client, context));
    } else {
      out().println(client.clientId());
      lines(client, context).forEach(line -> out().println("  " + line));
      remarks.forEach(remark -> out().println("  " + remark));
    }
    out().flush();
  }

  /**
   * Warns on standard error if the client's whitelist is open to everyone, and about each listing
   * that the client may read but sees nothing of.
   */
  void warn(Client client, OperatorContext context) {
    unseen(client, context)
        .map(unseen -> client.clientId() + " " + unseen.sentence())
        .forEach(warning -> OperatorErrors.warn(spec.commandLine(), warning));
    if (opensToEveryone(client)) {
      OperatorErrors.warn(
          spec.commandLine(),
          "the network whitelist of "
              + client.clientId()
              + " is open to everyone; only the signature protects this client");
    }
  }

  /** Prints clients as a table with one client per line, or as a JSON array. */
  void print(List<Client> clients, OperatorContext context) {
    if (json) {
      printJson(clients.stream().map(client -> object(client, context)).toList());
    } else if (clients.isEmpty()) {
      out().println("no clients yet; register one with countersign clients add");
    } else {
      table(clients, context.clock().instant()).forEach(out()::println);
    }
    out().flush();
  }

  /** Prints a client's current status as one line of text, or the client as a JSON object. */
  void printState(Client client, OperatorContext context) {
    if (json) {
      printJson(object(client, context));
    } else {
      out().println(client.clientId() + " (" + client.name() + ") is " + status(client));
    }
    out().flush();
  }

  private PrintWriter out() {
    return spec.commandLine().getOut();
  }

  private void printJson(Object value) {
    out().println(JSON.writeValueAsString(value));
  }

  private static Stream<UnseenListing> unseen(Client client, OperatorContext context) {
    return context.reach().unseen(client.roles(), client.attributes()).stream();
  }

  private static List<String> lines(Client client, OperatorContext context) {
    Instant now = context.clock().instant();
    List<String> lines = new ArrayList<>();
    lines.add("name       " + client.name());
    lines.add("status     " + status(client));
    lines.add("whitelist  " + String.join(", ", client.whitelist()));
    lines.add("roles      " + String.join(", ", client.roles()));
    Attributes attributes = context.reach().attributes();
    client
        .attributes()
        .forEach(
            (name, setting) ->
                lines.add("attribute  " + line(name, setting, attributes.problem(name, setting))));
    client.keys().forEach(key -> lines.add("key        " + line(key, now)));
    lines.add("created    " + seconds(client.createdAt()));
    lines.add("updated    " + seconds(client.updatedAt()));
    return lines;
  }

  private static String line(ClientKey key, Instant now) {
    String line = key.fingerprint() + ", RSA " + key.bits() + " bits";
    Instant end = key.endsAt();
    if (end == null) {
      return line;
    }
    return line + (key.isLiveAt(now) ? ", ends " : ", ended ") + seconds(end);
  }

  private static String line(String name, AttributeSetting setting, Optional<String> problem) {
    return name
        + ": "
        + (setting.isEverything() ? "everything" : String.join(", ", quoted(setting.values())))
        + problem.map(why -> " (admits nothing: " + why + ")").orElse("");
  }

  // A value with a comma, a blank or a quote would otherwise look like several values.
  private static List<String> quoted(List<String> values) {
    return values.stream()
        .map(
            value ->
                value.matches("[^\\s\",]+") ? value : "\"" + value.replace("\"", "\"\"") + "\"")
        .toList();
  }

  private static List<String> table(List<Client> clients, Instant now) {
    TextTable table =
        new TextTable("CLIENT ID", "NAME", "STATUS", "KEYS", "ROLES", "ATTRIBUTES", "WHITELIST");
    for (Client client : clients) {
      table.add(
          client.clientId(),
          client.name(),
          status(client),
          String.valueOf(client.liveKeys(now).size()),
          String.join(",", client.roles()),
          attributes(client),
          whitelist(client));
    }
    return table.lines();
  }

  private static String whitelist(Client client) {
    return shortened(client.whitelist());
  }

  private static String attributes(Client client) {
    List<String> attributes = new ArrayList<>();
    client
        .attributes()
        .forEach(
            (name, setting) ->
                attributes.add(
                    name
                        + "="
                        + (setting.isEverything()
                            ? AttributeSetting.WILDCARD
                            : shortened(quoted(setting.values())))));
    return String.join(" ", attributes);
  }

  private static String shortened(List<String> entries) {
    return entries.size() <= 3
        ? String.join(",", entries)
        : String.join(",", entries.subList(0, 3)) + " and " + (entries.size() - 3) + " more";
  }

  private static Map<String, Object> object(Client client, OperatorContext context) {
    Instant now = context.clock().instant();
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("clientId", client.clientId());
    object.put("name", client.name());
    object.put("status", status(client));
    object.put("whitelist", client.whitelist());
    object.put("opensToEveryone", opensToEveryone(client));
    object.put("roles", client.roles());
    object.put("attributes", attributes(client, context.reach().attributes()));
    object.put("seesNothingOf", unseen(client, context).map(ClientOutput::object).toList());
    object.put("keys", client.keys().stream().map(key -> object(key, now)).toList());
    object.put("createdAt", client.createdAt().toString());
    object.put("updatedAt", client.updatedAt().toString());
    object.put("revision", client.revision());
    return object;
  }

  private static Map<String, Object> attributes(Client client, Attributes configured) {
    Map<String, Object> attributes = new LinkedHashMap<>();
    client
        .attributes()
        .forEach(
            (name, setting) -> {
              Map<String, Object> attribute = new LinkedHashMap<>();
              attribute.put("everything", setting.isEverything());
              attribute.put("values", setting.values());
              configured.problem(name, setting).ifPresent(why -> attribute.put("problem", why));
              attributes.put(name, attribute);
            });
    return attributes;
  }

  private static Map<String, Object> object(UnseenListing unseen) {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("path", unseen.path());
    object.put("missing", unseen.missing());
    return object;
  }

  private static Map<String, Object> object(ClientKey key, Instant now) {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("fingerprint", key.fingerprint());
    object.put("bits", key.bits());
    object.put("addedAt", key.addedAt().toString());
    Instant end = key.endsAt();
    if (end != null) {
      object.put("endsAt", end.toString());
    }
    object.put("live", key.isLiveAt(now));
    return object;
  }

  private static boolean opensToEveryone(Client client) {
    return NetworkWhitelist.opensToEveryone(client.whitelist());
  }

  private static String status(Client client) {
    return client.status().name().toLowerCase(Locale.ROOT);
  }

  private static String seconds(Instant time) {
    return time.truncatedTo(ChronoUnit.SECONDS).toString();
  }
}
