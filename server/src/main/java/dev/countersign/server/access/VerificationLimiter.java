package dev.countersign.server.access;

import dev.countersign.protocol.Reason;
import dev.countersign.server.access.outcome.Denial;
import dev.countersign.server.access.outcome.DeniedException;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Limits how much public-key work runs at once. Work over the limit is refused. */
public final class VerificationLimiter {
  private static final Duration PATIENCE_WITH_NEW_KEYS = Duration.ofSeconds(10);

  private final Semaphore free;
  private final Duration patience;

  /**
   * Creates a limit for verifying signatures, without waiting.
   *
   * @param atOnce the maximum number at once, 1 or more; 0 means 64 per processor
   */
  VerificationLimiter(int atOnce) {
    this(atOnce > 0 ? atOnce : 64 * Runtime.getRuntime().availableProcessors(), Duration.ZERO);
  }

  /**
   * Creates a limit.
   *
   * @param patience how long to wait for a place
   */
  VerificationLimiter(int atOnce, Duration patience) {
    this.free = new Semaphore(atOnce, true);
    this.patience = patience;
  }

  /**
   * Creates a limit for slow, rare work on new keys: at most half of the processors, separate from
   * the verification of signatures, with a wait of a few seconds for a place.
   */
  public static VerificationLimiter ofNewKeys() {
    return new VerificationLimiter(
        Math.max(1, Runtime.getRuntime().availableProcessors() / 2), PATIENCE_WITH_NEW_KEYS);
  }

  private boolean hasPlace() {
    try {
      return free.tryAcquire(patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Runs work without a result; see {@link #run(Supplier)}. */
  public void run(Runnable verification) {
    run(
        () -> {
          verification.run();
          return true;
        });
  }

  /**
   * Runs the work.
   *
   * @throws DeniedException {@link Reason#OVERLOADED} if the limit is reached
   */
  public <T> T run(Supplier<T> verification) {
    if (!hasPlace()) {
      throw Denial.of(
              Reason.OVERLOADED,
              "the service is verifying too many requests at the moment; try again")
          .withHeader("Retry-After", "1")
          .asException();
    }
    try {
      return verification.get();
    } finally {
      free.release();
    }
  }
}
