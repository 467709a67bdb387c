package dev.countersign.server.requests.statistics;

import java.time.Duration;

/**
 * Sorts durations into buckets. The longest duration in a bucket is ten percent longer than the
 * shortest. The middle of a bucket is within five percent of every duration in it.
 */
final class DurationBuckets {
  private static final double STEP = 1.1;
  private static final double LOG_STEP = Math.log(STEP);

  /** The last bucket begins at about sixteen minutes and includes all longer durations. */
  private static final int LAST = 217;

  static final int COUNT = LAST + 1;

  private DurationBuckets() {}

  /** Returns the bucket that contains a duration. */
  static int bucketOf(Duration duration) {
    long micros = duration.toNanos() / 1_000;
    return micros <= 1 ? 0 : Math.min(LAST, (int) (Math.log((double) micros) / LOG_STEP));
  }

  /** Returns the duration in the middle of a bucket. */
  static Duration middle(int bucket) {
    return Duration.ofNanos(Math.round(Math.pow(STEP, bucket + 0.5) * 1_000));
  }
}
