package dev.countersign.server.requests;

import java.time.Instant;
import java.util.random.RandomGenerator;

/**
 * Chooses the ids of this process's records without asking the other nodes.
 *
 * <p>An id contains the time at which the request ended, so ids order records by that time. Its
 * upper bits are the time in milliseconds, and its lower 21 bits keep records of the same
 * millisecond apart. They count up from a random start, so two nodes may draw the same id. The
 * primary key refuses the second record, whose writer then {@linkplain #drawNewStart draws a new
 * start}.
 *
 * <p>Not thread-safe: only the writer uses it.
 */
final class RecordIds {
  private static final int LOW_BITS = 21;
  private static final int LOW_MASK = (1 << LOW_BITS) - 1;
  // The latest time that an id can contain, in the year 2109. A later time counts as this one, and
  // a time before 1970 as the beginning of 1970.
  private static final long LATEST_MILLIS = Long.MAX_VALUE >> LOW_BITS;

  private final RandomGenerator random;
  private int lowBits;

  RecordIds(RandomGenerator random) {
    this.random = random;
    drawNewStart();
  }

  /** Returns the lowest id of requests that ended at this time or later. */
  static long lowest(Instant time) {
    return Math.clamp(time.toEpochMilli(), 0, LATEST_MILLIS) << LOW_BITS;
  }

  /** Returns the time at which the request with this id ended, in whole milliseconds. */
  static Instant timeOf(long id) {
    return Instant.ofEpochMilli(id >> LOW_BITS);
  }

  /** Returns an id for a request that ended at this time. */
  long next(Instant time) {
    lowBits = (lowBits + 1) & LOW_MASK;
    return lowest(time) | lowBits;
  }

  /** Chooses a new random start of the lower bits, after another node has used the same id. */
  void drawNewStart() {
    lowBits = random.nextInt(LOW_MASK);
  }
}
