package dev.countersign.server.requests;

import dev.countersign.server.access.EndedRequest;
import java.util.Collection;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/**
 * The requests of one standing that wait to be written: bounded in number, each bounded in size,
 * and let in at a bounded rate. What does not get in is counted.
 *
 * <p>Design note: no lock, so that a request never waits for the writer.
 */
final class RecordQueue {
  private final Queue<EndedRequest> waiting = new ConcurrentLinkedQueue<>();
  private final AtomicInteger size = new AtomicInteger();
  private final LongAdder dropped = new LongAdder();
  private final int capacity;
  private final int rate;
  private final int rateOfSuccesses;
  private final RateCap cap;

  /**
   * A queue.
   *
   * @param rate how many get in within a second; the last fifth of them is for refusals
   */
  RecordQueue(int capacity, int rate, RateCap cap) {
    this.capacity = capacity;
    this.rate = rate;
    this.rateOfSuccesses = Math.max(1, rate - rate / 5);
    this.cap = cap;
  }

  void offer(EndedRequest request) {
    if (size.get() < capacity && cap.admit(request.reason() == null ? rateOfSuccesses : rate)) {
      size.incrementAndGet();
      waiting.add(request);
    } else {
      dropped.increment();
    }
  }

  /** Moves requests, the oldest first, until there are no more or the collection is full. */
  void drainTo(Collection<EndedRequest> batch, int full) {
    while (batch.size() < full) {
      EndedRequest next = waiting.poll();
      if (next == null) {
        return;
      }
      size.decrementAndGet();
      batch.add(next);
    }
  }

  /** Counts one that got in and was not written all the same. */
  void drop() {
    dropped.increment();
  }

  long dropped() {
    return dropped.sum();
  }
}
