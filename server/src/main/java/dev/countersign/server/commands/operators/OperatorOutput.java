package dev.countersign.server.commands.operators;

import dev.countersign.server.commands.TextTable;
import dev.countersign.server.operators.OneTimeLink;
import dev.countersign.server.operators.Operator;
import dev.countersign.server.operators.Operator.Source;
import java.io.PrintWriter;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import tools.jackson.databind.json.JsonMapper;

/** Prints operators as text for a person, or as JSON for a script. */
final class OperatorOutput {
  private static final JsonMapper JSON = new JsonMapper();

  @Option(names = "--json", description = "Print JSON instead of text.")
  private boolean json;

  @Spec(Spec.Target.MIXEE)
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  /**
   * Prints a one-time link and its operator as text, with the link alone on the first line, or as a
   * JSON object.
   */
  void print(Operator operator, OneTimeLink link, String portalUrl) {
    if (json) {
      Map<String, Object> object = object(operator);
      object.put("link", link.at(portalUrl));
      object.put("linkExpiresAt", link.expiresAt().toString());
      printJson(object);
    } else {
      out().println(link.at(portalUrl));
      out().println("  name   " + operator.name());
      out().println("  role   " + operator.role().word());
      out()
          .println(
              "  until  "
                  + seconds(link.expiresAt())
                  + ", valid once: give the link only to this operator");
    }
    out().flush();
  }

  /** Prints operators as a table with one operator per line, or as a JSON array. */
  void print(List<Operator> operators) {
    if (json) {
      printJson(operators.stream().map(OperatorOutput::object).toList());
    } else if (operators.isEmpty()) {
      out().println("no operators yet; add one with countersign operators add");
    } else {
      table(operators).lines().forEach(out()::println);
    }
    out().flush();
  }

  /** Prints an operator's current status as one line of text, or the operator as a JSON object. */
  void printState(Operator operator) {
    if (json) {
      printJson(object(operator));
    } else {
      out().println(operator.name() + " is " + operator.status().word());
    }
    out().flush();
  }

  private PrintWriter out() {
    return spec.commandLine().getOut();
  }

  private void printJson(Object value) {
    out().println(JSON.writeValueAsString(value));
  }

  private static TextTable table(List<Operator> operators) {
    TextTable table = new TextTable("NAME", "ROLE", "STATUS", "SIGN-IN", "LAST SIGN-IN", "ID");
    for (Operator operator : operators) {
      @Nullable Instant last = operator.lastSignInAt();
      table.add(
          operator.name(),
          operator.role().word(),
          operator.status().word(),
          signInMethod(operator),
          last == null ? "never" : seconds(last),
          operator.id());
    }
    return table;
  }

  private static String signInMethod(Operator operator) {
    return operator.source() == Source.PASSWORD && !operator.hasPassword()
        ? "not set yet"
        : operator.source().word();
  }

  private static Map<String, Object> object(Operator operator) {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("id", operator.id());
    object.put("name", operator.name());
    object.put("role", operator.role().word());
    object.put("status", operator.status().word());
    object.put("source", operator.source().word());
    object.put("hasPassword", operator.hasPassword());
    if (operator.source() == Source.OPENID) {
      object.put("issuer", String.valueOf(operator.issuer()));
      object.put("subject", String.valueOf(operator.subject()));
    }
    object.put("createdAt", operator.createdAt().toString());
    Instant last = operator.lastSignInAt();
    if (last != null) {
      object.put("lastSignInAt", last.toString());
    }
    return object;
  }

  private static String seconds(Instant time) {
    return time.truncatedTo(ChronoUnit.SECONDS).toString();
  }
}
