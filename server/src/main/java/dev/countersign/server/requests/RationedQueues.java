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
 * A queue for each {@link TrustLevel}, so that a flood of requests of one level does not displace
 * requests of the other levels.
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
    for (TrustLevel trust : TrustLevel.values()) {
      queues.put(trust, new RecordQueue(share(trust, capacity), share(trust, rate), nanoTime));
    }
  }

  void offer(CompletedRequest request) {
    queue(request.trust()).offer(request);
  }

  /**
   * Takes at most {@code limit} requests to write, verified requests first. Returns them sorted by
   * time.
   */
  List<CompletedRequest> drain(int limit) {
    List<CompletedRequest> batch = new ArrayList<>();
    queues.values().forEach(queue -> queue.drainTo(batch, limit));
    batch.sort(Comparator.comparing(CompletedRequest::time));
    return batch;
  }

  RecordQueue queue(TrustLevel trust) {
    RecordQueue queue = queues.get(trust);
    if (queue == null) {
      throw new IllegalStateException("no queue for " + trust);
    }
    return queue;
  }

  /**
   * Returns a trust level's share of a number: seven tenths for verified requests, two tenths for
   * requests that only name a client, and one tenth for anonymous requests.
   */
  static int share(TrustLevel trust, int whole) {
    int tenths =
        switch (trust) {
          case VERIFIED -> 7;
          case CLAIMED -> 2;
          case ANONYMOUS -> 1;
        };
    return Math.max(1, (int) ((long) whole * tenths / 10));
  }
}
