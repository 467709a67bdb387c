package dev.countersign.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.countersign.pagination.Sort;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ListWalkTest {
  record Row(int id) {}

  private SignedServer server;

  @BeforeEach
  void start() throws Exception {
    server = SignedServer.replying(TestRows.upTo(45)::reply);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private PageWalk<Row> walk(String target) {
    return new RecordedWaits().client(server.uri()).build().list(target, Row.class);
  }

  private static List<Integer> ids(Iterable<Row> rows) {
    List<Integer> ids = new ArrayList<>();
    rows.forEach(row -> ids.add(row.id()));
    return ids;
  }

  private List<String> queries() {
    return server.requests().stream().map(ServedRequest::query).toList();
  }

  @Test
  void items_ofAllPages_comeOnceInOrder() {
    assertThat(ids(walk("/rows").withSize(10).items())).isEqualTo(TestRows.ids(1, 45));
    assertThat(queries())
        .containsExactly(
            "size=10&offset=0",
            "size=10&offset=10",
            "size=10&offset=20",
            "size=10&offset=30",
            "size=10&offset=40");
  }

  @Test
  void items_withoutSize_comeInTheLargestPages() {
    assertThat(ids(walk("/rows").items())).hasSize(45);
    assertThat(queries()).containsExactly("size=100&offset=0");
  }

  @Test
  void items_asTrees_areWholeRecords() {
    assertThat(
            new RecordedWaits()
                .client(server.uri()).build().list("/rows").stream()
                    .map(node -> node.path("id").asInt()))
        .isEqualTo(TestRows.ids(1, 45));
  }

  @Test
  void target_ownQuery_isKeptAsWritten() {
    walk("/rows?status=A%2fB&size=20&x&sort=name,desc&page=1").stream().toList();

    assertThat(queries())
        .containsExactly(
            "status=A%2fB&x&sort=name,desc&size=20&offset=20",
            "status=A%2fB&x&sort=name,desc&size=20&offset=40");
  }

  @Test
  void withSort_typed_replacesThatOfTheTarget() {
    walk("/rows?sort=name,desc")
        .withSort(Sort.by(Sort.Order.asc("currencyCode")), Sort.by(Sort.Order.desc("a b&c")))
        .stream()
        .toList();

    assertThat(queries())
        .containsExactly("sort=currencyCode,asc&sort=a%20b%26c,desc&size=100&offset=0");
  }

  @ParameterizedTest
  @CsvSource({"0, 0, 0", "1, 1, 1", "10, 10, 1", "11, 11, 2", "45, 45, 5", "1000, 45, 5"})
  void withLimit_items_fetchesNoMoreThanNeeded(long limit, int items, int pages) {
    PageWalk<Row> walk = walk("/rows").withSize(10).withLimit(limit);

    assertThat(ids(walk.items())).isEqualTo(TestRows.ids(1, items));
    assertThat(queries()).hasSize(pages).allMatch(query -> query.startsWith("size=10&"));
  }

  @Test
  void withLimit_pages_cutsTheLastAndSaysWhereToResume() {
    List<ListPage<Row>> pages = walk("/rows").withSize(10).withLimit(13).pageStream().toList();

    assertThat(pages).hasSize(2);
    ListPage<Row> last = pages.get(1);
    assertThat(last.content()).containsExactly(new Row(11), new Row(12), new Row(13));
    assertThat(last.nextOffset()).isEqualTo(13);
    assertThat(ids(walk("/rows").withSize(10).fromOffset(last.nextOffset()).items()))
        .isEqualTo(TestRows.ids(14, 45));
  }

  @Test
  void pages_carryTheEnvelope() {
    List<ListPage<Row>> pages = new ArrayList<>();
    walk("/rows").withSize(20).pages().forEach(pages::add);

    assertThat(pages).hasSize(3);
    assertThat(pages.get(2))
        .isEqualTo(
            new ListPage<>(
                List.of(new Row(41), new Row(42), new Row(43), new Row(44), new Row(45)),
                40,
                2,
                20,
                OptionalLong.of(45),
                OptionalLong.of(3),
                false,
                true,
                Optional.empty()));
    assertThat(pages.get(0).first()).isTrue();
    assertThat(pages.get(0).nextOffset()).isEqualTo(20);
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1, 7, 44, 45, 1000})
  void fromOffset_anywhere_givesTheRest(long offset) {
    assertThat(ids(walk("/rows").withSize(10).fromOffset(offset).items()))
        .isEqualTo(TestRows.ids((int) offset + 1, 45));
  }

  @Test
  void fromPage_countsInPagesOfTheSize() {
    assertThat(ids(walk("/rows").withSize(20).fromPage(2).items())).isEqualTo(TestRows.ids(41, 45));
    assertThat(queries()).containsExactly("size=20&offset=40");
  }

  @Test
  void fromPage_sizeSetAfterwards_countsInPagesOfThat() {
    walk("/rows").fromPage(2).withSize(20).stream().toList();
    walk("/rows?page=1").withSize(20).withLimit(1).stream().toList();
    walk("/rows?page=1&offset=7").withSize(20).withLimit(1).stream().toList();
    walk("/rows?page=1").fromOffset(8).withSize(20).withLimit(1).stream().toList();
    walk("/rows?offset=7").fromPage(1).withSize(20).withLimit(1).stream().toList();

    assertThat(queries())
        .containsExactly(
            "size=20&offset=40",
            "size=20&offset=20",
            "size=20&offset=7",
            "size=20&offset=8",
            "size=20&offset=20");
  }

  @Test
  void walk_isLazy() {
    Iterator<Row> rows = walk("/rows").withSize(10).items().iterator();
    assertThat(server.requests()).isEmpty();

    for (int i = 0; i < 10; i++) {
      rows.next();
    }

    assertThat(server.requests()).hasSize(1);
  }

  @Test
  void stream_leftEarly_fetchesNoMore() {
    assertThat(walk("/rows").withSize(10).stream().limit(5)).hasSize(5);
    assertThat(walk("/rows").withSize(10).stream().anyMatch(row -> row.id() == 3)).isTrue();
    assertThat(server.requests()).hasSize(2);
  }

  @Test
  void iterable_everyIterator_isAWalkOfItsOwn() {
    Iterable<Row> rows = walk("/rows").items();

    assertThat(ids(rows)).isEqualTo(ids(rows));
    assertThat(server.requests()).hasSize(2);
  }

  @Test
  void items_emptyList_areNoneAndOnePageSaysSo() throws Exception {
    try (SignedServer empty = SignedServer.replying(TestRows.upTo(0)::reply)) {
      PageWalk<Row> walk = new RecordedWaits().client(empty.uri()).build().list("/rows", Row.class);

      assertThat(walk.items()).isEmpty();
      assertThat(walk.pageStream().toList())
          .containsExactly(
              new ListPage<>(
                  List.of(),
                  0,
                  0,
                  100,
                  OptionalLong.of(0),
                  OptionalLong.of(0),
                  true,
                  true,
                  Optional.empty()));
    }
  }

  @Test
  void next_pastTheEnd_throws() {
    Iterator<Row> rows = walk("/rows").withLimit(1).items().iterator();
    rows.next();

    assertThat(rows.hasNext()).isFalse();
    assertThatExceptionOfType(NoSuchElementException.class).isThrownBy(rows::next);
    assertThatExceptionOfType(NoSuchElementException.class)
        .isThrownBy(() -> walk("/rows").withLimit(0).pages().iterator().next());
  }

  @Test
  void walk_everyPage_isSignedForItself() {
    walk("/rows").withSize(10).stream().toList();

    assertThat(server.requests())
        .hasSize(5)
        .extracting(request -> request.header("signature"))
        .doesNotHaveDuplicates();
  }

  @Test
  void with_wrongNumbers_areRefused() {
    PageWalk<Row> walk = walk("/rows");

    assertThatIllegalArgumentException()
        .isThrownBy(() -> walk.withSize(101))
        .withMessage("size must be 1 to 100, was 101");
    assertThatIllegalArgumentException().isThrownBy(() -> walk.withSize(0));
    assertThatIllegalArgumentException().isThrownBy(() -> walk.withLimit(-1));
    assertThatIllegalArgumentException().isThrownBy(() -> walk.fromOffset(-1));
    assertThatIllegalArgumentException().isThrownBy(() -> walk.fromPage(-1));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"size=0", "size=101", "size=a", "size", "page=-1", "offset=1&offset=2", "size=+5"})
  void list_targetWithWrongNumbers_isRefused(String query) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> walk("/rows?" + query))
        .withMessageContaining(" and given once, was ");
  }

  static Stream<Integer> sizes() {
    return Stream.of(1, 7, 45, 46);
  }

  @ParameterizedTest
  @org.junit.jupiter.params.provider.MethodSource("sizes")
  void items_byAnySize_areTheSame(int size) {
    assertThat(ids(walk("/rows").withSize(size).items())).isEqualTo(TestRows.ids(1, 45));
  }
}
