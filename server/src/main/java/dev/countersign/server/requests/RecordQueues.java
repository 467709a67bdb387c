package dev.countersign.server.requests;

import dev.countersign.server.access.EndedRequest;
import dev.countersign.server.access.Standing;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/** A queue for each standing, so that a flood of one cannot take the place of another. */
final class RecordQueues {
  private final Map<Standing, RecordQueue> queues = new EnumMap<>(Standing.class);

  /**
   * Empty queues.
   *
   * @param capacity how many requests wait at most, all together
   * @param rate how many get in within a second, all together
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

  /** The next requests to write: verified ones before all others, and then in their order. */
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
