package dev.countersign.server.requests;

import java.time.Instant;
import java.util.random.RandomGenerator;

/**
 * Numbers the records of this process, without asking the other nodes.
 *
 * <p>Each record has an id and a number:
 *
 * <ul>
 *   <li>An id orders records by the time at which the request ended. Its upper bits are that time
 *       in milliseconds, and its lower 21 bits keep records of the same millisecond apart. They
 *       count up from a random start, so two nodes may use the same id. The primary key refuses the
 *       second record, whose writer then {@linkplain #drawNewStart draws a new start}.
 *   <li>A number counts up from 1 with each record that the process tries to write. The service
 *       writes it because its column must have a value, but never reads it.
 * </ul>
 *
 * <p>Not thread-safe: only the writer uses it.
 */
final class RecordNumbering {
  private static final int LOW_BITS = 21;
  private static final int LOW_MASK = (1 << LOW_BITS) - 1;
  // The latest time that an id can contain, in the year 2109. A later time counts as this one, and
  // a time before 1970 as the beginning of 1970.
  private static final long LATEST_MILLIS = Long.MAX_VALUE >> LOW_BITS;

  private final RandomGenerator random;
  private final long node;
  private long lastNumber;
  private int lowBits;

  RecordNumbering(RandomGenerator random) {
    this.random = random;
    this.node = random.nextLong();
    drawNewStart();
  }

  /** Returns the lowest id of requests that ended at this time or later. */
  static long lowestId(Instant time) {
    return Math.clamp(time.toEpochMilli(), 0, LATEST_MILLIS) << LOW_BITS;
  }

  /** Returns the random number that identifies this process until it ends. */
  long node() {
    return node;
  }

  /** Returns the next number. A number that was not committed stays unused. */
  long nextNumber() {
    return ++lastNumber;
  }

  /** Returns an id for a request that ended at this time. */
  long nextId(Instant time) {
    lowBits = (lowBits + 1) & LOW_MASK;
    return lowestId(time) | lowBits;
  }

  /** Chooses a new random start of the lower bits, after another node has used the same id. */
  void drawNewStart() {
    lowBits = random.nextInt(LOW_MASK);
  }
}
