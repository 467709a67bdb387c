package dev.countersign.server.listings;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.protocol.Reason;
import dev.countersign.server.access.directory.AttributeValue;
import dev.countersign.server.listings.ListingProperties.FieldProperties;
import dev.countersign.server.listings.totals.Totals;
import dev.countersign.server.listings.totals.TotalsMode;
import dev.countersign.server.store.Database;
import dev.countersign.server.store.TestStore;
import dev.countersign.testing.TestThreads;
import dev.countersign.testing.Waits;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.mock.web.MockHttpServletResponse;

/** Listings that keep their totals for a minute, or have none. */
class CachedTotalsTest {
  private static final Map<String, AttributeValue> ANYONE = Map.of();
  private static final Duration LIMIT = Duration.ofSeconds(5);
  private static final TotalsMode FOR_A_MINUTE = new TotalsMode(Duration.ofMinutes(1));

  @TempDir Path directory;
  private final AtomicLong nanos = new AtomicLong();
  private final Totals totals = new Totals(nanos::get, LIMIT);

  private static ListingProperties numbers(String table, TotalsMode mode) {
    return ListingProperties.at("/ledger/v1/numbers")
        .table(table)
        .key("id")
        .unique(ListingProperties.Unique.ASSUMED)
        .fields(
            Map.of(
                "id", FieldProperties.of("integer"), "customerId", FieldProperties.of("integer")))
        .filterable(List.of("id"))
        .totals(mode)
        .build();
  }

  private void create(TestStore store) throws SQLException {
    store.run(
        directory,
        "CREATE TABLE numbers (id bigint PRIMARY KEY, \"customerId\" bigint)",
        "INSERT INTO numbers VALUES (1, 7), (2, 7), (3, 7), (4, 8), (5, 8)");
  }

  private ListingBench bench(Database database, ListingProperties definition) {
    return new ListingBench(database, ListingBench.check(database, definition), totals);
  }

  @ParameterizedTest
  @EnumSource
  void total_ofAListThatGrows_isAtMostAMinuteOldAndFitsThePage(TestStore store) throws Exception {
    try (Database database = store.open(directory)) {
      create(store);
      ListingBench bench = bench(database, numbers("numbers", FOR_A_MINUTE));
      assertThat(bench.ids(ANYONE, "?size=2")).isEqualTo("1 2 of 5");

      store.run(directory, "INSERT INTO numbers VALUES (6, 8), (7, 8), (8, 8)");

      assertThat(bench.ids(ANYONE, "?size=2")).isEqualTo("1 2 of 5");
      assertThat(bench.ids(ANYONE, "?size=2&page=2"))
          .as("a page that shows a sixth record")
          .isEqualTo("5 6 of 7");
      assertThat(bench.ids(ANYONE, "?size=2&page=3")).as("the last page").isEqualTo("7 8 of 8");
      assertThat(bench.ids(ANYONE, "?size=2&id.gte=1")).as("another list").isEqualTo("1 2 of 8");
      nanos.addAndGet(Duration.ofMinutes(1).toNanos());
      assertThat(bench.ids(ANYONE, "?size=2")).as("after a minute").isEqualTo("1 2 of 5");
      nanos.incrementAndGet();
      assertThat(bench.ids(ANYONE, "?size=2")).as("after more than a minute").isEqualTo("1 2 of 8");
    }
  }

  @ParameterizedTest
  @EnumSource
  void total_ofAListThatShrinks_fitsThePage(TestStore store) throws Exception {
    try (Database database = store.open(directory)) {
      create(store);
      ListingBench bench = bench(database, numbers("numbers", FOR_A_MINUTE));
      assertThat(bench.ids(ANYONE, "?size=2")).isEqualTo("1 2 of 5");

      store.run(directory, "DELETE FROM numbers WHERE id > 2");

      assertThat(bench.ids(ANYONE, "?size=1"))
          .as("what the page does not show")
          .isEqualTo("1 of 5");
      assertThat(bench.ids(ANYONE, "?size=1&page=1")).as("the last page").isEqualTo("2 of 2");
      assertThat(bench.ids(ANYONE, "?size=2&page=2")).as("a page past the end").isEqualTo("of 4");
      MockHttpServletResponse last = bench.get(ANYONE, "?size=2");
      assertThat(ListingBench.json(last).get("last").asBoolean()).isTrue();
      assertThat(ListingBench.link(last, "next")).isNull();
    }
  }

  @ParameterizedTest
  @EnumSource
  void total_ofAWalkByCursors_isNeverLessThanThePage(TestStore store) throws Exception {
    try (Database database = store.open(directory)) {
      create(store);
      ListingBench bench = bench(database, numbers("numbers", FOR_A_MINUTE));
      MockHttpServletResponse first = bench.get(ANYONE, "?size=2&after=");
      String next = ListingBench.link(first, "next");
      assertThat(bench.ids(ANYONE, next)).isEqualTo("3 4 of 5");

      store.run(
          directory,
          "INSERT INTO numbers SELECT id + 10, 8 FROM numbers",
          "INSERT INTO numbers SELECT id + 20, 8 FROM numbers");

      assertThat(bench.ids(ANYONE, next.replace("size=2", "size=9")))
          .isEqualTo("3 4 5 11 12 13 14 15 21 of 10");
      assertThat(bench.ids(ANYONE, "?after=")).as("the whole list").endsWith(" of 20");
    }
  }

  @ParameterizedTest
  @EnumSource
  void total_ofAListWithoutTotals_isLeftOut(TestStore store) throws Exception {
    try (Database database = store.open(directory)) {
      create(store);
      ListingBench bench = bench(database, numbers("numbers", TotalsMode.NONE));
      MockHttpServletResponse page = bench.get(ANYONE, "?size=2&page=1");

      assertThat(ListingBench.json(page).propertyNames())
          .doesNotContain("totalElements", "totalPages");
      assertThat(page.getHeader("Link")).doesNotContain("\"last\"").contains("\"next\"");
      assertThat(bench.ids(ANYONE, "?size=2&totals=none")).isEqualTo("1 2 of none");
      assertThat(bench.ids(ANYONE, "?size=2&after=")).isEqualTo("1 2 of none");
      assertThat(bench.refusal(ANYONE, "GET", "?totals=exact", "").reason())
          .isEqualTo(Reason.PARAMETER_INVALID);
    }
  }

  /** A view may decide by the clientId alone. */
  @Test
  void total_ofAViewThatDecidesByTheClientId_isNeverSharedBetweenClients() throws Exception {
    try (Database database = TestStore.POSTGRESQL.open(directory)) {
      create(TestStore.POSTGRESQL);
      TestStore.POSTGRESQL.run(
          directory,
          "CREATE VIEW own_numbers AS SELECT * FROM numbers WHERE \"customerId\" ="
              + " CASE current_setting('countersign.client_id', true) WHEN 'acme' THEN 7 ELSE 8 END");
      ListingBench bench = bench(database, numbers("own_numbers", FOR_A_MINUTE));

      assertThat(bench.ids("acme", "?size=1")).isEqualTo("1 of 3");
      assertThat(bench.ids("globex", "?size=1")).isEqualTo("4 of 2");
      assertThat(bench.ids("acme", "?size=1&page=1")).isEqualTo("2 of 3");
    }
  }

  /**
   * The count takes a second, and a second one on another connection fails, because the lock of the
   * first connection stays.
   */
  @Test
  void total_neededByManyRequests_isNotCountedByTwoAtOnce() throws Exception {
    try (Database database = TestStore.POSTGRESQL.open(directory)) {
      create(TestStore.POSTGRESQL);
      TestStore.POSTGRESQL.run(
          directory,
          """
          CREATE FUNCTION observed() RETURNS boolean LANGUAGE plpgsql VOLATILE AS $$ BEGIN
            IF current_query() LIKE '%SELECT pg_catalog.count(%' THEN
              IF NOT pg_try_advisory_lock(33) THEN RAISE 'counted twice'; END IF;
              PERFORM pg_sleep(0.2);
            END IF;
            RETURN true; END $$""",
          "CREATE VIEW slow_numbers AS SELECT * FROM numbers WHERE observed()");
      ListingBench bench = bench(database, numbers("slow_numbers", FOR_A_MINUTE));
      Callable<String> request = () -> bench.ids(ANYONE, "?size=1");
      List<String> answers = new ArrayList<>();
      try (TestThreads threads = TestThreads.of(8)) {
        for (Future<String> answer : threads.invokeAll(Collections.nCopies(8, request))) {
          answers.add(Waits.forResult(answer));
        }
      }

      assertThat(answers).hasSize(8).containsOnly("1 of 5");
    }
  }
}
