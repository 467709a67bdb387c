package dev.countersign.server.nodes;

import java.time.Duration;
import java.time.Instant;
import java.util.Locale;

/**
 * A running process of the service, as its last heartbeat describes it.
 *
 * @param id a random id, which no other process has
 * @param name its host and port, such as {@code node-1:8080}
 * @param version the version of Countersign
 * @param startedAt when it started, by the clock of the database
 * @param sinceHeartbeat the time since its last heartbeat, by the clock of the database
 * @param reading how its clock differed from the clock of the database at its last heartbeat
 * @param registryAge the age of its registry, assuming that it has not read the clients since its
 *     last heartbeat
 * @param draining whether it is stopping, and takes no new requests
 */
public record ServiceNode(
    String id,
    String name,
    String version,
    Instant startedAt,
    Duration sinceHeartbeat,
    ClockReading reading,
    Duration registryAge,
    boolean draining) {

  /** The difference of clocks above which operators are warned. */
  public static final Duration CLOCK_WARNING = Duration.ofSeconds(2);

  /** The time without a heartbeat after which a node counts as not running. */
  public static final Duration SILENT = Duration.ofSeconds(30);

  /** Returns whether the last heartbeat is so old that the node has probably ended. */
  public boolean isSilent() {
    return sinceHeartbeat.compareTo(SILENT) > 0;
  }

  /** Returns whether its clock differs too much from the clock of the database. */
  public boolean isClockOff() {
    return reading.exceeds(CLOCK_WARNING);
  }

  /**
   * Returns by how much its clock differs from the clock of the database, in words such as {@code
   * 3.2 s ahead}.
   */
  public String clockDifference() {
    Duration difference = reading.difference();
    double seconds = Math.abs(difference.toMillis()) / 1000.0;
    String size = String.format(Locale.ROOT, "%.1f s", seconds);
    return size.equals("0.0 s") ? "equal" : size + (difference.isNegative() ? " behind" : " ahead");
  }

  /** Returns the state in one word. */
  public String state() {
    if (isSilent()) {
      return "silent";
    }
    return draining ? "draining" : "running";
  }
}
