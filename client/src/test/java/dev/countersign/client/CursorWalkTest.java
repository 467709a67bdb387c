package dev.countersign.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.countersign.pagination.Sort;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

/** Walks over a list whose service offers cursors. */
class CursorWalkTest {
  private static final int SIZE = 10;

  /** The rows that a walk returned, how it ended, and the queries that it sent. */
  private record Outcome(List<Integer> ids, String reason, String message, List<String> queries) {}

  private static PageWalk<ListWalkTest.Row> list(SignedServer server, String target) {
    return new RecordedWaits()
        .client(server.uri())
        .build()
        .list(target, ListWalkTest.Row.class)
        .withSize(SIZE);
  }

  private static Outcome walked(
      TestRows testRows, UnaryOperator<PageWalk<ListWalkTest.Row>> options) throws Exception {
    return walked(testRows::reply, options);
  }

  private static Outcome walked(
      Function<ServedRequest, Reply> replies, UnaryOperator<PageWalk<ListWalkTest.Row>> options)
      throws Exception {
    try (SignedServer server = SignedServer.replying(replies)) {
      List<Integer> ids = new ArrayList<>();
      CountersignException thrown =
          catchThrowableOfType(
              CountersignException.class,
              () ->
                  options
                      .apply(list(server, "/rows"))
                      .items()
                      .forEach(testRow -> ids.add(testRow.id())));
      List<String> queries = server.requests().stream().map(ServedRequest::query).toList();
      return thrown == null
          ? new Outcome(ids, "none", "", queries)
          : new Outcome(ids, thrown.reason(), Objects.requireNonNull(thrown.getMessage()), queries);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void items_cursorOffered_changeOverAndLeaveOutTheTotals(boolean ahead) throws Exception {
    Outcome outcome =
        walked(TestRows.upTo(35).withCursors(), walk -> ahead ? walk.withFetchAhead() : walk);

    assertThat(outcome.ids()).isEqualTo(TestRows.ids(1, 35));
    assertThat(outcome.queries())
        .containsExactly(
            "size=10&offset=0",
            "size=10&after=10.10&totals=none",
            "size=10&after=20.20&totals=none",
            "size=10&after=30.30&totals=none");
  }

  @Test
  void items_sortedAndFiltered_keepSortAndFilters() throws Exception {
    Outcome outcome =
        walked(
            TestRows.upTo(15).withCursors(),
            walk ->
                walk.where("status").is("A").withSort(Sort.by(Sort.Order.asc("id"))).fromOffset(3));

    assertThat(outcome.ids()).isEqualTo(TestRows.ids(4, 15));
    assertThat(outcome.queries())
        .containsExactly(
            "status=A&sort=id,asc&size=10&offset=3",
            "status=A&sort=id,asc&size=10&after=13.13&totals=none");
  }

  @Test
  void pages_byCursor_haveTheTotalOfTheFirstPageOnly() throws Exception {
    try (SignedServer server = SignedServer.replying(TestRows.upTo(25).withCursors()::reply)) {
      List<ListPage<ListWalkTest.Row>> pages = list(server, "/rows").pageStream().toList();

      assertThat(pages)
          .extracting(ListPage::totalElements)
          .containsExactly(OptionalLong.of(25), OptionalLong.empty(), OptionalLong.empty());
      assertThat(pages)
          .extracting(ListPage::totalPages)
          .containsExactly(OptionalLong.of(3), OptionalLong.empty(), OptionalLong.empty());
      assertThat(pages).extracting(ListPage::offset).containsExactly(0L, 10L, 20L);
      assertThat(pages).extracting(ListPage::number).containsExactly(0L, 1L, 2L);
      assertThat(pages).extracting(ListPage::last).containsExactly(false, false, true);
      assertThat(pages)
          .extracting(page -> page.cursor().orElse("none"))
          .containsExactly("10.10", "20.20", "none");
    }
  }

  static Stream<Arguments> changes() {
    return Stream.of(
        change("two pages gone", ids -> ids.subList(0, 20).clear(), TestRows.ids(1, 45)),
        change("all that was read gone", ids -> ids.subList(0, 30).clear(), TestRows.ids(1, 45)),
        change("the row of the cursor gone", ids -> ids.remove(29), TestRows.ids(1, 45)),
        change("all gone", List::clear, TestRows.ids(1, 30)),
        change(
            "two pages more in front",
            ids -> ids.addAll(0, TestRows.ids(-20, -1)),
            TestRows.ids(1, 45)),
        change(
            "some gone and some added",
            ids -> {
              ids.subList(0, 5).clear();
              ids.addAll(TestRows.ids(46, 48));
            },
            TestRows.ids(1, 48)));
  }

  private static Arguments change(
      String name, Consumer<List<Integer>> change, List<Integer> expected) {
    return Arguments.of(name, change, expected);
  }

  /** The first three of these changes end or mislead a walk by offset. */
  @ParameterizedTest(name = "{0}")
  @MethodSource("changes")
  void items_listThatChanges_comeOnceWithoutAnotherRequest(
      String name, Consumer<List<Integer>> change, List<Integer> expected) throws Exception {
    Outcome outcome = walked(TestRows.upTo(45).withCursors().changedAfter(3, change), walk -> walk);

    assertThat(outcome.reason()).as(name).isEqualTo("none");
    assertThat(outcome.ids()).isEqualTo(expected);
    assertThat(outcome.queries()).hasSize((expected.size() + SIZE) / SIZE);
  }

  @Test
  void after_cursorOfAPage_givesTheRest() throws Exception {
    try (SignedServer server = SignedServer.replying(TestRows.upTo(45).withCursors()::reply)) {
      PageWalk<ListWalkTest.Row> walk = list(server, "/rows");
      Iterator<ListPage<ListWalkTest.Row>> pages = walk.pages().iterator();
      pages.next();
      String cursor = pages.next().cursor().orElseThrow();

      ListPage<ListWalkTest.Row> next = walk.after(cursor).pages().iterator().next();

      assertThat(next.content()).extracting(ListWalkTest.Row::id).isEqualTo(TestRows.ids(21, 30));
      assertThat(next.offset()).isEqualTo(20);
      assertThat(next.nextOffset()).isEqualTo(30);
      assertThat(next.totalElements()).hasValue(45);
      assertThat(walk.after(cursor).stream().map(ListWalkTest.Row::id))
          .isEqualTo(TestRows.ids(21, 45));
      assertThat(list(server, "/rows?after=" + cursor).stream().map(ListWalkTest.Row::id))
          .isEqualTo(TestRows.ids(21, 45));
    }
  }

  @Test
  void after_emptyCursor_beginsAtTheStart() throws Exception {
    Outcome outcome = walked(TestRows.upTo(15).withCursors(), walk -> walk.fromPage(3).after(""));

    assertThat(outcome.ids()).isEqualTo(TestRows.ids(1, 15));
    assertThat(outcome.queries())
        .containsExactly("size=10&after=", "size=10&after=10.10&totals=none");
  }

  @Test
  void withLimit_withinAPage_leavesNoCursor() throws Exception {
    try (SignedServer server = SignedServer.replying(TestRows.upTo(45).withCursors()::reply)) {
      List<ListPage<ListWalkTest.Row>> pages =
          list(server, "/rows").withLimit(13).pageStream().toList();

      assertThat(pages).extracting(ListPage::nextOffset).containsExactly(10L, 13L);
      assertThat(pages.get(0).cursor()).isPresent();
      assertThat(pages.get(1).cursor()).isEmpty();
    }
  }

  @Test
  void withoutTotals_fromTheStart_neverCounts() throws Exception {
    Outcome outcome = walked(TestRows.upTo(15).withCursors(), PageWalk::withoutTotals);

    assertThat(outcome.ids()).isEqualTo(TestRows.ids(1, 15));
    assertThat(outcome.queries())
        .containsExactly("size=10&offset=0&totals=none", "size=10&after=10.10&totals=none");
  }

  /** Without totals and cursors, the walk could not notice that records have moved. */
  @Test
  void withoutTotals_serviceWithoutCursors_isRefused() throws Exception {
    Outcome outcome = walked(TestRows.upTo(15), PageWalk::withoutTotals);

    assertThat(outcome.reason()).isEqualTo("answer_malformed");
    assertThat(outcome.message())
        .contains("totalElements must be a whole number from 0 unless the service offers a cursor");
  }

  @Test
  void withoutTotals_serviceWithoutCursorsButTotals_goesByOffset() throws Exception {
    Outcome outcome =
        walked(
            TestRows.upTo(15)
                .withFault(
                    (page, document) -> document.put("totalElements", 15).put("totalPages", 2)),
            PageWalk::withoutTotals);

    assertThat(outcome.ids()).isEqualTo(TestRows.ids(1, 15));
    assertThat(outcome.queries())
        .containsExactly("size=10&offset=0&totals=none", "size=10&offset=10&totals=none");
  }

  /** A service leaves a cursor out if the links would be too long. */
  @Test
  void items_cursorMissingOnOnePage_goByOffsetUntilTheNext() throws Exception {
    TestRows testRows = TestRows.upTo(35).withCursors();
    Outcome outcome =
        walked(
            request -> {
              Reply reply = testRows.reply(request);
              return request.query().endsWith("offset=0")
                  ? Reply.json(new String(reply.body(), UTF_8))
                  : reply;
            },
            walk -> walk);

    assertThat(outcome.ids()).isEqualTo(TestRows.ids(1, 35));
    assertThat(outcome.queries())
        .containsExactly(
            "size=10&offset=0",
            "size=10&offset=10",
            "size=10&after=20.20&totals=none",
            "size=10&after=30.30&totals=none");
  }

  static Stream<Arguments> faults() {
    return Stream.of(
        fault("no last", d -> d.remove("last"), "answer_malformed"),
        fault("a total of another kind", d -> d.put("totalElements", "9"), "answer_malformed"),
        fault("another size", d -> d.put("size", 20), "page_unexpected"),
        fault("another number", d -> d.put("number", 7), "page_unexpected"),
        fault("another offset", d -> d.withObject("pageable").put("offset", 11), "page_unexpected"),
        fault("another count", d -> d.put("numberOfElements", 9), "page_unexpected"),
        fault("too few records", CursorWalkTest::shortened, "page_unexpected"),
        fault("no records", CursorWalkTest::emptied, "page_unexpected"));
  }

  private static Arguments fault(String name, Consumer<ObjectNode> fault, String reason) {
    return Arguments.of(name, fault, reason);
  }

  private static void shortened(ObjectNode document) {
    document.withArray("content").remove(0);
    document.put("numberOfElements", SIZE - 1);
  }

  private static void emptied(ObjectNode document) {
    document.withArray("content").removeAll();
    document.put("numberOfElements", 0);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("faults")
  void items_secondPageWrong_endWithAClearError(
      String name, Consumer<ObjectNode> fault, String reason) throws Exception {
    TestRows testRows =
        TestRows.upTo(45)
            .withCursors()
            .withFault(
                (page, document) -> {
                  if (page == 1) {
                    fault.accept(document);
                  }
                });

    Outcome outcome = walked(testRows, walk -> walk);

    assertThat(outcome.reason()).as(name).isEqualTo(reason);
    assertThat(outcome.ids()).isEqualTo(TestRows.ids(1, SIZE));
    assertThat(outcome.message()).contains("/rows?size=10&after=10.10&totals=none: ");
  }

  private static Reply relinked(Reply reply, String link) {
    return reply.headers().containsKey("Link") ? reply.with("Link", link) : reply;
  }

  private static Outcome walkedWithLinks(String numbered, String byCursor) throws Exception {
    TestRows testRows = TestRows.upTo(45).withCursors();
    return walked(
        request ->
            relinked(
                testRows.reply(request), request.query().contains("after=") ? byCursor : numbered),
        walk -> walk);
  }

  private static final String FIRST_LINK =
      "<https://api.example.com/rows?after=10.10>; rel=\"https://countersign.dev/rels/after\"";

  @Test
  void items_pageThatLeadsToItself_isRepeated() throws Exception {
    Outcome outcome =
        walkedWithLinks(FIRST_LINK, "<https://api.example.com/rows?after=10.10>; rel=\"next\"");

    assertThat(outcome.reason()).isEqualTo("page_repeated");
    assertThat(outcome.queries()).hasSize(2);
  }

  /** Two pages that lead to each other, of a walk whose caller gave the cursor. */
  @Test
  void after_pagesThatLeadToEachOther_areUnexpected() throws Exception {
    TestRows testRows = TestRows.upTo(45).withCursors();
    Outcome outcome =
        walked(
            request ->
                relinked(
                    testRows.reply(request),
                    request.query().contains("after=5.5")
                        ? "</rows?after=15.15>; rel=next"
                        : "</rows?after=5.5>; rel=next"),
            walk -> walk.after("5.5"));

    assertThat(outcome.reason()).isEqualTo("page_unexpected");
    assertThat(outcome.queries()).hasSize(3);
  }

  @Test
  void items_pageWithoutTheNextCursor_isUnexpected() throws Exception {
    Outcome outcome = walkedWithLinks(FIRST_LINK, "<https://api.example.com/rows>; rel=\"next\"");

    assertThat(outcome.reason()).isEqualTo("page_unexpected");
    assertThat(outcome.message()).contains("is not the last, but has no link with a cursor");
  }

  /** A service that does not know the parameter gives its first page. */
  @Test
  void after_serviceThatIgnoresCursors_isUnexpected() throws Exception {
    TestRows testRows = TestRows.upTo(5);
    Outcome outcome =
        walked(request -> Reply.json(testRows.page(0, SIZE).toString()), walk -> walk.after("5.5"));

    assertThat(outcome.reason()).isEqualTo("page_unexpected");
    assertThat(outcome.message()).contains("begins at the start of the list");
  }

  @Test
  void after_serviceThatLeavesOutPageable_countsInPages() throws Exception {
    TestRows testRows =
        TestRows.upTo(45).withCursors().withFault((page, document) -> document.remove("pageable"));
    try (SignedServer server = SignedServer.replying(testRows::reply)) {
      List<ListPage<ListWalkTest.Row>> pages =
          list(server, "/rows").after("5.5").pageStream().toList();

      assertThat(pages.stream().flatMap(page -> page.content().stream()))
          .extracting(ListWalkTest.Row::id)
          .isEqualTo(TestRows.ids(6, 45));
      assertThat(pages).extracting(ListPage::offset).containsExactly(0L, 10L, 20L, 30L);
    }
  }

  @Test
  void after_offsetThatIsNoNumber_isMalformed() throws Exception {
    Outcome outcome =
        walked(
            TestRows.upTo(5)
                .withCursors()
                .withFault((page, document) -> document.withObject("pageable").put("offset", "2")),
            walk -> walk.after("2.2"));

    assertThat(outcome.reason()).isEqualTo("answer_malformed");
    assertThat(outcome.message()).contains("pageable.offset must be a whole number from 0");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "after=1.1&page=1",
        "offset=0&after=",
        "after=1.1&after=1.1",
        "totals=exact",
        "totals",
        "totals=none&totals=none"
      })
  void list_targetWithWrongParameters_isRefused(String query) throws Exception {
    try (SignedServer server = SignedServer.replying(TestRows.upTo(5)::reply)) {
      assertThatIllegalArgumentException().isThrownBy(() -> list(server, "/rows?" + query));
    }
  }
}
