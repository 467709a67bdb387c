package dev.countersign.server.store;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs once when an operation starts to fail and once when it works again, however often the
 * operation is tried.
 */
public final class FailureLog {
  private static final Logger LOG = LoggerFactory.getLogger(FailureLog.class);

  private final String problem;
  private final Alarm alarm = new Alarm();

  /**
   * Creates an instance for an operation that has not failed yet.
   *
   * @param problem the message, such as "requests are not recorded"
   */
  public FailureLog(String problem) {
    this.problem = problem;
  }

  /** Attempts a step of the operation, and returns whether it succeeded. */
  public synchronized boolean attempt(Runnable step) {
    try {
      step.run();
    } catch (RuntimeException failed) {
      if (alarm.raise()) {
        LOG.warn("{} because the store fails: {}", problem, failed.getMessage());
      }
      return false;
    }
    if (alarm.clear().isPresent()) {
      LOG.info("resolved: {}", problem);
    }
    return true;
  }
}
