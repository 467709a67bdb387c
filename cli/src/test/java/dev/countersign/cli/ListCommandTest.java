package dev.countersign.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.cli.TestShell.Run;
import dev.countersign.server.SharedService;
import dev.countersign.server.TestClient;
import dev.countersign.server.TestService;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

@SharedService(value = TestService.ROTATING, wallets = 250)
class ListCommandTest {
  private static final JsonMapper JSON = new JsonMapper();
  private static final String WALLETS = "/ledger/v1/wallets";

  @TempDir private Path home;
  private TestShell shell;

  @BeforeEach
  void open(TestService service, TestClient client) {
    shell = TestShell.of(home, service, client);
  }

  private static Set<String> ids(JsonNode array) {
    Set<String> ids = new TreeSet<>();
    array.forEach(item -> ids.add(item.path("id").asString()));
    return ids;
  }

  @Test
  void json_ofAllPages_isOneArrayWithEachItemOnce() {
    Run run = shell.run("list", WALLETS, "--all", "--size", "40", "--format", "json");

    JsonNode array = JSON.readTree(run.out());
    assertThat(run.err()).isEmpty();
    assertThat(array.size()).isEqualTo(250);
    assertThat(ids(array)).hasSize(250);
  }

  @Test
  void jsonl_ofAllPages_isAnItemALine() {
    Run run = shell.run("list", WALLETS, "--all", "--format", "jsonl");

    List<String> lines = run.out().lines().toList();
    assertThat(lines).hasSize(250).allMatch(line -> JSON.readTree(line).isObject());
  }

  @Test
  void csv_ofAllPages_hasOneHeaderLine() {
    Run run = shell.run("list", WALLETS, "--all", "--size", "100", "--format", "csv");

    List<String> lines = run.out().lines().toList();
    assertThat(lines).hasSize(251);
    assertThat(lines.get(0)).startsWith("id,").contains("currencyCode");
    assertThat(run.out()).contains("\r\n").endsWith("\r\n");
  }

  @Test
  void table_withColumns_hasThese() {
    Run run = shell.run("list", WALLETS, "--max", "3", "--columns", "currencyCode,id");

    List<String> lines = run.out().lines().toList();
    assertThat(lines).hasSize(4);
    assertThat(lines.get(0)).matches("CURRENCYCODE +ID");
  }

  @Test
  void list_withoutAll_isOnePageAndSaysWhatFollows() {
    Run run = shell.run("list", WALLETS, "--size", "20", "--format", "jsonl");

    assertThat(run.out()).hasLineCount(20);
    assertThat(run.err()).contains("20 items printed, 230 follow: use --all");
  }

  @Test
  void max_isACountOfItemsNotOfAPage() {
    Run run = shell.run("list", WALLETS, "--max", "130", "--size", "60", "--format", "jsonl");

    assertThat(run.out()).hasLineCount(130);
    assertThat(run.err()).isEmpty();
  }

  @Test
  void sort_descending_isTheServices() {
    Run run =
        shell.run(
            "list", WALLETS, "--all", "--sort", "currencyCode,desc", "--sort", "id", "--json");

    List<String> codes =
        JSON.readTree(run.out())
            .valueStream()
            .map(item -> item.path("currencyCode").asString())
            .toList();
    assertThat(codes).isSortedAccordingTo(Comparator.reverseOrder());
  }

  @Test
  void page_andOffset_beginWhereTheySay() {
    Run page = shell.run("list", WALLETS, "--page", "2", "--size", "10", "--format", "jsonl");
    Run offset = shell.run("list", WALLETS, "--offset", "20", "--size", "10", "--format", "jsonl");

    assertThat(page.out()).hasLineCount(10).isEqualTo(offset.out());
  }

  @Test
  void after_emptyCursor_beginsAtTheStart() {
    Run first = shell.run("list", WALLETS, "--size", "10", "--format", "jsonl");
    Run byCursor = shell.run("list", WALLETS, "--size", "10", "--after", "", "--format", "jsonl");

    assertThat(byCursor.out()).hasLineCount(10).isEqualTo(first.out());
    assertThat(byCursor.err()).contains("10 items printed, 240 follow: use --all");
  }

  @Test
  void after_cursorOfNoList_isRefused() {
    Run run = shell.run("list", WALLETS, "--after", "bm9uZQ", "--all");

    assertThat(run.code()).isEqualTo(3);
    assertThat(run.err()).startsWith("parameter_invalid: ").contains("after");
  }

  @Test
  void noTotals_onePage_saysThatMoreFollow() {
    Run run = shell.run("list", WALLETS, "--size", "10", "--no-totals", "--format", "jsonl");
    Run all = shell.run("list", WALLETS, "--no-totals", "--all", "--format", "jsonl");

    assertThat(run.out()).hasLineCount(10);
    assertThat(run.err()).contains("10 items printed, more follow: use --all");
    assertThat(all.out()).hasLineCount(250).startsWith(run.out());
  }

  @Test
  void page_withOffset_isAUsageError() {
    Run run = shell.run("list", WALLETS, "--page", "2", "--offset", "20");

    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err()).startsWith("usage: --page, --offset and --after cannot");
  }

  @Test
  void size_over100_isAUsageError() {
    Run run = shell.run("list", WALLETS, "--size", "500");

    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err()).startsWith("usage: --size must be 1 to 100, was 500");
  }

  @Test
  void list_whoseSortIsRefused_leavesAValidArrayAndExits3() {
    Run run = shell.run("list", WALLETS, "--all", "--sort", "colour", "--format", "json");

    assertThat(run.code()).isEqualTo(3);
    assertThat(run.out()).isEqualTo("[]\n");
    assertThat(run.err()).startsWith("parameter_invalid: ");
  }

  @Test
  void progress_onATerminal_countsPagesAndItems() {
    Run run = shell.with(new TestTerminal()).run("list", WALLETS, "--all", "--format", "jsonl");

    assertThat(run.out()).hasLineCount(250);
    assertThat(run.err()).contains("100 of 250 items").contains("1 of 3 pages");
  }

  @Test
  void pipe_thatIsClosed_endsQuietlyWith141() {
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int code =
        Countersign.run(
            shell.environment(new ClosedPipe(), err), "list", WALLETS, "--all", "--format", "csv");

    assertThat(code).isEqualTo(141);
    assertThat(err.toString(StandardCharsets.UTF_8)).isEmpty();
  }

  /** A reader that has closed the pipe. */
  private static final class ClosedPipe extends OutputStream {
    @Override
    public void write(int b) throws IOException {
      throw new IOException("Broken pipe");
    }
  }
}
