package dev.countersign.server.commands.audit;

import dev.countersign.server.audit.AuditEntry;
import dev.countersign.server.audit.AuditSearchResult;
import dev.countersign.server.commands.DataOption;
import dev.countersign.server.commands.OperatorContext;
import dev.countersign.server.commands.OperatorErrors;
import dev.countersign.server.commands.TextTable;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import tools.jackson.databind.json.JsonMapper;

/** Shows the latest entries of the audit trail. */
@Command(
    name = "list",
    mixinStandardHelpOptions = true,
    description = "Lists the latest entries, newest first.",
    footer = {"", "Example:", "  countersign audit list --action client. --from 2026-11-01"})
final class AuditListCommand implements Runnable {
  private static final JsonMapper JSON = new JsonMapper();

  @Mixin private final DataOption data;
  @Mixin private final AuditFilterOptions options = new AuditFilterOptions();

  @Option(
      names = "--limit",
      paramLabel = "N",
      description = "The maximum number of entries, 1 to 10000 (default: 50).")
  private int limit = 50;

  @Option(names = "--json", description = "Print JSON instead of text.")
  private boolean json;

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  AuditListCommand(OperatorContext.Opener opener) {
    this.data = new DataOption(opener);
  }

  @Override
  public void run() {
    if (limit < 1 || limit > 10_000) {
      throw new ParameterException(spec.commandLine(), "--limit must be 1 to 10000, was " + limit);
    }
    data.open(context -> print(context.auditTrail().page(options.filter(), 0, limit)));
  }

  private void print(AuditSearchResult page) {
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      out.println(
          JSON.writeValueAsString(page.entries().stream().map(AuditListCommand::object).toList()));
    } else if (page.total() == 0) {
      out.println("no matching entries");
    } else {
      table(page).lines().forEach(out::println);
      if (page.total() > page.entries().size()) {
        OperatorErrors.notice(
            spec.commandLine(),
            page.entries().size() + " of " + page.total() + " entries; show more with --limit");
      }
    }
    out.flush();
  }

  private static TextTable table(AuditSearchResult page) {
    TextTable table =
        new TextTable("SEQ", "AT", "AUTHOR", "BY", "ACTION", "SUBJECT", "BEFORE -> AFTER");
    for (AuditEntry entry : page.entries()) {
      table.add(
          String.valueOf(entry.seq()),
          entry.at().toString(),
          entry.author(),
          entry.address() == null ? entry.channel() : entry.channel() + " " + entry.address(),
          entry.action(),
          entry.subject(),
          entry.before() + " -> " + entry.after());
    }
    return table;
  }

  private static Map<String, Object> object(AuditEntry entry) {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("seq", entry.seq());
    object.put("at", entry.at().toString());
    object.put("author", entry.author());
    object.put("channel", entry.channel());
    if (entry.address() != null) {
      object.put("address", entry.address());
    }
    object.put("action", entry.action());
    object.put("subject", entry.subject());
    object.put("before", JSON.readTree(entry.before()));
    object.put("after", JSON.readTree(entry.after()));
    object.put("previousHash", entry.previousHash());
    object.put("hash", entry.hash());
    return object;
  }
}
