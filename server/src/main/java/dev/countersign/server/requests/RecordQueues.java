package dev.countersign.server.requests;

import dev.countersign.server.access.outcome.EndedRequest;
import dev.countersign.server.access.outcome.Standing;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/** Keeps a queue for each standing, so that a flood of one does not displace the others. */
final class RecordQueues {
  private final Map<Standing, RecordQueue> queues = new EnumMap<>(Standing.class);

  /**
   * Creates empty queues.
   *
   * @param capacity the maximum number of requests that wait in all queues together
   * @param rate the maximum number of requests admitted per second by all queues together
   */
  RecordQueues(int capacity, int rate, LongSupplier nanoTime) {
    for (Standing standing : Standing.values()) {
      queues.put(
          standing,
          new RecordQueue(
              Shares.of(standing, capacity), Shares.of(standing, rate), new RateCap(nanoTime)));
    }
  }

  void offer(EndedRequest request) {
    of(request.standing()).offer(request);
  }

  /**
   * Takes the next requests to write. Verified requests are taken first; the batch is sorted by
   * time.
   */
  List<EndedRequest> drain(int most) {
    List<EndedRequest> batch = new ArrayList<>();
    queues.values().forEach(queue -> queue.drainTo(batch, most));
    batch.sort(Comparator.comparing(EndedRequest::time));
    return batch;
  }

  RecordQueue of(Standing standing) {
    RecordQueue queue = queues.get(standing);
    if (queue == null) {
      throw new IllegalStateException("no queue for " + standing);
    }
    return queue;
  }
}
