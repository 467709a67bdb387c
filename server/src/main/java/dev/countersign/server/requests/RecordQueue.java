package dev.countersign.server.requests;

import dev.countersign.server.access.outcome.CompletedRequest;
import java.time.Duration;
import java.util.Collection;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/**
 * The requests of one trust level that wait to be written. Their number and the rate at which they
 * are admitted are limited. Requests that are not admitted are counted.
 *
 * <p>Design note: the queue is lock-free, so that a request never waits for the writer.
 */
final class RecordQueue {
  private final Queue<CompletedRequest> waiting = new ConcurrentLinkedQueue<>();
  private final AtomicInteger size = new AtomicInteger();
  private final LongAdder dropped = new LongAdder();
  private final int capacity;
  private final int rate;
  private final int rateOfSuccesses;
  private final RateCap cap;

  /**
   * Creates an empty queue.
   *
   * @param rate the maximum number of requests admitted per second; one fifth of it is reserved for
   *     refused requests
   */
  RecordQueue(int capacity, int rate, LongSupplier nanoTime) {
    this.capacity = capacity;
    this.rate = rate;
    this.rateOfSuccesses = Math.max(1, rate - rate / 5);
    this.cap = new RateCap(nanoTime);
  }

  void offer(CompletedRequest request) {
    if (size.get() < capacity && cap.admit(request.reason() == null ? rateOfSuccesses : rate)) {
      size.incrementAndGet();
      waiting.add(request);
    } else {
      dropped.increment();
    }
  }

  /**
   * Moves requests, oldest first, until the queue is empty or the batch has {@code maxSize}
   * requests.
   */
  void drainTo(Collection<CompletedRequest> batch, int maxSize) {
    while (batch.size() < maxSize) {
      CompletedRequest next = waiting.poll();
      if (next == null) {
        return;
      }
      size.decrementAndGet();
      batch.add(next);
    }
  }

  /** Counts a request that was admitted but could not be written. */
  void countDropped() {
    dropped.increment();
  }

  long dropped() {
    return dropped.sum();
  }

  /** Admits at most N requests per second, first come, first served. It never blocks. */
  private static final class RateCap {
    private static final long SECOND = Duration.ofSeconds(1).toNanos();
    private static final int COUNT_BITS = 24;
    private static final long COUNT_MASK = (1L << COUNT_BITS) - 1;

    private final LongSupplier nanoTime;
    private final long start;
    // The high bits hold the current second since the start, the low bits the number of requests
    // admitted in that second.
    private final AtomicLong window = new AtomicLong();

    RateCap(LongSupplier nanoTime) {
      this.nanoTime = nanoTime;
      this.start = nanoTime.getAsLong();
    }

    /**
     * Admits a request unless the limit of this second is reached. A thread that read the time just
     * before the second ended counts its request in the next one, if another thread has begun it.
     */
    boolean admit(int limit) {
      long now = (nanoTime.getAsLong() - start) / SECOND;
      while (true) {
        long seen = window.get();
        long second = Math.max(now, seen >>> COUNT_BITS);
        long count = seen >>> COUNT_BITS == second ? seen & COUNT_MASK : 0;
        if (count >= limit) {
          return false;
        }
        if (window.compareAndSet(seen, second << COUNT_BITS | (count + 1))) {
          return true;
        }
      }
    }
  }
}
