package dev.countersign.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

/**
 * A list that is wrong or changes: the walk returns the right rows or a clear error, never a loop
 * or a duplicate.
 */
class FaultyListTest {
  private static final int SIZE = 10;

  /** The rows that a walk returned, and how it ended. */
  private record Outcome(List<Integer> ids, String reason, String message, int requests) {}

  private static Outcome walked(
      SignedServer server, UnaryOperator<PageWalk<ListWalkTest.Row>> how) {
    List<Integer> ids = new ArrayList<>();
    CountersignClient client = new RecordedWaits().client(server.uri()).build();
    Iterator<ListWalkTest.Row> testRows =
        how.apply(client.list("/rows", ListWalkTest.Row.class).withSize(SIZE)).items().iterator();
    CountersignException thrown =
        catchThrowableOfType(
            CountersignException.class, () -> testRows.forEachRemaining(row -> ids.add(row.id())));
    assertThat(testRows.hasNext()).as("nothing comes behind an error").isFalse();
    assertThat(ids).doesNotHaveDuplicates();
    return thrown == null
        ? new Outcome(ids, "none", "", server.requests().size())
        : new Outcome(ids, thrown.reason(), thrown.getMessage(), server.requests().size());
  }

  /** Both with and without fetching ahead. */
  private static Outcome walked(java.util.function.Supplier<TestRows> testRows) throws Exception {
    Outcome plain;
    try (SignedServer server = SignedServer.replying(testRows.get()::reply)) {
      plain = walked(server, walk -> walk);
    }
    try (SignedServer server = SignedServer.replying(testRows.get()::reply)) {
      Outcome ahead = walked(server, PageWalk::withFetchAhead);
      assertThat(ahead.ids()).isEqualTo(plain.ids());
      assertThat(ahead.reason()).isEqualTo(plain.reason());
    }
    return plain;
  }

  static Stream<Arguments> faults() {
    return Stream.of(
        fault(
            "content of another name",
            d -> d.set("records", d.remove("content")),
            "answer_malformed"),
        fault("content that is not an array", d -> d.put("content", "x"), "answer_malformed"),
        fault("no last", d -> d.remove("last"), "answer_malformed"),
        fault("last that is text", d -> d.put("last", "false"), "answer_malformed"),
        fault("no number", d -> d.remove("number"), "answer_malformed"),
        fault("a negative number", d -> d.put("number", -1), "answer_malformed"),
        fault("a number of another kind", d -> d.put("number", 1.5), "answer_malformed"),
        fault("a size of another kind", d -> d.put("size", "10"), "answer_malformed"),
        fault("no total", d -> d.remove("totalElements"), "answer_malformed"),
        fault("an enormous total", d -> d.put("totalElements", 1e30), "answer_malformed"),
        fault("another size", d -> d.put("size", 20), "page_unexpected"),
        fault("another number", d -> d.put("number", 7), "page_unexpected"),
        fault("another offset", d -> d.withObject("pageable").put("offset", 11), "page_unexpected"),
        fault("another count", d -> d.put("numberOfElements", 9), "page_unexpected"),
        fault("too many records", FaultyListTest::doubled, "page_unexpected"),
        fault("too few records", FaultyListTest::halved, "page_unexpected"),
        fault("no records", FaultyListTest::emptied, "page_unexpected"),
        fault("an early last", d -> d.put("last", true), "page_unexpected"),
        fault("a record of another kind", FaultyListTest::withText, "answer_malformed"));
  }

  private static Arguments fault(String name, Consumer<ObjectNode> fault, String reason) {
    return Arguments.of(name, fault, reason);
  }

  private static void doubled(ObjectNode document) {
    for (int i = 0; i < SIZE; i++) {
      document.withArray("content").addObject().put("id", 1000 + i);
    }
    document.put("numberOfElements", 2 * SIZE);
  }

  private static void halved(ObjectNode document) {
    for (int i = 0; i < SIZE / 2; i++) {
      document.withArray("content").remove(0);
    }
    document.put("numberOfElements", SIZE / 2);
  }

  private static void emptied(ObjectNode document) {
    document.withArray("content").removeAll();
    document.put("numberOfElements", 0);
  }

  private static void withText(ObjectNode document) {
    document.withArray("content").set(3, "row");
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("faults")
  void walk_secondPageWrong_endsWithAClearError(
      String name, Consumer<ObjectNode> fault, String reason) throws Exception {
    Outcome outcome =
        walked(
            () ->
                TestRows.upTo(45)
                    .withFault(
                        (page, document) -> {
                          if (page == 1) {
                            fault.accept(document);
                          }
                        }));

    assertThat(outcome.reason()).as(name).isEqualTo(reason);
    assertThat(outcome.ids()).isEqualTo(TestRows.ids(1, SIZE));
    assertThat(outcome.message())
        .startsWith(reason + ": GET http://localhost:")
        .contains("/rows?size=10&offset=10: ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "<html></html>", "[]", "null", "{}", "{\"content\": []", "\u001b[2J"})
  void walk_answerThatIsNoPage_endsWithAClearError(String body) throws Exception {
    try (SignedServer server = SignedServer.replying(Reply.json(body))) {
      Outcome outcome = walked(server, walk -> walk);

      assertThat(outcome.reason()).isEqualTo("answer_malformed");
      assertThat(outcome.message()).doesNotContain("\u001b", "\n");
      assertThat(outcome.requests()).isEqualTo(1);
    }
  }

  /** A service that ignores offset and returns the first page forever. */
  @Test
  void walk_offsetIgnored_isUnexpected() throws Exception {
    TestRows testRows = TestRows.upTo(45);
    try (SignedServer server =
        SignedServer.replying(request -> Reply.json(testRows.page(0, SIZE).toString()))) {
      Outcome outcome = walked(server, walk -> walk);

      assertThat(outcome.reason()).isEqualTo("page_unexpected");
      assertThat(outcome.ids()).isEqualTo(TestRows.ids(1, SIZE));
      assertThat(outcome.requests()).isEqualTo(2);
    }
  }

  @Test
  void walk_pageableAbsent_goesByNumberAndSize() throws Exception {
    Outcome outcome =
        walked(() -> TestRows.upTo(45).withFault((page, document) -> document.remove("pageable")));

    assertThat(outcome.ids()).isEqualTo(TestRows.ids(1, 45));
  }

  /** A cache that returns the rows of the previous page under the right numbers. */
  @Test
  void walk_contentRepeated_isRepeated() throws Exception {
    TestRows testRows = TestRows.upTo(45);
    try (SignedServer server =
        SignedServer.replying(
            request -> {
              ObjectNode page = testRows.page(TestRows.parameter(request, "offset"), SIZE);
              page.set("content", testRows.page(0, SIZE).path("content"));
              return Reply.json(page.toString());
            })) {
      Outcome outcome = walked(server, walk -> walk);

      assertThat(outcome.reason()).isEqualTo("page_repeated");
      assertThat(outcome.ids()).isEqualTo(TestRows.ids(1, SIZE));
    }
  }

  @Test
  void walk_neverTheLast_endsAtThePageWithoutRecords() throws Exception {
    Outcome outcome =
        walked(() -> TestRows.upTo(45).withFault((page, document) -> document.put("last", false)));

    assertThat(outcome.ids()).isEqualTo(TestRows.ids(1, 45));
    assertThat(outcome.requests()).isEqualTo(6);
  }

  static Stream<Arguments> changes() {
    return Stream.of(
        change("emptied", List::clear, TestRows.ids(1, 10)),
        change("cut behind", ids -> ids.subList(15, 45).clear(), TestRows.ids(1, 15)),
        change("cut to one page", ids -> ids.subList(10, 45).clear(), TestRows.ids(1, 10)),
        change("shortened in front", ids -> ids.subList(0, 3).clear(), TestRows.ids(1, 45)),
        change("one gone in front", ids -> ids.remove(0), TestRows.ids(1, 45)),
        change("one gone at the seam", ids -> ids.remove(9), TestRows.ids(1, 45)),
        change("a page gone in front", ids -> ids.subList(0, 10).clear(), TestRows.ids(1, 45)),
        change("gone on both sides", ids -> gone(ids, 30, 9, 2), without(31)),
        change("grown behind", ids -> ids.addAll(TestRows.ids(46, 70)), TestRows.ids(1, 70)),
        change("one more in front", ids -> ids.add(0, 100), TestRows.ids(1, 45)),
        change(
            "three more in front",
            ids -> ids.addAll(2, List.of(101, 102, 103)),
            TestRows.ids(1, 45)));
  }

  private static Arguments change(
      String name, Consumer<List<Integer>> change, List<Integer> expected) {
    return Arguments.of(name, change, expected);
  }

  private static void gone(List<Integer> ids, int... places) {
    for (int place : places) {
      ids.remove(place);
    }
  }

  private static List<Integer> without(int id) {
    List<Integer> ids = new ArrayList<>(TestRows.ids(1, 45));
    ids.remove(Integer.valueOf(id));
    return ids;
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("changes")
  void walk_listThatChangesUnderWay_givesEveryRowThatStayedOnce(
      String name, Consumer<List<Integer>> change, List<Integer> expected) throws Exception {
    try (SignedServer server =
        SignedServer.replying(TestRows.upTo(45).changedAfterTheFirstPage(change)::reply)) {
      Outcome outcome = walked(server, walk -> walk);

      assertThat(outcome.reason()).as(name).isEqualTo("none");
      assertThat(outcome.ids()).isEqualTo(expected);
    }
  }

  /** A caller that deletes the rows it has read makes the list shrink before every page. */
  @Test
  void walk_rowsDeletedAsTheyAreRead_givesEveryRowOnce() throws Exception {
    List<Integer> left = new CopyOnWriteArrayList<>(TestRows.ids(1, 45));
    List<Integer> read = new ArrayList<>();
    try (SignedServer server = SignedServer.replying(request -> TestRows.of(left).reply(request))) {
      CountersignClient client = new RecordedWaits().client(server.uri()).build();
      for (ListPage<ListWalkTest.Row> page :
          client.list("/rows", ListWalkTest.Row.class).withSize(SIZE).pages()) {
        page.content().forEach(row -> read.add(row.id()));
        left.removeAll(read);
      }
    }
    assertThat(read).isEqualTo(TestRows.ids(1, 45));
  }

  @Test
  void walk_resumedBehindAPageThatBeganWithKnownRows_givesEveryRowOnce() throws Exception {
    List<Integer> read = new ArrayList<>();
    try (SignedServer server =
        SignedServer.replying(
            TestRows.upTo(45).changedAfterTheFirstPage(ids -> ids.addAll(2, List.of(101, 102, 103)))
                ::reply)) {
      PageWalk<ListWalkTest.Row> list =
          new RecordedWaits()
              .client(server.uri())
              .build()
              .list("/rows", ListWalkTest.Row.class)
              .withSize(SIZE);
      Iterator<ListPage<ListWalkTest.Row>> pages = list.pages().iterator();
      pages.next().content().forEach(row -> read.add(row.id()));
      ListPage<ListWalkTest.Row> second = pages.next();
      second.content().forEach(row -> read.add(row.id()));
      list.fromOffset(second.nextOffset()).items().forEach(row -> read.add(row.id()));
    }
    assertThat(read).isEqualTo(TestRows.ids(1, 45));
  }

  /**
   * A total that changes with every page, and is never right, must not keep the walk running
   * forever.
   */
  @ParameterizedTest
  @ValueSource(ints = {-1000, -1, 1, 1000})
  void walk_totalThatNeverStands_ends(int step) throws Exception {
    AtomicInteger total = new AtomicInteger(1_000_000);
    try (SignedServer server =
        SignedServer.replying(
            TestRows.upTo(45)
                    .withFault(
                        (page, document) -> {
                          document.put("totalElements", total.addAndGet(step));
                          document.put("last", false);
                        })
                ::reply)) {
      Outcome outcome = walked(server, walk -> walk);

      assertThat(outcome.ids())
          .isEqualTo(TestRows.ids(1, outcome.ids().size()))
          .hasSizeGreaterThan(30);
      assertThat(outcome.reason()).isEqualTo("page_unexpected");
      assertThat(outcome.requests()).isLessThan(20);
    }
  }

  @Test
  void walk_troubleBetweenPages_isEndured() throws Exception {
    AtomicInteger calls = new AtomicInteger();
    TestRows testRows = TestRows.upTo(45);
    try (SignedServer server =
        SignedServer.replying(
            request ->
                switch (calls.incrementAndGet() % 4) {
                  case 1 -> Reply.NONE;
                  case 2 -> Reply.status(503).with("Retry-After", "1");
                  case 3 -> Reply.status(429);
                  default -> testRows.reply(request);
                })) {
      Outcome outcome = walked(server, walk -> walk);

      assertThat(outcome.reason()).isEqualTo("none");
      assertThat(outcome.ids()).isEqualTo(TestRows.ids(1, 45));
    }
  }

  @Test
  void walk_refusedUnderWay_endsWithTheRefusal() throws Exception {
    AtomicInteger calls = new AtomicInteger();
    TestRows testRows = TestRows.upTo(45);
    try (SignedServer server =
        SignedServer.replying(
            request ->
                calls.incrementAndGet() == 3
                    ? Reply.problem(403, "\"reason\": \"role_missing\", \"detail\": \"no\"")
                    : testRows.reply(request))) {
      Outcome outcome = walked(server, walk -> walk);

      assertThat(outcome.reason()).isEqualTo("role_missing");
      assertThat(outcome.ids()).isEqualTo(TestRows.ids(1, 20));
    }
  }
}
