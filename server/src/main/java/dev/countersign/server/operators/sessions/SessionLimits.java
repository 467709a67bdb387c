package dev.countersign.server.operators.sessions;

import java.time.Duration;

/**
 * The limits of a session.
 *
 * @param idle how long the session lasts after the operator's last activity
 * @param absolute how long the session lasts after its start, even if the operator is active
 */
public record SessionLimits(Duration idle, Duration absolute) {
  private static final Duration MIN_IDLE = Duration.ofSeconds(1);
  private static final Duration MAX_WRITE_INTERVAL = Duration.ofMinutes(1);
  // The write interval is at most the idle limit divided by this.
  private static final int WRITES_PER_IDLE_LIMIT = 10;

  /** The default: 30 minutes idle, 12 hours in all. */
  public static final SessionLimits STANDARD =
      new SessionLimits(Duration.ofMinutes(30), Duration.ofHours(12));

  public SessionLimits {
    if (idle.compareTo(MIN_IDLE) < 0 || absolute.compareTo(idle) < 0) {
      throw new IllegalArgumentException(
          "a session's idle limit must be at least 1s and at most its absolute limit, were "
              + idle
              + " and "
              + absolute);
    }
  }

  /**
   * Returns the minimum time between two writes of activity: one minute, or a tenth of the idle
   * limit if that is shorter.
   */
  Duration writeInterval() {
    Duration interval = idle.dividedBy(WRITES_PER_IDLE_LIMIT);
    return interval.compareTo(MAX_WRITE_INTERVAL) < 0 ? interval : MAX_WRITE_INTERVAL;
  }
}
