package dev.countersign.server.store;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The time that one request may spend with the store, in all of its transactions and waits. It
 * begins with the first of them, because the body of a request has its own limit.
 *
 * <p>One thread at a time uses an instance.
 */
public final class RequestTime {
  private @Nullable Long deadline;

  /**
   * Returns when the time is over, by {@link System#nanoTime}.
   *
   * @param limit the time of a request, which counts from the first call
   */
  public long deadline(Duration limit) {
    if (deadline == null) {
      deadline = System.nanoTime() + limit.toNanos();
    }
    return deadline;
  }
}
