package dev.countersign.server.commands.listings;

import dev.countersign.server.commands.CommandException;
import dev.countersign.server.commands.DataOption;
import dev.countersign.server.commands.OperatorContext;
import dev.countersign.server.commands.OperatorErrors;
import dev.countersign.server.listings.suggestions.ListingSuggester;
import dev.countersign.server.listings.suggestions.Suggestion;
import dev.countersign.server.listings.suggestions.SuggestionDocument;
import dev.countersign.server.tables.TableName;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Prints the configuration of listings for existing tables. */
@Command(
    name = "suggest",
    mixinStandardHelpOptions = true,
    description = {
      "Looks at the database and prints listings and roles for countersign.yaml. Only fields whose"
          + " sort an index serves are sortable. Nobody can create records.",
      "Changes neither your tables nor the configuration."
    },
    footer = {
      "",
      "Examples:",
      "  countersign listings suggest > suggested.yaml",
      "  countersign listings suggest --table ledger.payments --table 'ledger.\"Odd name\"'"
    })
final class ListingSuggestCommand implements Runnable {
  private static final Duration PROGRESS_INTERVAL = Duration.ofSeconds(5);

  @Mixin private final DataOption data;

  @Option(
      names = "--table",
      paramLabel = "NAME",
      description =
          "A table or view, written as in the configuration; repeatable (default: all that the"
              + " database's user may read).")
  private List<String> tables = new ArrayList<>();

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  ListingSuggestCommand(OperatorContext.Opener opener) {
    this.data = new DataOption(opener);
  }

  @Override
  public void run() {
    List<TableName> requested = tables.stream().map(this::parse).distinct().toList();
    data.open(
        context -> {
          ListingSuggester suggester = new ListingSuggester(context.database());
          List<TableName> names = requested.isEmpty() ? suggester.tables() : requested;
          if (names.isEmpty()) {
            throw new CommandException(
                "the "
                    + context.database().dialect().databaseName()
                    + " database has no table or view besides the service's own; create one first");
          }
          print(suggestions(suggester, names, context.clock()));
        });
  }

  private TableName parse(String name) {
    try {
      return TableName.parse(name);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), "--table " + e.getMessage());
    }
  }

  private List<Suggestion> suggestions(
      ListingSuggester suggester, List<TableName> names, Clock clock) {
    List<Suggestion> suggestions = new ArrayList<>();
    Instant reportedAt = clock.instant();
    for (TableName name : names) {
      suggestions.add(suggester.suggest(name));
      Instant now = clock.instant();
      if (Duration.between(reportedAt, now).compareTo(PROGRESS_INTERVAL) > 0) {
        reportedAt = now;
        OperatorErrors.notice(
            spec.commandLine(),
            "looked at " + suggestions.size() + " of " + names.size() + " tables");
      }
    }
    return suggestions;
  }

  private void print(List<Suggestion> suggestions) {
    spec.commandLine().getOut().print(SuggestionDocument.write(suggestions));
    spec.commandLine().getOut().flush();
    if (suggestions.stream().noneMatch(Suggestion.Served.class::isInstance)) {
      throw new CommandException(
          "no table can be served as it is; the comments on standard output say why");
    }
  }
}
