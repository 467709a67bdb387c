package dev.countersign.server.requests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.protocol.Reason;
import dev.countersign.server.LogCapture;
import dev.countersign.server.access.outcome.CompletedRequest;
import dev.countersign.server.access.outcome.TrustLevel;
import dev.countersign.server.clients.TestClock;
import dev.countersign.server.store.Database;
import dev.countersign.server.store.FailureLog;
import dev.countersign.server.store.TestStore;
import dev.countersign.server.store.purge.Purge;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class RetentionTest {
  @TempDir private Path folder;
  private final TestClock clock = new TestClock();
  private final AtomicBoolean fit = new AtomicBoolean(true);
  private final RecordIds ids = new RecordIds(new Random(3));

  @ParameterizedTest
  @EnumSource
  void rows_overTheShareOfATrustLevel_goTheOldestFirst(TestStore store) {
    try (Database main = store.open(folder);
        Database database = main.openBeside("requests")) {
      List<CompletedRequest> requests = new ArrayList<>();
      for (int i = 0; i < 500; i++) {
        requests.add(CompletedRequests.accepted(clock.instant(), "cl-a"));
      }
      for (int i = 0; i < 3_000; i++) {
        requests.add(
            CompletedRequests.refused(
                clock.instant(), TrustLevel.ANONYMOUS, Reason.SIGNATURE_MISSING));
      }
      insert(database, requests);
      List<Long> strangers = idsOf(database, TrustLevel.ANONYMOUS);
      Retention retention = retention(database, Duration.ofDays(30));
      steps(retention, 20);
      assertThat(idsOf(database, TrustLevel.VERIFIED)).hasSize(500);
      assertThat(idsOf(database, TrustLevel.ANONYMOUS)).isEqualTo(strangers.subList(2_900, 3_000));
      assertThat(details(database)).isEqualTo(600);
    }
  }

  @ParameterizedTest
  @MethodSource(TestStore.OF_THIS_RUN)
  void step_withTime_catchesUp(TestStore store) {
    try (Database main = store.open(folder);
        Database database = main.openBeside("requests")) {
      insert(database, strangers(4_600));
      retention(database, Duration.ofDays(30), () -> 0).step(0);
      assertThat(idsOf(database, TrustLevel.ANONYMOUS)).hasSize(100);
    }
  }

  @ParameterizedTest
  @MethodSource(TestStore.OF_THIS_RUN)
  void step_withoutTime_deletesTwiceWhatWasWritten(TestStore store) {
    try (Database main = store.open(folder);
        Database database = main.openBeside("requests")) {
      insert(database, strangers(7_100));
      AtomicLong seconds = new AtomicLong();
      Retention slow =
          retention(
              database,
              Duration.ofDays(30),
              () -> Duration.ofSeconds(seconds.incrementAndGet()).toNanos());
      slow.step(0);
      assertThat(idsOf(database, TrustLevel.ANONYMOUS)).as("nothing was written").hasSize(7_100);
      slow.step(2_000);
      assertThat(idsOf(database, TrustLevel.ANONYMOUS)).hasSize(3_100);
      slow.step(2_000);
      assertThat(idsOf(database, TrustLevel.ANONYMOUS))
          .as("only the rows that are due")
          .hasSize(100);
    }
  }

  /**
   * A step with nothing to do asks the database nothing, so it does not say that it works again.
   */
  @ParameterizedTest
  @MethodSource(TestStore.OF_THIS_RUN)
  void failure_isOverWhenTheDatabaseAnswers(TestStore store) {
    try (Database main = store.open(folder);
        Database database = main.openBeside("requests");
        LogCapture log = LogCapture.of(FailureLog.class)) {
      Retention retention = retention(database, Duration.ofDays(30));
      rename(database, "purge_leases", "gone");
      steps(retention, 3);
      assertThat(log.linesOfThisThread())
          .singleElement()
          .asString()
          .startsWith("old requests are not deleted");

      rename(database, "gone", "purge_leases");
      clock.advance(Duration.ofMinutes(1));
      steps(retention, 1);
      assertThat(log.linesOfThisThread())
          .hasSize(2)
          .last()
          .isEqualTo("resolved: old requests are not deleted");
    }
  }

  private static void rename(Database database, String from, String to) {
    database.write(sql -> sql.sql("ALTER TABLE " + from + " RENAME TO " + to).update());
  }

  private List<CompletedRequest> strangers(int count) {
    return Collections.nCopies(
        count,
        CompletedRequests.refused(clock.instant(), TrustLevel.ANONYMOUS, Reason.SIGNATURE_MISSING));
  }

  @ParameterizedTest
  @MethodSource(TestStore.OF_THIS_RUN)
  void rows_tooOld_go(TestStore store) {
    try (Database main = store.open(folder);
        Database database = main.openBeside("requests")) {
      insert(database, List.of(CompletedRequests.accepted(clock.instant(), "cl-a")));
      clock.advance(Duration.ofMinutes(50));
      insert(database, List.of(CompletedRequests.accepted(clock.instant(), "cl-b")));
      Retention retention = retention(database, Duration.ofHours(1));
      steps(retention, 5);
      assertThat(clients(database)).containsExactly("cl-a", "cl-b");
      clock.advance(Duration.ofMinutes(11));
      steps(retention, 5);
      assertThat(clients(database)).containsExactly("cl-b");
      clock.advance(Duration.ofMinutes(50));
      steps(retention, 5);
      assertThat(idsOf(database, TrustLevel.VERIFIED)).isEmpty();
      assertThat(details(database)).isZero();
    }
  }

  /** Records and statistics of all nodes stay, whatever a node believes whose clock is wrong. */
  @ParameterizedTest
  @MethodSource(TestStore.OF_THIS_RUN)
  void rows_byANodeThatIsNotFit_stay(TestStore store) {
    try (Database main = store.open(folder);
        Database database = main.openBeside("requests")) {
      insert(database, List.of(CompletedRequests.accepted(clock.instant(), "cl-a")));
      insertCounts(database, 1);
      clock.advance(Duration.ofHours(4));
      fit.set(false);
      steps(retention(database, Duration.ofHours(1)), 5);
      assertThat(idsOf(database, TrustLevel.VERIFIED)).hasSize(1);
      assertThat(counts(database)).isEqualTo(1);
      assertThat(leases(database)).as("nor does it take the lease").isZero();

      fit.set(true);
      steps(retention(database, Duration.ofHours(1)), 5);
      assertThat(idsOf(database, TrustLevel.VERIFIED)).isEmpty();
      assertThat(counts(database)).isZero();
    }
  }

  /** PostgreSQL has its own clock. */
  @Test
  void rows_byANodeAMonthAhead_stay() {
    try (Database database = TestStore.POSTGRESQL.open(folder)) {
      clock.advance(Duration.between(clock.instant(), Instant.now()));
      insert(database, List.of(CompletedRequests.accepted(clock.instant(), "cl-a")));
      insertCounts(database, 1);
      clock.advance(Duration.ofDays(31));
      steps(retention(database, Duration.ofHours(1)), 5);
      assertThat(idsOf(database, TrustLevel.VERIFIED)).hasSize(1);
      assertThat(counts(database)).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @EnumSource
  void statistics_tooOld_goInBatches(TestStore store) {
    try (Database main = store.open(folder);
        Database database = main.openBeside("requests")) {
      insertCounts(database, 2_500);
      clock.advance(Duration.ofHours(4));
      insertCounts(database, 10);
      AtomicLong seconds = new AtomicLong();
      LongSupplier slow = () -> Duration.ofSeconds(seconds.incrementAndGet()).toNanos();
      Retention retention = retention(database, Duration.ofDays(30), slow);
      retention.step(500);
      assertThat(counts(database)).as("a batch has a limit").isEqualTo(1_510);
      steps(retention(database, Duration.ofDays(30)), 2);
      assertThat(counts(database)).isEqualTo(10);
    }
  }

  private void insertCounts(Database database, int count) {
    long start = clock.instant().getEpochSecond();
    database.write(
        sql ->
            sql.sql(
                    "INSERT INTO request_counts (span, start, reason, requests)"
                        + " WITH RECURSIVE n (i) AS"
                        + " (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)"
                        + " SELECT 60, ?, 'reason ' || i, 1 FROM n")
                .params(count, start)
                .update());
  }

  private static long counts(Database database) {
    return count(database, "request_counts");
  }

  private static long leases(Database database) {
    return count(database, "purge_leases");
  }

  private static long count(Database database, String table) {
    return database.read(
        sql -> sql.sql("SELECT count(*) FROM " + table).query(Long.class).single());
  }

  @ParameterizedTest
  @MethodSource(TestStore.OF_THIS_RUN)
  void nodes_atOnce_oneDeletesUntilItsLeaseEnds(TestStore store) {
    try (Database main = store.open(folder);
        Database database = main.openBeside("requests")) {
      insert(database, strangers(1_100));
      LongSupplier nanoTime = () -> clock.instant().toEpochMilli() * 1_000_000;
      Retention one = retention(database, Duration.ofDays(30), nanoTime);
      Retention two = retention(database, Duration.ofDays(30), nanoTime, 2);
      one.step(0);
      assertThat(idsOf(database, TrustLevel.ANONYMOUS)).hasSize(100);

      insert(database, strangers(500));
      two.step(0);
      assertThat(idsOf(database, TrustLevel.ANONYMOUS)).as("another's lease").hasSize(600);

      database.write(sql -> sql.sql("UPDATE purge_leases SET until = until - 61000").update());
      clock.advance(Duration.ofSeconds(31));
      two.step(0);
      assertThat(idsOf(database, TrustLevel.ANONYMOUS)).as("the lease ended").hasSize(100);
      insert(database, strangers(500));
      clock.advance(Duration.ofSeconds(31));
      one.step(0);
      assertThat(idsOf(database, TrustLevel.ANONYMOUS)).as("two's lease").hasSize(600);
    }
  }

  private Retention retention(Database database, Duration keepFor) {
    return retention(database, keepFor, System::nanoTime);
  }

  private Retention retention(Database database, Duration keepFor, LongSupplier nanoTime) {
    return retention(database, keepFor, nanoTime, 1);
  }

  private Retention retention(
      Database database, Duration keepFor, LongSupplier nanoTime, long node) {
    Purge purge =
        new Purge(
            database,
            new Purge.Lease("requests", node),
            fit::get,
            clock,
            nanoTime,
            Purge.MAX_BATCH);
    return new Retention(
        database,
        new RequestProperties(RequestProperties.Log.ALL, keepFor, 1_000, 1_000),
        purge,
        clock,
        nanoTime);
  }

  private static void steps(Retention retention, int count) {
    for (int i = 0; i < count; i++) {
      retention.step(0);
    }
  }

  private void insert(Database database, List<CompletedRequest> requests) {
    RecordSearchTest.insert(database, requests, ids);
  }

  private static List<String> clients(Database database) {
    return database.read(
        sql ->
            sql.sql("SELECT client_id FROM request_records ORDER BY id")
                .query(String.class)
                .list());
  }

  private static List<Long> idsOf(Database database, TrustLevel trust) {
    return database.read(
        sql ->
            sql.sql("SELECT id FROM request_records WHERE standing = ? ORDER BY id")
                .param(RecordRows.number(trust))
                .query(Long.class)
                .list());
  }

  private static long details(Database database) {
    return database.read(
        sql -> sql.sql("SELECT count(*) FROM request_details").query(Long.class).single());
  }
}
