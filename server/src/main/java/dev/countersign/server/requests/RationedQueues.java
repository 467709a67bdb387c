package dev.countersign.server.requests;

import dev.countersign.server.access.outcome.CompletedRequest;
import dev.countersign.server.access.outcome.TrustLevel;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Keeps a queue for each standing ({@link TrustLevel}), so that a flood of requests of one standing
 * does not displace requests of the other standings.
 */
final class RationedQueues {
  private final Map<TrustLevel, RecordQueue> queues = new EnumMap<>(TrustLevel.class);

  /**
   * Creates empty queues.
   *
   * @param capacity the maximum number of requests that wait in all queues together
   * @param rate the maximum number of requests admitted per second by all queues together
   */
  RationedQueues(int capacity, int rate, LongSupplier nanoTime) {
    for (TrustLevel standing : TrustLevel.values()) {
      queues.put(
          standing, new RecordQueue(share(standing, capacity), share(standing, rate), nanoTime));
    }
  }

  void offer(CompletedRequest request) {
    of(request.standing()).offer(request);
  }

  /**
   * Takes the next requests to write. Verified requests are taken first; the batch is sorted by
   * time.
   */
  List<CompletedRequest> drain(int most) {
    List<CompletedRequest> batch = new ArrayList<>();
    queues.values().forEach(queue -> queue.drainTo(batch, most));
    batch.sort(Comparator.comparing(CompletedRequest::time));
    return batch;
  }

  RecordQueue of(TrustLevel standing) {
    RecordQueue queue = queues.get(standing);
    if (queue == null) {
      throw new IllegalStateException("no queue for " + standing);
    }
    return queue;
  }

  /**
   * Returns a standing's share of a number: seven tenths for verified requests, two tenths for
   * requests that only name a client, and one tenth for anonymous requests.
   */
  static int share(TrustLevel standing, int whole) {
    int tenths =
        switch (standing) {
          case VERIFIED -> 7;
          case CLAIMED -> 2;
          case ANONYMOUS -> 1;
        };
    return Math.max(1, (int) ((long) whole * tenths / 10));
  }
}
