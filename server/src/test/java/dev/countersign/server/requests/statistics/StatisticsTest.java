package dev.countersign.server.requests.statistics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.protocol.Reason;
import dev.countersign.server.access.outcome.TrustLevel;
import dev.countersign.server.clients.ClientSearch;
import dev.countersign.server.clients.TestClock;
import dev.countersign.server.requests.CompletedRequests;
import dev.countersign.server.requests.RequestHistory;
import dev.countersign.server.requests.RequestProperties;
import dev.countersign.server.requests.statistics.Overview.ClientCount;
import dev.countersign.server.requests.statistics.Overview.Point;
import dev.countersign.server.store.Database;
import dev.countersign.server.store.TestStore;
import dev.countersign.testing.Waits;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Overviews count every request exactly, whichever node writes it and whenever. */
class StatisticsTest {
  @TempDir private Path folder;
  private final TestClock clock = new TestClock();

  @ParameterizedTest
  @EnumSource
  void overview_ofAnHour_hasEachMinuteAndReason(TestStore store) {
    try (Database main = store.open(folder);
        Database database = main.openBeside("requests")) {
      Statistics statistics = new Statistics(database, clock);
      Instant start = clock.instant();
      count(statistics, start, 3);
      statistics.flush();
      count(statistics, start, 2);
      clock.advance(Duration.ofMinutes(5));
      count(statistics, clock.instant(), 7);
      for (int i = 0; i < 4; i++) {
        statistics.count(
            CompletedRequests.refused(
                clock.instant(), TrustLevel.ANONYMOUS, Reason.SIGNATURE_MISSING));
      }
      statistics.count(
          CompletedRequests.refused(clock.instant(), TrustLevel.VERIFIED, Reason.ROLE_MISSING));
      statistics.flush();
      statistics.flush();
      clock.advance(Duration.ofSeconds(30));

      Overview hour = new OverviewReader(database, clock).of(Period.HOUR);
      assertThat(hour.points()).hasSize(60);
      Point first = hour.points().get(54);
      assertThat(first.start()).isEqualTo(start);
      assertThat(first.accepted()).isEqualTo(5);
      assertThat(first.refused()).isZero();
      Point last = hour.points().get(59);
      assertThat(last.accepted()).isEqualTo(7);
      assertThat(last.refused()).isEqualTo(5);
      assertThat(last.length()).isEqualTo(Duration.ofSeconds(30));
      assertThat(last.acceptedPerMinute()).isEqualTo(14);
      assertThat(hour.accepted()).isEqualTo(12);
      assertThat(hour.refusals())
          .containsExactly(
              Map.entry(Reason.SIGNATURE_MISSING, 4L), Map.entry(Reason.ROLE_MISSING, 1L));
      assertThat(hour.busiest()).containsExactly(new ClientCount("cl-a", 13, 1));
      for (Period longer : List.of(Period.DAY, Period.WEEK)) {
        Overview overview = new OverviewReader(database, clock).of(longer);
        assertThat(overview.accepted()).isEqualTo(12);
        assertThat(overview.refused()).isEqualTo(5);
        assertThat(overview.busiest()).isEqualTo(hour.busiest());
        assertThat(overview.latency()).isEqualTo(hour.latency());
      }
    }
  }

  @ParameterizedTest
  @MethodSource(TestStore.OF_THIS_RUN)
  void counts_ofTwoNodesWithManyThreads_addUp(TestStore store) throws Exception {
    try (Database main = store.open(folder);
        Database one = main.openBeside("requests");
        Database two = main.openBeside("requests")) {
      List<Statistics> nodes = List.of(new Statistics(one, clock), new Statistics(two, clock));
      List<CompletableFuture<Void>> work = new ArrayList<>();
      for (Statistics node : nodes) {
        for (int thread = 0; thread < 4; thread++) {
          work.add(CompletableFuture.runAsync(() -> count(node, clock.instant(), 20_000)));
        }
        work.add(
            CompletableFuture.runAsync(
                () -> {
                  for (int i = 0; i < 20; i++) {
                    node.flush();
                  }
                }));
      }
      for (CompletableFuture<Void> count : work) {
        Waits.forResult(count);
      }
      nodes.forEach(Statistics::flush);
      Overview hour = new OverviewReader(one, clock).of(Period.HOUR);
      assertThat(hour.accepted()).isEqualTo(160_000);
      assertThat(hour.busiest()).containsExactly(new ClientCount("cl-a", 160_000, 0));
    }
  }

  @ParameterizedTest
  @MethodSource(TestStore.OF_THIS_RUN)
  void counts_whileTheStoreFails_areAddedLater(TestStore store) {
    try (Database main = store.open(folder);
        Database database = main.openBeside("requests")) {
      Statistics statistics = new Statistics(database, clock);
      count(statistics, clock.instant(), 3);
      // The last of the tables, so that the previous writes must be rolled back.
      execute(database, "ALTER TABLE request_clients RENAME TO elsewhere");
      statistics.flush();
      clock.advance(Duration.ofMinutes(20));
      statistics.flush();
      execute(database, "ALTER TABLE elsewhere RENAME TO request_clients");
      count(statistics, clock.instant(), 2);
      statistics.flush();
      Overview hour = new OverviewReader(database, clock).of(Period.HOUR);
      assertThat(hour.points().get(39).accepted()).isEqualTo(3);
      assertThat(hour.points().get(59).accepted()).isEqualTo(2);
    }
  }

  /** At its end, a service flushes although the last periodic flush may still be running. */
  @Test
  void flushes_atTheSameTime_writeEachCountOnce() throws Exception {
    try (Database main = TestStore.SQLITE.open(folder);
        Database database = main.openBeside("requests")) {
      Statistics statistics = new Statistics(database, clock);
      // Loads the classes of a flush, so that no thread below waits for that.
      statistics.flush();
      count(statistics, clock.instant(), 3);
      List<Thread> flushes =
          database.write(
              sql -> {
                // This transaction has the only connection that writes.
                List<Thread> started =
                    List.of(
                        Thread.ofPlatform().daemon().start(statistics::flush),
                        Thread.ofPlatform().daemon().start(statistics::flush));
                Awaitility.await().until(() -> started.stream().allMatch(StatisticsTest::waits));
                return started;
              });
      for (Thread flush : flushes) {
        Waits.forEnd(flush);
      }
      // Adds what a flush could not write because it waited too long for the connection.
      statistics.flush();
      assertThat(new OverviewReader(database, clock).of(Period.HOUR).accepted()).isEqualTo(3);
    }
  }

  private static boolean waits(Thread thread) {
    return thread.getState() != Thread.State.NEW && thread.getState() != Thread.State.RUNNABLE;
  }

  @ParameterizedTest
  @MethodSource(TestStore.OF_THIS_RUN)
  void history_closedAndOpenedAgain_hasCountedAll(TestStore store) {
    for (int run = 0; run < 3; run++) {
      try (Database main = store.open(folder);
          RequestHistory history =
              RequestHistory.open(
                  main,
                  new RequestProperties(
                      RequestProperties.Log.NONE, Duration.ofDays(1), 1_000, 1_000),
                  () -> true,
                  clock)) {
        for (int i = 0; i < 5; i++) {
          history.observer().completed(CompletedRequests.accepted(clock.instant(), "cl-a"));
        }
      }
    }
    try (Database main = store.open(folder);
        RequestHistory history =
            RequestHistory.open(
                main,
                new RequestProperties(RequestProperties.Log.NONE, Duration.ofDays(1), 1_000, 1_000),
                () -> true,
                clock)) {
      assertThat(history.overviews().of(Period.DAY).accepted()).isEqualTo(15);
      assertThat(history.records().latest()).as("log: none").isZero();
      assertThat(new ClientSearch(main, clock).lastUses("cl-a"))
          .containsEntry("SHA256:cl-a", clock.instant());
    }
  }

  @ParameterizedTest
  @MethodSource(TestStore.OF_THIS_RUN)
  void latency_isWithinFivePercent(TestStore store) {
    try (Database main = store.open(folder);
        Database database = main.openBeside("requests")) {
      Statistics statistics = new Statistics(database, clock);
      for (int i = 1; i <= 1_000; i++) {
        statistics.count(
            CompletedRequests.withDuration(
                CompletedRequests.accepted(clock.instant(), "cl-a"),
                Duration.ofNanos(i * 1_000_000L)));
      }
      // As fast as a refusal can be, without the latencies of callers.
      for (int i = 0; i < 10_000; i++) {
        statistics.count(
            CompletedRequests.refused(
                clock.instant(), TrustLevel.ANONYMOUS, Reason.SIGNATURE_MISSING));
      }
      statistics.flush();
      Overview.Latency latency = new OverviewReader(database, clock).of(Period.HOUR).latency();
      assertThat(latency).isNotNull();
      assertThat((double) latency.p50().toNanos()).isBetween(0.95 * 500e6, 1.05 * 500e6);
      assertThat((double) latency.p99().toNanos()).isBetween(0.95 * 990e6, 1.05 * 990e6);
    }
  }

  @Test
  void buckets_middle_isWithinFivePercentOfAllInIt() {
    for (long micros = 11; micros < 900_000_000L; micros += 1 + micros / 97) {
      Duration duration = Duration.ofNanos(micros * 1_000);
      double middle =
          DurationBuckets.middle(DurationBuckets.bucketOf(duration)).toNanos() / 1_000.0;
      assertThat(Math.abs(middle - micros) / micros).as("%d", micros).isLessThan(0.05);
    }
    assertThat(DurationBuckets.bucketOf(Duration.ZERO)).isZero();
    assertThat(DurationBuckets.bucketOf(Duration.ofDays(7))).isEqualTo(DurationBuckets.COUNT - 1);
  }

  @Test
  void tally_full_countsNoFurtherKey() {
    CounterMap<Integer> counterMap = new CounterMap<>(2);
    List.of(1, 2, 3, 1).forEach(counterMap::add);
    assertThat(counterMap.unwritten()).isEqualTo(Map.of(1, 2L, 2, 1L));
    counterMap.markWritten(counterMap.unwritten());
    counterMap.forget(key -> key == 1);
    counterMap.add(3);
    assertThat(counterMap.unwritten()).isEqualTo(Map.of(3, 1L));
  }

  private static void count(Statistics statistics, Instant time, int times) {
    for (int i = 0; i < times; i++) {
      statistics.count(CompletedRequests.accepted(time, "cl-a"));
    }
  }

  private static void execute(Database database, String statement) {
    database.write(sql -> sql.sql(statement).update());
  }
}
