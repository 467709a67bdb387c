package dev.countersign.server.portal;

import jakarta.servlet.http.HttpServletRequest;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Keeps the log readable while requests fail that open pages repeat every few seconds: one failure a
 * minute is logged. Failures of requests that an operator makes are all logged.
 */
public final class LogLimit {
  private static final long INTERVAL = Duration.ofMinutes(1).toNanos();

  // In the time of System.nanoTime().
  private final AtomicLong loggedAt = new AtomicLong(System.nanoTime() - INTERVAL);

  /** Returns whether the failure of a request is to be logged, and counts it as logged. */
  public boolean admits(HttpServletRequest request) {
    if (!Portal.isMadeByPage(request)) {
      return true;
    }
    long now = System.nanoTime();
    long before = loggedAt.get();
    return now - before >= INTERVAL && loggedAt.compareAndSet(before, now);
  }
}
