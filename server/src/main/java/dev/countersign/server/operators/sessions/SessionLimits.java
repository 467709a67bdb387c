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
  private static final Duration EACH_MINUTE = Duration.ofMinutes(1);
  // Activity is stored at least this many times within the idle limit.
  private static final int PARTS = 10;

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
   * Returns how often activity is stored: once a minute, or more often if the idle limit is short.
   */
  Duration writeInterval() {
    Duration part = idle.dividedBy(PARTS);
    return part.compareTo(EACH_MINUTE) < 0 ? part : EACH_MINUTE;
  }
}
