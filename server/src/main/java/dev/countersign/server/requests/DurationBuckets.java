package dev.countersign.server.requests;

import java.time.Duration;

/**
 * Durations in buckets that each are ten percent longer than the one before, so that the middle of
 * a bucket is within five percent of all that is in it.
 */
final class DurationBuckets {
  private static final double STEP = 1.1;
  private static final double LOG_STEP = Math.log(STEP);

  /** Some seventeen minutes; what takes longer counts as that. */
  private static final int LAST = 217;

  static final int COUNT = LAST + 1;

  private DurationBuckets() {}

  static int of(Duration duration) {
    long micros = duration.toNanos() / 1_000;
    return micros <= 1 ? 0 : Math.min(LAST, (int) (Math.log((double) micros) / LOG_STEP));
  }

  static Duration middle(int bucket) {
    return Duration.ofNanos(Math.round(Math.pow(STEP, bucket + 0.5) * 1_000));
  }
}
