package dev.countersign.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A list that changes during the walk, or has equal rows: no row is lost without an error. */
class MovingListTest {
  private static final int SIZE = 10;

  /** The rows that a walk returned, and how it ended. */
  private record Outcome(List<Integer> ids, String reason, String message, int requests) {}

  private static PageWalk<ListWalkTest.Row> list(SignedServer server, int size) {
    return new RecordedWaits()
        .client(server.uri())
        .build()
        .list("/rows", ListWalkTest.Row.class)
        .withSize(size);
  }

  private static Outcome walked(TestRows testRows, int size) throws Exception {
    try (SignedServer server = SignedServer.replying(testRows::reply)) {
      List<Integer> ids = new ArrayList<>();
      CountersignException thrown =
          catchThrowableOfType(
              CountersignException.class,
              () -> list(server, size).items().forEach(row -> ids.add(row.id())));
      int requests = server.requests().size();
      return thrown == null
          ? new Outcome(ids, "none", "", requests)
          : new Outcome(ids, thrown.reason(), String.valueOf(thrown.getMessage()), requests);
    }
  }

  private static Consumer<List<Integer>> gone(int from, int to) {
    return ids -> ids.subList(from, to).clear();
  }

  private static Consumer<List<Integer>> added(int at, int first, int last) {
    return ids -> ids.addAll(at, TestRows.ids(first, last));
  }

  private static List<Integer> joined(List<Integer> first, List<Integer> second) {
    return Stream.concat(first.stream(), second.stream()).toList();
  }

  static Stream<Arguments> equalRows() {
    return Stream.of(
            List.of(1, 1), List.of(1, 2, 3, 1), List.of(1, 1, 1, 2, 2, 1), List.of(1, 2, 1, 2, 1))
        .flatMap(ids -> IntStream.range(1, ids.size()).mapToObj(limit -> Arguments.of(ids, limit)));
  }

  @ParameterizedTest
  @MethodSource("equalRows")
  void limit_betweenEqualRows_saysWhereToResume(List<Integer> ids, int limit) throws Exception {
    try (SignedServer server = SignedServer.replying(TestRows.of(ids)::reply)) {
      PageWalk<ListWalkTest.Row> walk = list(server, SIZE);

      ListPage<ListWalkTest.Row> page = walk.withLimit(limit).pages().iterator().next();

      assertThat(page.offset()).isZero();
      assertThat(page.nextOffset()).isEqualTo(limit);
      assertThat(walk.fromOffset(page.nextOffset()).stream().map(ListWalkTest.Row::id))
          .isEqualTo(ids.subList(limit, ids.size()));
    }
  }

  /** Ten more rows in front: the second page repeats the first, which is correct. */
  @Test
  void walk_grownByOnePage_givesEveryRowOnce() throws Exception {
    Outcome outcome = walked(TestRows.upTo(45).changedAfter(1, added(0, 101, 110)), SIZE);

    assertThat(outcome.reason()).isEqualTo("none");
    assertThat(outcome.ids()).isEqualTo(TestRows.ids(1, 45));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 5})
  void walk_pagesOfEqualRows_givesThemAll(int size) throws Exception {
    List<Integer> ids = joined(Collections.nCopies(7, 1), List.of(2, 2, 2));

    Outcome outcome = walked(TestRows.of(ids), size);

    assertThat(outcome.reason()).isEqualTo("none");
    assertThat(outcome.ids()).isEqualTo(ids);
  }

  /** After the end there is no second row that could be equal. */
  @Test
  void walk_sameRowBehindTheEnd_isRepeated() throws Exception {
    TestRows testRows =
        TestRows.of(List.of(1, 1))
            .withFault(
                (served, document) -> {
                  document.withArray("content").removeAll().addObject().put("id", 1);
                  document.put("last", false).put("numberOfElements", 1);
                });

    Outcome outcome = walked(testRows, 1);

    assertThat(outcome.reason()).isEqualTo("page_repeated");
    assertThat(outcome.ids()).containsExactly(1, 1);
    assertThat(outcome.requests()).isEqualTo(3);
  }

  /** A total that grows with each page does not hide that the pages are the same. */
  @Test
  void walk_sameRowsUnderAGrowingTotal_isRepeated() throws Exception {
    TestRows testRows = TestRows.upTo(1000);
    TestRows same =
        testRows.withFault(
            (served, document) -> {
              document.set("content", TestRows.upTo(SIZE).page(0, SIZE).path("content"));
              document.put("totalElements", 1000 + served);
            });

    Outcome outcome = walked(same, SIZE);

    assertThat(outcome.reason()).isEqualTo("page_repeated");
    assertThat(outcome.ids()).isEqualTo(TestRows.ids(1, SIZE));
    assertThat(outcome.requests()).isEqualTo(3);
  }

  static Stream<Arguments> traceableLosses() {
    return Stream.of(
        loss("some in front", () -> shrunk(gone(0, 7)), TestRows.ids(1, 45)),
        loss("a page in front", () -> shrunk(gone(0, 10)), TestRows.ids(1, 45)),
        loss("the page read last", () -> shrunk(gone(20, 30)), TestRows.ids(1, 45)),
        loss("more than a page, all of it behind", () -> shrunk(gone(33, 45)), TestRows.ids(1, 33)),
        loss("all behind", () -> shrunk(gone(30, 45)), TestRows.ids(1, 30)),
        loss(
            "all but the row read last",
            () -> shrunk(gone(30, 45).andThen(gone(0, 9))),
            TestRows.ids(1, 30)),
        loss("all", () -> shrunk(List::clear), TestRows.ids(1, 30)),
        loss(
            "more than a page, part of it behind",
            () -> shrunk(gone(35, 45).andThen(gone(0, 5))),
            TestRows.ids(1, 35)),
        loss(
            "some for others in front",
            () -> shrunk(gone(35, 45).andThen(added(0, 101, 104))),
            TestRows.ids(1, 35)),
        loss(
            "some in front, fewer added behind",
            () -> shrunk(gone(0, 4).andThen(added(41, 46, 47))),
            TestRows.ids(1, 47)),
        loss(
            "a page in front, half of it added behind",
            () -> shrunk(gone(0, 10).andThen(added(35, 46, 50))),
            TestRows.ids(1, 50)),
        loss(
            "some more before the list is read again",
            () -> shrunk(gone(0, 3)).changedAfter(4, gone(0, 4)),
            TestRows.ids(1, 45)));
  }

  private static Arguments loss(String name, Supplier<TestRows> testRows, List<Integer> expected) {
    return Arguments.of(name, testRows, expected);
  }

  /** By then, three pages have been read. */
  private static TestRows shrunk(Consumer<List<Integer>> change) {
    return TestRows.upTo(45).changedAfter(3, change);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("traceableLosses")
  void walk_shrunkTraceably_givesEveryRowThatStayedOnce(
      String name, Supplier<TestRows> testRows, List<Integer> expected) throws Exception {
    Outcome outcome = walked(testRows.get(), SIZE);

    assertThat(outcome.reason()).as(name).isEqualTo("none");
    assertThat(outcome.ids()).isEqualTo(expected);
  }

  static Stream<Arguments> untraceableLosses() {
    return Stream.of(
        Arguments.of("two pages", lossOf(gone(0, 20)), 10),
        Arguments.of("all that was read", lossOf(gone(0, 30)), 0),
        Arguments.of("a page, and then another", lossOf(gone(0, 10), gone(0, 10)), 10));
  }

  @SafeVarargs
  private static Supplier<TestRows> lossOf(Consumer<List<Integer>>... changes) {
    return () -> {
      TestRows testRows = TestRows.upTo(45);
      for (int i = 0; i < changes.length; i++) {
        testRows.changedAfter(3 + i, changes[i]);
      }
      return testRows;
    };
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("untraceableLosses")
  void walk_shrunkByMoreThanItRemembers_endsAndSaysWhereToResume(
      String name, Supplier<TestRows> moved, int resumeAt) throws Exception {
    Outcome outcome = walked(moved.get(), SIZE);

    assertThat(outcome.reason()).as(name).isEqualTo("list_changed");
    assertThat(outcome.ids()).isEqualTo(TestRows.ids(1, 30));
    assertThat(outcome.message())
        .contains("the list shrank from 45 to ")
        .contains("continue at offset " + resumeAt + " (");
  }

  /** With one row per page, no row is left to find the place by while the list shrinks. */
  @Test
  void walk_ofSingleRowsUnderATotalThatNeverStands_ends() throws Exception {
    TestRows testRows =
        TestRows.upTo(45)
            .withFault((served, document) -> document.put("totalElements", 1_000_000 - served));

    Outcome outcome = walked(testRows, 1);

    assertThat(outcome.reason()).isEqualTo("list_changed");
    assertThat(outcome.ids()).containsExactly(1);
    assertThat(outcome.requests()).isEqualTo(5);
  }
}
