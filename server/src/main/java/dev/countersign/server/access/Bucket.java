package dev.countersign.server.access;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * A token bucket that is refilled at a constant rate. It starts full and holds at most the amount
 * that is refilled in one second.
 */
final class Bucket {
  private static final double NANOS_PER_SECOND = Duration.ofSeconds(1).toNanos();

  private final double perSecond;
  private final LongSupplier nanoTime;
  private double left;
  private long filledAt;

  /**
   * Creates a full bucket.
   *
   * @param perSecond the amount that is refilled in one second
   * @param nanoTime the time in nanoseconds, from any origin
   */
  Bucket(double perSecond, LongSupplier nanoTime) {
    this.perSecond = perSecond;
    this.nanoTime = nanoTime;
    this.left = perSecond;
    this.filledAt = nanoTime.getAsLong();
  }

  double perSecond() {
    return perSecond;
  }

  /** Takes 1 if the bucket has at least 1, and returns whether it did. */
  synchronized boolean takeOne() {
    fill();
    if (left < 1) {
      return false;
    }
    left--;
    return true;
  }

  synchronized boolean isEmpty() {
    fill();
    return left <= 0;
  }

  /**
   * Takes an amount, even if the bucket has less. It is then empty until the shortfall has been
   * refilled.
   */
  synchronized void take(double amount) {
    left -= amount;
  }

  private void fill() {
    long now = nanoTime.getAsLong();
    left = Math.min(perSecond, left + (now - filledAt) * perSecond / NANOS_PER_SECOND);
    filledAt = now;
  }
}
