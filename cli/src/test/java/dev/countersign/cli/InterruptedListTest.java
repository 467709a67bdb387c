package dev.countersign.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.server.TestService;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A long list that is interrupted half-way and resumed by the command that it printed: each wallet
 * once, in 24 MiB of memory. As many wallets as {@code -Dlist.wallets} says.
 */
@Tag("alone")
class InterruptedListTest {
  private static final int WALLETS = Integer.getInteger("list.wallets", 3_000);
  private static final int SMALL_PAGES = WALLETS > 20_000 ? 100 : 10;
  // A third of the characters of a wallet in the briefest format: the pipe holds another 65,536.
  private static final int PART_OF_A_WALLET = 30;
  private static final JsonMapper JSON = new JsonMapper();

  private static TestService service;
  private static Map<String, String> variables;

  @TempDir private Path folder;

  @BeforeAll
  static void start(@TempDir Path data) {
    service = TestService.start(data, WALLETS);
    variables =
        Map.of(
            "COUNTERSIGN_BASE_URL",
            service.url(),
            "COUNTERSIGN_CLIENT_ID",
            service.register().clientId(),
            "COUNTERSIGN_KEY",
            TestShell.keyFile(data).toString(),
            "HOME",
            data.toString());
  }

  @AfterAll
  static void stop() {
    service.close();
  }

  private static List<String> list(ListFormat format) {
    return List.of(
        "list",
        "/ledger/v1/wallets",
        "--all",
        "--size",
        String.valueOf(SMALL_PAGES),
        "--format",
        format.toString());
  }

  @ParameterizedTest
  @EnumSource(ListFormat.class)
  void list_interruptedAndResumed_hasEveryWalletOnce(ListFormat format) throws Exception {
    String begun;
    String hint;
    try (ChildProcess child = ChildProcess.start(folder, variables, list(format))) {
      begun = child.read(WALLETS * PART_OF_A_WALLET);
      child.interrupt();
      // It waits at the full pipe meanwhile, with most of the list before it.
      child.awaitInterruption();
      begun += child.readToTheEnd();
      assertThat(child.exitCode()).as(child.err()).isIn(130, 143);
      assertThat(child.err()).startsWith("interrupted: after ").contains("\nresume with: ");
      hint = child.err().lines().filter(line -> line.startsWith("resume with: ")).findFirst().get();
    }

    String rest;
    List<String> words = Arrays.asList(hint.split(" "));
    try (ChildProcess child =
        ChildProcess.start(folder, variables, words.subList(3, words.size()))) {
      rest = child.readToTheEnd();
      assertThat(child.exitCode()).as(child.err()).isZero();
    }

    List<String> first = ids(format, begun);
    List<String> both = new ArrayList<>(first);
    both.addAll(ids(format, rest));
    assertThat(first).hasSizeBetween(1, WALLETS - 1);
    assertThat(both).doesNotHaveDuplicates().hasSize(WALLETS);
  }

  @Test
  void list_intoAPipeThatCloses_endsQuietlyWith141() throws Exception {
    try (ChildProcess child = ChildProcess.start(folder, variables, list(ListFormat.JSONL))) {
      child.read(1_000);
      child.closeOutput();

      assertThat(child.exitCode()).isEqualTo(141);
      assertThat(child.err()).isEmpty();
    }
  }

  /** The identifiers; JSON arrays are read as the whole documents that they have to be. */
  private static List<String> ids(ListFormat format, String output) {
    return switch (format) {
      case JSON -> arrays(output).map(InterruptedListTest::id).toList();
      case JSONL -> output.lines().map(JSON::readTree).map(InterruptedListTest::id).toList();
      case CSV ->
          output
              .lines()
              .filter(line -> !line.startsWith("id,"))
              .map(InterruptedListTest::firstCell)
              .toList();
      case TABLE ->
          output
              .lines()
              .filter(line -> !line.startsWith("ID "))
              .map(InterruptedListTest::firstWord)
              .toList();
    };
  }

  private static Stream<JsonNode> arrays(String output) {
    // Closed brackets at the start of a line end an array: two runs print two arrays.
    return Stream.of(output.split("(?<=\n]\n)")).map(JSON::readTree).flatMap(JsonNode::valueStream);
  }

  private static String id(JsonNode wallet) {
    return wallet.path("id").asString();
  }

  private static String firstCell(String line) {
    return line.substring(0, line.indexOf(','));
  }

  private static String firstWord(String line) {
    return line.split(" ")[0];
  }
}
