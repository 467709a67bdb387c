package dev.countersign.server.requests;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/** Admits at most N requests per second, first come, first served. It never blocks. */
final class RateCap {
  private static final long SECOND = Duration.ofSeconds(1).toNanos();
  private static final int COUNT_BITS = 24;
  private static final long COUNT_MASK = (1L << COUNT_BITS) - 1;

  private final LongSupplier nanoTime;
  private final long start;
  // The second since the start and, in the low bits, the number admitted in it.
  private final AtomicLong window = new AtomicLong();

  RateCap(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    this.start = nanoTime.getAsLong();
  }

  /** Admits a request unless the limit of this second is reached. */
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
