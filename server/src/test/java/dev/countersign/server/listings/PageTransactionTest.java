package dev.countersign.server.listings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.benmanes.caffeine.cache.Ticker;
import dev.countersign.pagination.PageRequest;
import dev.countersign.protocol.Reason;
import dev.countersign.server.access.directory.AttributeValue;
import dev.countersign.server.access.outcome.Denial;
import dev.countersign.server.listings.ListingProperties.FieldProperties;
import dev.countersign.server.listings.totals.Totals;
import dev.countersign.server.store.Database;
import dev.countersign.server.store.StoreUnavailableException.CountTimeout;
import dev.countersign.server.store.TestStore;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import tools.jackson.databind.JsonNode;

/** When a page is read and when its list is counted, which a function of the view observes. */
@ExtendWith(OutputCaptureExtension.class)
class PageTransactionTest {
  private static final Map<String, AttributeValue> ANYONE = Map.of();

  private static final ListingProperties NUMBERS =
      ListingProperties.at("/ledger/v1/numbers")
          .table("observed_numbers")
          .key("id")
          .unique(ListingProperties.Unique.ASSUMED)
          .fields(Map.of("id", FieldProperties.of("integer")))
          .build();

  @TempDir Path directory;

  /** Creates a view over a table of 30 rows that calls a function for each row that is read. */
  private void create(String function) throws SQLException {
    TestStore.POSTGRESQL.run(
        directory,
        "CREATE TABLE numbers (id bigint PRIMARY KEY)",
        "INSERT INTO numbers (id) SELECT generate_series(1, 30)",
        "CREATE FUNCTION observed() RETURNS boolean LANGUAGE plpgsql VOLATILE AS $$ BEGIN "
            + function
            + " RETURN true; END $$",
        "CREATE VIEW observed_numbers AS SELECT id FROM numbers WHERE observed()");
  }

  private static ListingBench bench(Database database) {
    return new ListingBench(database, NUMBERS);
  }

  @ParameterizedTest
  @ValueSource(strings = {"size=31", "page=1&size=20", "offset=29&size=2"})
  void page_thatShowsTheEnd_isNotCounted(String query) throws Exception {
    try (Database database = TestStore.POSTGRESQL.open(directory)) {
      create("IF current_query() LIKE '%SELECT pg_catalog.count(%' THEN RAISE 'counted'; END IF;");
      assertThat(bench(database).page(ANYONE, "?" + query).get("totalElements").asInt())
          .isEqualTo(30);
      assertThat(bench(database).refusal(ANYONE, "GET", "?size=30", "").reason())
          .as("a full page")
          .isEqualTo(Reason.INTERNAL_ERROR);
      assertThat(bench(database).ids(ANYONE, "?size=3&totals=none")).isEqualTo("1 2 3 of none");
    }
  }

  /** A serialization failure ends the transaction; the lock survives that, so it happens once. */
  @Test
  void page_whoseCountIsRepeated_hasEachRecordOnce() throws Exception {
    try (Database database = TestStore.POSTGRESQL.open(directory)) {
      create(
          """
          IF current_query() LIKE '%SELECT pg_catalog.count(%'
              AND NOT EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND objid = 33) THEN
            PERFORM pg_advisory_lock(33);
            RAISE 'conflict' USING ERRCODE = '40001';
          END IF;
          """);
      ListingBench bench = bench(database);
      assertThat(bench.ids(ANYONE, "?size=3")).isEqualTo("1 2 3 of 30");
      assertThat(
              database.<Boolean>read(
                  sql ->
                      sql.sql("SELECT EXISTS (SELECT FROM pg_locks WHERE objid = 33)")
                          .query(Boolean.class)
                          .single()))
          .as("the count has failed once")
          .isTrue();
    }
  }

  @Test
  void page_farFromTheStart_isCountedFirst() throws Exception {
    try (Database database = TestStore.POSTGRESQL.open(directory)) {
      create("IF current_query() LIKE '%LIMIT 20%' THEN RAISE 'read'; END IF;");
      ListingBench bench = bench(database);
      assertThat(bench.ids(ANYONE, "?offset=1000")).isEqualTo("of 30");
    }
  }

  @Test
  void page_whoseCountTakesTooLong_isRefusedWithoutRetryAfter(CapturedOutput output)
      throws Exception {
    try (Database database = TestStore.POSTGRESQL.open(directory)) {
      create(
          "IF current_query() LIKE '%SELECT pg_catalog.count(%' THEN PERFORM pg_sleep(60); END IF;");
      Totals totals = new Totals(Ticker.systemTicker(), Duration.ofSeconds(1));
      ListingCatalog catalog = ListingBench.check(database, NUMBERS);
      ListingBench bench = new ListingBench(database, catalog, totals);
      for (int attempt = 0; attempt < 2; attempt++) {
        assertUncounted(bench.refusal(ANYONE, "GET", "?size=3", ""));
      }
      assertThat(bench.ids(ANYONE, "?size=3&totals=none")).isEqualTo("1 2 3 of none");
      Awaitility.await()
          .until(
              () -> totals.slowCountAdvice("/ledger/v1/numbers"),
              Optional.of("public.observed_numbers is a view: create an index on a table behind it")
                  ::equals);
      // It would be counted now, but is not tried.
      TestStore.POSTGRESQL.run(
          directory, "CREATE OR REPLACE VIEW observed_numbers AS SELECT id FROM numbers");
      assertUncounted(bench.refusal(ANYONE, "GET", "?size=3", ""));
      assertUncounted(bench.refusal(ANYONE, "HEAD", "?size=3", ""));
      assertThat(output.getAll().lines().filter(line -> line.contains("cannot count")))
          .as("lines of the log")
          .hasSize(1);
    }
  }

  private static void assertUncounted(Denial refused) {
    assertThat(refused.reason()).isEqualTo(Reason.TOTAL_UNAVAILABLE);
    assertThat(refused.detail()).contains("totals=none");
    assertThat(refused.headers()).doesNotContainKey("Retry-After");
  }

  @ParameterizedTest
  @CsvSource({
    "offset=999&size=20,  false",
    "offset=1000&size=20, true",
    "page=50&size=20,     true",
    "after=&size=20,      false",
  })
  void page_thatTakesTooLong_isRefusedWithTheWayToReadOnIfItIsFar(String query, boolean isFar)
      throws Exception {
    try (Database database = TestStore.POSTGRESQL.open(directory)) {
      create("RAISE 'canceled' USING ERRCODE = 'query_canceled';");
      Denial refused = bench(database).refusal(ANYONE, "GET", "?" + query + "&totals=none", "");
      assertThat(refused.reason()).isEqualTo(Reason.OVERLOADED);
      assertThat(refused.headers()).containsEntry("Retry-After", "1");
      assertThat(refused.detail())
          .isEqualTo(
              "the store cannot answer at the moment; try again"
                  + (isFar ? ", or walk the list with after" : ""));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"size=20", "offset=980&size=20", "offset=981&size=20"})
  void count_ofAnyPage_hasFiveSecondsAndThePageTheRest(String query) throws Exception {
    try (Database database = TestStore.POSTGRESQL.open(directory)) {
      create(
          """
          IF current_query() LIKE '%SELECT pg_catalog.count(%'
              AND current_setting('statement_timeout') <> '5s' THEN
            RAISE 'the count has %', current_setting('statement_timeout');
          ELSIF current_query() LIKE '%LIMIT 20%'
              AND current_setting('statement_timeout') <> '9s' THEN
            RAISE 'the page has %', current_setting('statement_timeout');
          END IF;
          """);
      TestStore.POSTGRESQL.run(
          directory, "INSERT INTO numbers (id) SELECT generate_series(31, 1234)");
      assertThat(bench(database).page(ANYONE, "?" + query).get("totalElements").asInt())
          .isEqualTo(1234);
    }
  }

  /** The count must read rows that cost minutes, which the page does not. */
  @ParameterizedTest
  @EnumSource
  void count_ofSlowRows_endsAfterItsTimeAndLeavesTheConnectionUsable(TestStore store)
      throws Exception {
    try (Database database = store.open(directory)) {
      String endless =
          "(WITH RECURSIVE n(x) AS (SELECT id UNION ALL SELECT x + 1 FROM n WHERE x < 1000000000)"
              + " SELECT count(*) FROM n)";
      store.run(
          directory,
          "CREATE TABLE numbers (id bigint PRIMARY KEY)",
          "INSERT INTO numbers (id) WITH RECURSIVE n(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM"
              + " n WHERE id < 30) SELECT id FROM n",
          "CREATE VIEW observed_numbers AS SELECT id FROM numbers WHERE CASE WHEN id <= 20 THEN 1"
              + " ELSE "
              + endless
              + " END > 0");
      Listing listing = Definitions.check(List.of(NUMBERS), database).all().getFirst();
      Totals totals = new Totals(Ticker.systemTicker(), Duration.ofSeconds(1));
      ListingStore numbers = new ListingStore(listing, database, totals);
      PageRequest request = PageRequest.ofPage(0, 10);
      assertThatThrownBy(() -> read(numbers, request))
          .isInstanceOf(CountTimeout.class)
          .hasMessage("a count took longer than 1 s");
      ListingStore.WrittenPage page = read(numbers, request.withoutTotals());
      assertThat(page.written()).isEqualTo(10);
      assertThat(page.total()).isEmpty();
      assertThat(page.hasNext()).isTrue();
    }
  }

  private static ListingStore.WrittenPage read(ListingStore store, PageRequest request) {
    JsonAnswer json = new JsonAnswer();
    return store.page(
        Calls.scope(store.listing()), store.requestedPage(request, Filters.NONE), json::beginPage);
  }

  /** Pages on both sides of the place from which the list is counted before a page is read. */
  @ParameterizedTest
  @EnumSource
  void pages_aroundTheThousandthRecord_walkTheList(TestStore store) throws Exception {
    try (Database database = store.open(directory)) {
      store.run(
          directory,
          "CREATE TABLE observed_numbers (id bigint PRIMARY KEY)",
          "INSERT INTO observed_numbers (id) WITH RECURSIVE n(id) AS (SELECT 1 UNION ALL SELECT"
              + " id + 1 FROM n WHERE id < 1234) SELECT id FROM n");
      ListingBench bench = new ListingBench(database, NUMBERS);
      for (String totals : List.of("", "&totals=none")) {
        List<Integer> walked = new ArrayList<>();
        JsonNode page;
        do {
          String query = "?size=99&page=" + walked.size() / 99 + totals;
          page = bench.page(ANYONE, query);
          page.get("content").forEach(row -> walked.add(row.get("id").asInt()));
          assertThat(page.path("totalElements").asInt(1234)).isEqualTo(1234);
        } while (!page.get("last").asBoolean());
        assertThat(walked).isEqualTo(IntStream.rangeClosed(1, 1234).boxed().toList());
      }
    }
  }
}
