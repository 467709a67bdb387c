package dev.countersign.server.store.purge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.server.clients.TestClock;
import dev.countersign.server.store.Database;
import dev.countersign.server.store.TestStore;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class PurgeTest {
  private static final BooleanSupplier NEVER = () -> false;

  @TempDir private Path folder;
  private final TestClock clock = new TestClock();
  private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 10);
  private final AtomicBoolean fit = new AtomicBoolean(true);
  private final List<Integer> limits = new ArrayList<>();

  @Test
  void run_manyRows_growsTheBatchesAndEndsWhenNothingIsDue() {
    try (Database database = TestStore.SQLITE.open(folder)) {
      long deleted = purge(database, 1).run(List.of(batch(2_250, Duration.ofMillis(1))), NEVER);
      assertThat(deleted).isEqualTo(2_250);
      assertThat(limits).containsExactly(100, 200, 400, 800, 1_000);
    }
  }

  @Test
  void run_slowBatches_staySmallAndEndAfterTwentySeconds() {
    try (Database database = TestStore.SQLITE.open(folder)) {
      purge(database, 1).run(List.of(batch(1_000_000, Duration.ofSeconds(3))), NEVER);
      assertThat(limits).hasSize(7).containsOnly(100);
    }
  }

  /** A deletion that becomes slow holds up the writers of the file for less time each. */
  @Test
  void run_batchThatTakesLonger_isFollowedByASmallerOne() {
    try (Database database = TestStore.SQLITE.open(folder)) {
      Purge.Batch quick = batch(1_500, Duration.ofMillis(1));
      Purge.Batch slow = batch(1_500, Duration.ofMillis(21));
      purge(database, 1)
          .run(
              List.of(
                  (sql, now, limit) -> (limits.size() < 3 ? quick : slow).delete(sql, now, limit)),
              NEVER);
      assertThat(limits).startsWith(100, 200, 400, 800, 400, 200, 100);
    }
  }

  /** A distant PostgreSQL is slow in any case, and nobody waits for a batch. */
  @Test
  void run_slowBatchesOfPostgresql_grow() {
    try (Database database = TestStore.POSTGRESQL.open(folder)) {
      purge(database, 1).run(List.of(batch(2_250, Duration.ofMillis(50))), NEVER);
      assertThat(limits).containsExactly(100, 200, 400, 800, 1_000);
    }
  }

  @Test
  void run_severalKinds_takesTurns() {
    try (Database database = TestStore.SQLITE.open(folder)) {
      List<String> turns = new ArrayList<>();
      Purge.Batch one = counted(turns, "one", batch(250, Duration.ZERO));
      Purge.Batch two = counted(turns, "two", batch(50, Duration.ZERO));
      assertThat(purge(database, 1).run(List.of(one, two), NEVER)).isEqualTo(300);
      assertThat(turns).containsExactly("one", "two", "one");
    }
  }

  @Test
  void run_serviceThatStops_endsAfterTheBatch() {
    try (Database database = TestStore.SQLITE.open(folder)) {
      purge(database, 1).run(List.of(batch(10_000, Duration.ZERO)), () -> limits.size() == 2);
      assertThat(limits).hasSize(2);
    }
  }

  @Test
  void run_nodeThatBecomesUnfit_endsAfterTheBatch() {
    try (Database database = TestStore.SQLITE.open(folder)) {
      Purge.Batch batch = batch(10_000, Duration.ZERO);
      Purge.Batch last =
          (sql, now, limit) -> {
            fit.set(false);
            return batch.delete(sql, now, limit);
          };
      purge(database, 1).run(List.of(last), NEVER);
      assertThat(limits).hasSize(1);
    }
  }

  @ParameterizedTest
  @EnumSource
  void lease_isHeldByOneNodeUntilItEnds(TestStore store) throws Exception {
    try (Database database = store.open(folder)) {
      Purge one = purge(database, 1);
      Purge two = purge(database, 2);
      assertThat(one.acquireLease()).isTrue();
      assertThat(two.acquireLease()).isFalse();
      nanos.addAndGet(Duration.ofSeconds(11).toNanos());
      assertThat(one.acquireLease()).as("renewed").isTrue();
      assertThat(
              new Purge(database, new Purge.Lease("b", 2), fit::get, clock, nanos::get, 9)
                  .acquireLease())
          .as("of another kind")
          .isTrue();

      fit.set(false);
      assertThat(one.acquireLease()).isFalse();
      String schema = store == TestStore.SQLITE ? "" : "countersign.";
      store.run(folder, "UPDATE " + schema + "purge_leases SET until = until - 61000");
      assertThat(two.acquireLease()).as("not fit").isFalse();
      fit.set(true);
      assertThat(two.acquireLease()).isTrue();
      nanos.addAndGet(Duration.ofSeconds(11).toNanos());
      assertThat(one.acquireLease()).isFalse();
    }
  }

  @Test
  void now_isTheEarlierClock() {
    try (Database database = TestStore.POSTGRESQL.open(folder)) {
      assertThat(purge(database, 1).now()).as("behind").isEqualTo(clock.instant());
      clock.advance(Duration.between(clock.instant(), Instant.now()).plusDays(31));
      assertThat(purge(database, 1).now())
          .as("ahead")
          .isBefore(clock.instant().minusSeconds(86_400));
    }
  }

  /** Rows that nobody needs any more must not make the service read those that it needs. */
  @ParameterizedTest
  @CsvSource({"SQLITE, true", "SQLITE, false", "POSTGRESQL, true", "POSTGRESQL, false"})
  void deletion_ofManyRows_readsOnlyTheFirst(TestStore store, boolean analyzed) throws Exception {
    try (Database database = store.open(folder)) {
      database.write(
          sql ->
              sql.sql(
                      "INSERT INTO replay_claims (client_id, digest, kept_until, created, attempt)"
                          + " WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n"
                          + " WHERE i < 20000)"
                          + " SELECT 'acme', 'd' || i, i, i, 'a' FROM n")
                  .update());
      if (analyzed) {
        store.run(folder, "ANALYZE");
      }
      String statement =
          new Purge.Rows(
                  "replay_claims",
                  "client_id, digest",
                  "kept_until >= 0",
                  "kept_until",
                  "kept_until < 15",
                  ", kept_until")
              .deletion(database.dialect(), 1_000);
      boolean embedded = store == TestStore.SQLITE;
      List<String> plan =
          database.read(
              sql ->
                  sql.sql((embedded ? "EXPLAIN QUERY PLAN " : "EXPLAIN ") + statement)
                      .query((row, number) -> row.getString(embedded ? 4 : 1))
                      .list());
      assertThat(String.join("\n", plan)).contains("replay_claims_kept_until");
      if (analyzed) {
        // Otherwise PostgreSQL takes the table for a small one, and a scan for as good.
        assertThat(String.join("\n", plan)).doesNotContain("Seq Scan", "SCAN replay_claims");
      }
      assertThat(database.<Integer>write(sql -> sql.sql(statement).update())).isEqualTo(14);
    }
  }

  private Purge purge(Database database, long node) {
    return new Purge(
        database, new Purge.Lease("a", node), fit::get, clock, nanos::get, Purge.MAX_BATCH);
  }

  /** Pretends to delete rows, a batch in this time. */
  private Purge.Batch batch(int rows, Duration time) {
    AtomicLong left = new AtomicLong(rows);
    return (sql, now, limit) -> {
      limits.add(limit);
      nanos.addAndGet(time.toNanos());
      long deleted = Math.min(limit, left.get());
      left.addAndGet(-deleted);
      return (int) deleted;
    };
  }

  private static Purge.Batch counted(List<String> turns, String name, Purge.Batch batch) {
    return (sql, now, limit) -> {
      turns.add(name);
      return batch.delete(sql, now, limit);
    };
  }
}
