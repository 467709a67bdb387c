package dev.countersign.cli.list;

import dev.countersign.cli.profile.Connection;
import dev.countersign.cli.terminal.CliException;
import dev.countersign.cli.terminal.Environment;
import dev.countersign.cli.terminal.ExitCode;
import dev.countersign.cli.terminal.Output;
import dev.countersign.cli.terminal.ShellWord;
import dev.countersign.client.ListPage;
import dev.countersign.client.PageWalk;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/**
 * The command {@code countersign list}: prints the items of a list page by page, and keeps at most
 * two pages in memory.
 */
@Command(
    name = "list",
    mixinStandardHelpOptions = true,
    description = {
      "Prints the items of a list: one page, or every page with --all.",
      "If a run is interrupted, it prints the command that resumes it."
    },
    footer = {
      "",
      "Examples:",
      "  countersign list /ledger/v1/wallets --sort currencyCode,desc --size 20",
      "  countersign list /ledger/v1/transactions --where amount.gte=100",
      "  countersign list /ledger/v1/wallets --all --format csv > wallets.csv",
    })
public final class ListCommand implements Callable<Integer> {
  // After these failures it is uncertain where to resume: output stopped within a page, items
  // disappeared from the list, or the service refused the cursor because its item is gone.
  private static final Set<String> NOT_RESUMABLE =
      Set.of("output_failed", "list_changed", "parameter_invalid");

  private final Environment environment;
  private final Connection connection;

  @Mixin private final ListOptions options = new ListOptions();
  @Mixin private final Output output;

  @Parameters(
      paramLabel = "URL",
      description = "The list: an absolute URL, or a path under the base URL.")
  private String url = "";

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      description = "table, json (one array), jsonl (one item per line) or csv (default: table).")
  private @Nullable ListFormat format;

  @Option(
      names = "--columns",
      paramLabel = "NAME",
      description = {
        "The columns of a table or csv, as one line of CSV",
        "(default: the members on the first page)."
      })
  private List<String> columns = new ArrayList<>();

  @Option(names = "--no-header", description = "No header line in a table or csv.")
  private boolean noHeader;

  public ListCommand(Environment environment, Connection connection) {
    this.environment = environment;
    this.connection = connection;
    this.output = new Output(environment);
  }

  @Override
  public Integer call() throws IOException {
    options.check();
    if (!format().hasColumns() && (!columns.isEmpty() || noHeader)) {
      throw CliException.usage(
          "--columns and --no-header are for table and csv, not for " + format());
    }
    ItemWriter rows = rows();
    PageWalk<JsonNode> walk = walk(connection.resolve(url));
    Progress progress = new Progress(output, environment.clock());
    ListRun listing = new ListRun(rows, progress, environment.interrupted(), options.extent());
    try {
      listing.write(options.isOnePage() ? firstPage(walk) : walk.pages().iterator());
    } catch (CliException failure) {
      throw withAdvice(failure, listing);
    }
    if (options.isOnePage() && listing.isCutShort()) {
      OptionalLong remaining = listing.remaining();
      String following = remaining.isPresent() ? remaining.getAsLong() + " follow" : "more follow";
      output.note(listing.written() + " items printed, " + following + ": use --all");
    }
    return ExitCode.OK.code();
  }

  private CliException withAdvice(CliException failure, ListRun listing) {
    ListPage<?> latest = listing.latest();
    if (latest != null && !NOT_RESUMABLE.contains(failure.reason())) {
      return failure.addResumeCommand(ShellWord.printableLine(resumeCommand(listing, latest)));
    }
    return failure.reason().equals("total_unavailable")
        ? failure.addHint("add --no-totals to list the items without their number")
        : failure;
  }

  private static Iterator<ListPage<JsonNode>> firstPage(PageWalk<JsonNode> walk) {
    return walk.pageStream().limit(1).iterator();
  }

  private List<String> resumeCommand(ListRun listing, ListPage<?> latest) {
    List<String> words = new ArrayList<>(List.of("countersign", "list", url));
    words.addAll(connection.typed());
    words.addAll(options.resumedAfter(latest, listing.written()));
    words.addAll(List.of("--format", format().toString()));
    words.addAll(listing.resumeOptions());
    return words;
  }

  private PageWalk<JsonNode> walk(URI target) {
    try {
      return options.applyTo(connection.client(target).list(target.toString()));
    } catch (IllegalArgumentException refused) {
      throw CliException.usage(String.valueOf(refused.getMessage()));
    }
  }

  private ItemWriter rows() {
    Writer out = new OutputStreamWriter(output.bytes(), StandardCharsets.UTF_8);
    Columns chosen = columns.isEmpty() ? null : Columns.typed(columns);
    return format().writer(out, chosen, !noHeader, warning -> output.note("warning: " + warning));
  }

  private ListFormat format() {
    if (format != null) {
      return format;
    }
    return output.json() ? ListFormat.JSON : ListFormat.TABLE;
  }
}
