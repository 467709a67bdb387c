package dev.countersign.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.cli.list.ListFormat;
import dev.countersign.server.TestClient;
import dev.countersign.server.TestService;
import dev.countersign.testing.Waits;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Tests the listing of many wallets in 24 MiB of memory. Ctrl-C interrupts the listing, and the
 * command that it prints lists the rest, so that each wallet is printed once. {@code
 * -Dlist.wallets} sets the number of wallets.
 */
@Tag("alone")
class InterruptedListTest {
  private static final boolean FULL = Boolean.getBoolean("countersign.full");
  private static final int WALLETS = Integer.getInteger("list.wallets", FULL ? 3_000 : 1_500);
  private static final int PAGE_SIZE = WALLETS > 20_000 ? 100 : 10;
  // The pipe holds 65,536 more characters. 1,500 wallets have 135,000 even in the shortest format,
  // so the command is still writing when the signal arrives.
  private static final int CHARACTERS_BEFORE_THE_SIGNAL = 10_000;
  private static final JsonMapper JSON = new JsonMapper();

  private static TestService service;
  private static Map<String, String> variables;

  @TempDir private Path folder;

  @BeforeAll
  static void start(@TempDir Path data) {
    service = TestService.start(data, WALLETS);
    TestClient client = service.register();
    variables =
        Map.of(
            "COUNTERSIGN_BASE_URL",
            service.url(),
            "COUNTERSIGN_CLIENT_ID",
            client.clientId(),
            "COUNTERSIGN_KEY",
            TestShell.keyFile(data, client.privateKey()).toString(),
            "HOME",
            data.toString());
  }

  @AfterAll
  static void stop() {
    service.close();
  }

  private static List<String> listArguments(ListFormat format) {
    return List.of(
        "list",
        "/ledger/v1/wallets",
        "--all",
        "--size",
        String.valueOf(PAGE_SIZE),
        "--format",
        format.toString());
  }

  /** In the quick run, one format represents all. */
  static Stream<ListFormat> formats() {
    return FULL ? Stream.of(ListFormat.values()) : Stream.of(ListFormat.JSON);
  }

  @ParameterizedTest
  @MethodSource("formats")
  void list_interruptedAtAFullPipe_isResumedWithEveryWalletOnce(ListFormat format)
      throws Exception {
    String firstOutput;
    String hint;
    try (ChildProcess child = ChildProcess.start(folder, variables, listArguments(format))) {
      firstOutput = child.read(CHARACTERS_BEFORE_THE_SIGNAL);
      child.interrupt();
      // The pipe holds less than the rest, so the command cannot end before the test continues
      // reading.
      child.awaitInterruption();
      firstOutput += child.readToTheEnd();
      hint = assertInterrupted(child);
    }

    List<String> first = ids(format, firstOutput);
    assertThat(first).hasSizeBetween(1, WALLETS - 1);
    assertEveryWalletOnce(first, ids(format, resume(hint)));
  }

  @ParameterizedTest
  @MethodSource("formats")
  @Tag("full")
  void list_interruptedWhileItWaitsForAPage_isResumedWithEveryWalletOnce(ListFormat format)
      throws Exception {
    CountDownLatch pageRequested = new CountDownLatch(1);
    CountDownLatch testEnded = new CountDownLatch(1);
    AtomicInteger pages = new AtomicInteger();
    String firstOutput;
    String hint;
    try (TamperingRelay relay =
            TamperingRelay.to(
                service.port(),
                request ->
                    pages.incrementAndGet() == 3
                        ? holdUntil(testEnded, request, pageRequested)
                        : request);
        ChildProcess child =
            ChildProcess.start(
                folder, with("COUNTERSIGN_BASE_URL", relay.url()), listArguments(format))) {
      child.await(pageRequested);
      child.interrupt();
      child.awaitInterruption();
      firstOutput = child.readToTheEnd();
      hint = assertInterrupted(child);
    } finally {
      testEnded.countDown();
    }

    List<String> first = ids(format, firstOutput);
    assertThat(first).hasSize(2 * PAGE_SIZE);
    assertEveryWalletOnce(first, ids(format, resume(hint)));
  }

  /** Reports that a page was requested, and returns the request only after the test has ended. */
  private static String holdUntil(
      CountDownLatch testEnded, String request, CountDownLatch pageRequested) {
    pageRequested.countDown();
    try {
      Waits.forLatch(testEnded);
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    }
    return request;
  }

  /** Checks that Ctrl-C ended the command, and returns the command that it printed for resuming. */
  private static String assertInterrupted(ChildProcess child) throws InterruptedException {
    assertThat(child.exitCode()).as(child.err()).isEqualTo(130);
    assertThat(child.err())
        .startsWith("interrupted: after ")
        .contains("\nresume with: ")
        .contains(" --after ");
    return child.err().lines().filter(line -> line.startsWith("resume with: ")).findFirst().get();
  }

  private String resume(String hint) throws Exception {
    List<String> words = Arrays.asList(hint.split(" "));
    try (ChildProcess child =
        ChildProcess.start(folder, variables, words.subList(3, words.size()))) {
      String rest = child.readToTheEnd();
      assertThat(child.exitCode()).as(child.err()).isZero();
      return rest;
    }
  }

  private static void assertEveryWalletOnce(List<String> first, List<String> rest) {
    List<String> both = new ArrayList<>(first);
    both.addAll(rest);
    assertThat(both).doesNotHaveDuplicates().hasSize(WALLETS);
  }

  private static Map<String, String> with(String variable, String value) {
    Map<String, String> changed = new HashMap<>(variables);
    changed.put(variable, value);
    return changed;
  }

  @Test
  void list_intoAPipeThatCloses_endsQuietlyWith141() throws Exception {
    try (ChildProcess child =
        ChildProcess.start(folder, variables, listArguments(ListFormat.JSONL))) {
      child.read(1_000);
      child.closeOutput();

      assertThat(child.exitCode()).isEqualTo(141);
      assertThat(child.err()).isEmpty();
    }
  }

  /** Returns the identifiers; JSON arrays must be complete documents. */
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
    // A closing bracket at the start of a line ends an array: two runs print two arrays.
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
