package dev.countersign.server.operators;

import java.time.Duration;
import java.time.Instant;

/**
 * Counts failed attempts: the first are free, then each next one waits twice as long. An attempt
 * counts as failed from its beginning, so that many at once are no way around.
 */
final class SlowingBucket {
  private static final Duration FIRST_WAIT = Duration.ofSeconds(1);
  private static final Duration LONGEST_WAIT = Duration.ofMinutes(15);
  private static final int LARGEST_SHIFT = 10;

  private final int free;
  private int failures;
  private Instant openAt = Instant.MIN;

  SlowingBucket(int free) {
    this.free = free;
  }

  /** Begins an attempt; how long it must wait instead, zero when it has begun. */
  synchronized Duration begin(Instant now) {
    if (now.isBefore(openAt)) {
      return Duration.between(now, openAt);
    }
    failures++;
    if (failures >= free) {
      openAt = now.plus(wait(failures - free));
    }
    return Duration.ZERO;
  }

  /** Takes an attempt back that did not fail, or was not looked at. */
  synchronized void takeBack() {
    failures = Math.max(0, failures - 1);
    // Whoever waits does not begin: the wait is that of this attempt.
    openAt = Instant.MIN;
  }

  synchronized void forget() {
    failures = 0;
    openAt = Instant.MIN;
  }

  private static Duration wait(int times) {
    Duration wait = FIRST_WAIT.multipliedBy(1L << Math.min(times, LARGEST_SHIFT));
    return wait.compareTo(LONGEST_WAIT) < 0 ? wait : LONGEST_WAIT;
  }
}
