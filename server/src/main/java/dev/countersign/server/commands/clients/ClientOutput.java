package dev.countersign.server.commands.clients;

import dev.countersign.server.access.network.NetworkWhitelist;
import dev.countersign.server.clients.Client;
import dev.countersign.server.clients.ClientKey;
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
  void print(Client client, Instant now) {
    if (json) {
      printJson(object(client, now));
    } else {
      out().println(client.clientId());
      lines(client, now).forEach(line -> out().println("  " + line));
    }
    out().flush();
  }

  /** Warns on standard error if a whitelist admits every address. */
  void warnOfEveryone(Client client) {
    if (opensToEveryone(client)) {
      OperatorErrors.warn(
          spec.commandLine(),
          "0.0.0.0 is on the network whitelist of "
              + client.clientId()
              + ", so this client can call from any address");
    }
  }

  /** Prints clients as a table with one client per line, or as a JSON array. */
  void print(List<Client> clients, Instant now) {
    if (json) {
      printJson(clients.stream().map(client -> object(client, now)).toList());
    } else if (clients.isEmpty()) {
      out().println("no clients yet; register one with countersign clients add");
    } else {
      table(clients, now).forEach(out()::println);
    }
    out().flush();
  }

  /** Prints a client's current status as one line of text, or the client as a JSON object. */
  void printState(Client client, Instant now) {
    if (json) {
      printJson(object(client, now));
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

  private static List<String> lines(Client client, Instant now) {
    List<String> lines = new ArrayList<>();
    lines.add("name       " + client.name());
    lines.add("status     " + status(client));
    lines.add("whitelist  " + String.join(", ", client.whitelist()));
    lines.add("roles      " + String.join(", ", client.roles()));
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

  private static List<String> table(List<Client> clients, Instant now) {
    TextTable table = new TextTable("CLIENT ID", "NAME", "STATUS", "KEYS", "ROLES", "WHITELIST");
    for (Client client : clients) {
      table.add(
          client.clientId(),
          client.name(),
          status(client),
          String.valueOf(client.liveKeys(now).size()),
          String.join(",", client.roles()),
          whitelist(client));
    }
    return table.lines();
  }

  private static String whitelist(Client client) {
    List<String> entries = client.whitelist();
    return entries.size() <= 3
        ? String.join(",", entries)
        : String.join(",", entries.subList(0, 3)) + " and " + (entries.size() - 3) + " more";
  }

  private static Map<String, Object> object(Client client, Instant now) {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("clientId", client.clientId());
    object.put("name", client.name());
    object.put("status", status(client));
    object.put("whitelist", client.whitelist());
    object.put("opensToEveryone", opensToEveryone(client));
    object.put("roles", client.roles());
    object.put("keys", client.keys().stream().map(key -> object(key, now)).toList());
    object.put("createdAt", client.createdAt().toString());
    object.put("updatedAt", client.updatedAt().toString());
    object.put("revision", client.revision());
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
    return NetworkWhitelist.parse(client.whitelist()).opensToEveryone();
  }

  private static String status(Client client) {
    return client.status().name().toLowerCase(Locale.ROOT);
  }

  private static String seconds(Instant time) {
    return time.truncatedTo(ChronoUnit.SECONDS).toString();
  }
}
