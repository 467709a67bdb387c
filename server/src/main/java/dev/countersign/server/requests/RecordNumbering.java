package dev.countersign.server.requests;

import java.time.Instant;
import java.util.random.RandomGenerator;

/**
 * Numbers the records of this process, without asking the other nodes.
 *
 * <p>Each record has an id, and a number that counts the records of its process:
 *
 * <ul>
 *   <li>An id orders records by the time at which the request ended. Its upper bits are that time
 *       in milliseconds, and its lower 21 bits keep records of the same millisecond apart. Two
 *       nodes may draw the same id. The primary key refuses the second one, whose writer
 *       {@linkplain #drawNewStart draws again}.
 *   <li>A number counts the records of its process. Its column must be filled, but the service does
 *       not read it.
 * </ul>
 *
 * <p>Not thread-safe: only the writer uses it.
 */
final class RecordNumbering {
  private static final int LOW_BITS = 21;
  private static final int LOW_MASK = (1 << LOW_BITS) - 1;
  // In the year 2109. Times before 1970 and after this one count as the nearest of the two.
  private static final long LATEST = Long.MAX_VALUE >> LOW_BITS;

  private final RandomGenerator random;
  private final long node;
  private long last;
  private int low;

  RecordNumbering(RandomGenerator random) {
    this.random = random;
    this.node = random.nextLong();
    drawNewStart();
  }

  /** Returns the lowest id of requests that ended at this time or later. */
  static long lowestId(Instant time) {
    return Math.clamp(time.toEpochMilli(), 0, LATEST) << LOW_BITS;
  }

  /** The identity of this process, the same until it ends. */
  long node() {
    return node;
  }

  /** Returns the next number. A number that was not committed stays unused. */
  long nextNumber() {
    return ++last;
  }

  /** Returns an id for a request that ended at this time. */
  long nextId(Instant time) {
    low = (low + 1) & LOW_MASK;
    return lowestId(time) | low;
  }

  /** Chooses a new random start of the lower bits, after another node has used the same id. */
  void drawNewStart() {
    low = random.nextInt(LOW_MASK);
  }
}
