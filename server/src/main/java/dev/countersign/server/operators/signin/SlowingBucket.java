package dev.countersign.server.operators.signin;

import java.time.Duration;
import java.time.Instant;

/**
 * Counts failed attempts. The first ones are free; after that, each failure doubles the wait before
 * the next attempt. An attempt counts as failed when it begins, so that parallel attempts do not
 * bypass the limit.
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

  /** Begins an attempt. Returns how long it must wait, or zero if it has begun. */
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

  /** Takes back an attempt that did not fail or whose password was not checked. */
  synchronized void takeBack() {
    failures = Math.max(0, failures - 1);
    // No attempt begins during a wait, so the wait was caused by this attempt.
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
