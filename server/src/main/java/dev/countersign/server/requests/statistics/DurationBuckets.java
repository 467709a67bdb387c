package dev.countersign.server.requests.statistics;

import java.time.Duration;

/**
 * Durations in buckets, each ten percent longer than the one before. The middle of a bucket is
 * within five percent of every duration in it.
 */
final class DurationBuckets {
  private static final double STEP = 1.1;
  private static final double LOG_STEP = Math.log(STEP);

  /** About seventeen minutes. Longer durations count in this bucket. */
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
