package dev.countersign.server.requests.statistics;

import dev.countersign.protocol.Reason;
import dev.countersign.server.access.outcome.CompletedRequest;
import dev.countersign.server.access.outcome.TrustLevel;
import dev.countersign.server.store.Database;
import dev.countersign.server.store.FailureLog;
import java.time.Clock;
import java.util.Comparator;
import java.util.Map;
import java.util.SortedMap;

/**
 * Counts every request, including those without a record, and adds the counts to the counts of
 * other nodes in the store.
 */
public final class Statistics {
  // The maximum number of counters in memory for the reasons, and as many for the durations.
  private static final int MAX_COUNTERS = 100_000;
  // The maximum number of counters in memory for clients.
  private static final int MAX_CLIENT_COUNTERS = 400_000;
  // The counters of a minute are kept for this many minutes, because requests may still be counted
  // in them.
  private static final int MINUTES_OPEN = 3;

  private final CounterMap<CounterKey<String>> outcomes = new CounterMap<>(MAX_COUNTERS);
  private final CounterMap<CounterKey<Integer>> durations = new CounterMap<>(MAX_COUNTERS);
  private final CounterMap<ClientCounterKey> clients = new CounterMap<>(MAX_CLIENT_COUNTERS);
  private final FailureLog failureLog = new FailureLog("statistics of requests are not written");
  private final Database database;
  private final Clock clock;

  public Statistics(Database database, Clock clock) {
    this.database = database;
    this.clock = clock;
  }

  /**
   * The key of a counter for one minute, or in the store for a longer span.
   *
   * @param minute the number of the first minute since 1970
   * @param subject what is counted: a bucket of durations, the word of a reason, or an empty text
   *     for accepted requests
   */
  record CounterKey<T extends Comparable<T>>(long minute, T subject)
      implements Comparable<CounterKey<T>> {
    @Override
    public int compareTo(CounterKey<T> other) {
      int byMinute = Long.compare(minute, other.minute);
      return byMinute != 0 ? byMinute : subject.compareTo(other.subject);
    }
  }

  /**
   * The key of a counter for the requests of one client in ten minutes, or in the store for a
   * longer span.
   *
   * @param firstMinute the number of the first of these minutes since 1970
   * @param refused whether refused requests are counted, or else accepted ones; false in the store,
   *     whose rows count both
   */
  record ClientCounterKey(long firstMinute, String clientId, boolean refused)
      implements Comparable<ClientCounterKey> {
    private static final Comparator<ClientCounterKey> ORDER =
        Comparator.comparingLong(ClientCounterKey::firstMinute)
            .thenComparing(ClientCounterKey::clientId)
            .thenComparing(ClientCounterKey::refused);

    @Override
    public int compareTo(ClientCounterKey other) {
      return ORDER.compare(this, other);
    }
  }

  public void count(CompletedRequest request) {
    long minute = Math.floorDiv(request.time().getEpochSecond(), 60);
    Reason reason = request.reason();
    outcomes.add(new CounterKey<>(minute, reason == null ? "" : reason.word()));
    if (request.trust() == TrustLevel.VERIFIED) {
      durations.add(new CounterKey<>(minute, DurationBuckets.bucketOf(request.duration())));
    }
    String clientId = request.clientId();
    if (request.trust() != TrustLevel.ANONYMOUS && clientId != null) {
      // Ten minutes is the shortest span in which clients are counted.
      clients.add(new ClientCounterKey(minute - minute % 10, clientId, reason != null));
    }
  }

  /**
   * Adds the new counts to the store. If the write fails, the next flush adds them. One thread at a
   * time flushes: two would add the same counts.
   */
  public synchronized void flush() {
    SortedMap<CounterKey<String>, Long> newOutcomes = outcomes.unwritten();
    SortedMap<CounterKey<Integer>, Long> newDurations = durations.unwritten();
    SortedMap<ClientCounterKey, Long> newClients = clients.unwritten();
    if (newOutcomes.isEmpty() && newDurations.isEmpty() && newClients.isEmpty()) {
      return;
    }
    if (failureLog.attempt(() -> write(newOutcomes, newDurations, newClients))) {
      outcomes.markWritten(newOutcomes);
      durations.markWritten(newDurations);
      clients.markWritten(newClients);
      forgetPastMinutes();
    }
  }

  private void write(
      Map<CounterKey<String>, Long> newOutcomes,
      Map<CounterKey<Integer>, Long> newDurations,
      Map<ClientCounterKey, Long> newClients) {
    database.write(
        sql -> {
          StatisticsRows rows = new StatisticsRows(sql);
          rows.addOutcomes(newOutcomes);
          rows.addDurations(newDurations);
          rows.addClients(newClients);
          return rows;
        });
  }

  private void forgetPastMinutes() {
    long firstOpen = Math.floorDiv(clock.instant().getEpochSecond(), 60) - MINUTES_OPEN;
    outcomes.forget(key -> key.minute < firstOpen);
    durations.forget(key -> key.minute < firstOpen);
    clients.forget(key -> key.firstMinute + 10 < firstOpen);
  }
}
