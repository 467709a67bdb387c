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
  // The maximum number of counters in memory: this many for reasons, and this many for durations.
  private static final int MOST_KEYS = 100_000;
  // The maximum number of counters in memory for clients.
  private static final int MOST_CLIENTS = 400_000;
  // The counters of a minute are kept for this many minutes, because requests may still be counted
  // in them.
  private static final int MINUTES_OPEN = 3;

  private final CounterMap<Slot<String>> outcomes = new CounterMap<>(MOST_KEYS);
  private final CounterMap<Slot<Integer>> durations = new CounterMap<>(MOST_KEYS);
  private final CounterMap<ClientSlot> clients = new CounterMap<>(MOST_CLIENTS);
  private final FailureLog failureLog = new FailureLog("statistics of requests are not written");
  private final Database database;
  private final Clock clock;

  public Statistics(Database database, Clock clock) {
    this.database = database;
    this.clock = clock;
  }

  /**
   * A counter for one minute.
   *
   * @param minute the minute since 1970
   * @param of what is counted: a bucket of durations, the word of a reason, or an empty text for
   *     accepted requests
   */
  record Slot<T extends Comparable<T>>(long minute, T of) implements Comparable<Slot<T>> {
    @Override
    public int compareTo(Slot<T> other) {
      int byMinute = Long.compare(minute, other.minute);
      return byMinute != 0 ? byMinute : of.compareTo(other.of);
    }
  }

  /** A counter for the refused or accepted requests of one client, within ten minutes. */
  record ClientSlot(long minute, String clientId, boolean refused)
      implements Comparable<ClientSlot> {
    private static final Comparator<ClientSlot> ORDER =
        Comparator.comparingLong(ClientSlot::minute)
            .thenComparing(ClientSlot::clientId)
            .thenComparing(ClientSlot::refused);

    @Override
    public int compareTo(ClientSlot other) {
      return ORDER.compare(this, other);
    }
  }

  public void count(CompletedRequest request) {
    long minute = Math.floorDiv(request.time().getEpochSecond(), 60);
    Reason reason = request.reason();
    outcomes.add(new Slot<>(minute, reason == null ? "" : reason.word()));
    if (request.trust() == TrustLevel.VERIFIED) {
      durations.add(new Slot<>(minute, DurationBuckets.of(request.duration())));
    }
    String clientId = request.clientId();
    if (request.trust() != TrustLevel.ANONYMOUS && clientId != null) {
      // Ten minutes is the shortest span in which clients are counted.
      clients.add(new ClientSlot(minute - minute % 10, clientId, reason != null));
    }
  }

  /** Adds the new counts to the store. If the write fails, the next flush adds them. */
  public void flush() {
    SortedMap<Slot<String>, Long> newOutcomes = outcomes.unwritten();
    SortedMap<Slot<Integer>, Long> newDurations = durations.unwritten();
    SortedMap<ClientSlot, Long> newClients = clients.unwritten();
    if (newOutcomes.isEmpty() && newDurations.isEmpty() && newClients.isEmpty()) {
      return;
    }
    if (failureLog.attempt(() -> write(newOutcomes, newDurations, newClients))) {
      outcomes.written(newOutcomes);
      durations.written(newDurations);
      clients.written(newClients);
      forget();
    }
  }

  private void write(
      Map<Slot<String>, Long> newOutcomes,
      Map<Slot<Integer>, Long> newDurations,
      Map<ClientSlot, Long> newClients) {
    database.write(
        sql -> {
          StatisticsRows rows = new StatisticsRows(sql);
          rows.addOutcomes(newOutcomes);
          rows.addDurations(newDurations);
          rows.addClients(newClients);
          return rows;
        });
  }

  private void forget() {
    long open = Math.floorDiv(clock.instant().getEpochSecond(), 60) - MINUTES_OPEN;
    outcomes.forget(slot -> slot.minute < open);
    durations.forget(slot -> slot.minute < open);
    clients.forget(slot -> slot.minute + 10 < open);
  }
}
