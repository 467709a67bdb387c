package dev.countersign.server.portal;

import jakarta.servlet.http.HttpServletRequest;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Limits logging to one failure a minute, for requests that open pages repeat every few seconds and
 * for failures that anybody can cause. Failures of requests that an operator makes are all logged.
 */
public final class LogLimit {
  private static final long INTERVAL = Duration.ofMinutes(1).toNanos();

  private final LongSupplier nanoTime;
  private final AtomicLong loggedAt;

  public LogLimit() {
    this(System::nanoTime);
  }

  LogLimit(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    this.loggedAt = new AtomicLong(nanoTime.getAsLong() - INTERVAL);
  }

  /** Returns whether the failure of a request is to be logged, and counts it as logged. */
  public boolean admits(HttpServletRequest request) {
    return !Portal.isMadeByPage(request) || admits();
  }

  /** Returns whether a failure that anybody can cause is to be logged, and counts it as logged. */
  public boolean admits() {
    long now = nanoTime.getAsLong();
    long before = loggedAt.get();
    return now - before >= INTERVAL && loggedAt.compareAndSet(before, now);
  }
}
