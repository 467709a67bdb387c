package dev.countersign.server.nodes;

import java.time.Duration;

/**
 * The difference between the clock of a node and that of the database, as the node has measured it.
 *
 * @param difference the time by which the node is ahead; negative if it is behind
 * @param error the maximum error of the difference
 */
public record ClockReading(Duration difference, Duration error) {

  /** Returns whether the clocks certainly differ by more than a bound, given the maximum error. */
  public boolean exceeds(Duration bound) {
    return difference.abs().minus(error).compareTo(bound) > 0;
  }

  /** Returns how far this node is ahead of another one. */
  public ClockReading minus(ClockReading other) {
    return new ClockReading(difference.minus(other.difference), error.plus(other.error));
  }
}
