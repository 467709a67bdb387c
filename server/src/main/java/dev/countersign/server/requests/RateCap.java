package dev.countersign.server.requests;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/** Lets so many through in each second, those that come first. It never waits. */
final class RateCap {
  private static final long SECOND = Duration.ofSeconds(1).toNanos();
  private static final int COUNT_BITS = 24;
  private static final long COUNT_MASK = (1L << COUNT_BITS) - 1;

  private final LongSupplier nanoTime;
  private final long start;
  // The second since the start and, in its low bits, how many it has let through.
  private final AtomicLong window = new AtomicLong();

  RateCap(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    this.start = nanoTime.getAsLong();
  }

  /** Whether fewer than the limit were let through in this second; if so, counts one more. */
  boolean admit(int limit) {
    long second = (nanoTime.getAsLong() - start) / SECOND;
    while (true) {
      long seen = window.get();
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
