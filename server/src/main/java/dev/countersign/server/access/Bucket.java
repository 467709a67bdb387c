package dev.countersign.server.access;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * A token bucket: an amount that is taken and grows back evenly. It begins full, with the amount
 * that grows back in one second, and never has more.
 */
final class Bucket {
  private static final double SECOND = Duration.ofSeconds(1).toNanos();

  private final double perSecond;
  private final LongSupplier nanoTime;
  private double left;
  private long filledAt;

  /**
   * Creates a full bucket.
   *
   * @param perSecond how much grows back in one second
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

  /** Takes 1, and returns whether the bucket had as much. */
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

  /** Takes an amount, even if the bucket has less. It is then empty until the rest grew back. */
  synchronized void take(double amount) {
    left -= amount;
  }

  private void fill() {
    long now = nanoTime.getAsLong();
    left = Math.min(perSecond, left + (now - filledAt) * perSecond / SECOND);
    filledAt = now;
  }
}
