package dev.countersign.server.access;

import dev.countersign.protocol.Reason;
import dev.countersign.server.access.outcome.Denial;
import dev.countersign.server.access.outcome.DeniedException;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Limits how much public-key work runs at the same time. Work over the limit is refused, either
 * immediately or after a wait.
 *
 * <p>Use it around work that keeps a processor from its start to its end. It bounds what has begun;
 * what has not begun yet waits in front of it, and is the subject of {@link LoadShedder}.
 *
 * <p>The numbers: few more verifications run than there are processors, because none of them waits.
 * 64 per processor is far above that, so only a fault reaches it, such as a cryptographic provider
 * that hangs. Work on a new key may take seconds. So it gets half of the processors, at least one,
 * and waits for ten seconds, because a person waits for its answer.
 */
public final class VerificationLimiter {
  private static final Duration PATIENCE_WITH_NEW_KEYS = Duration.ofSeconds(10);

  private final Semaphore free;
  private final Duration patience;

  /**
   * Creates a limit for verifying signatures. Work over the limit is refused without waiting.
   *
   * @param atOnce the maximum number of verifications at once; 0 means 64 per processor
   */
  VerificationLimiter(int atOnce) {
    this(atOnce > 0 ? atOnce : 64 * Runtime.getRuntime().availableProcessors(), Duration.ZERO);
  }

  /**
   * Creates a limit.
   *
   * @param patience how long work waits if the limit is reached
   */
  VerificationLimiter(int atOnce, Duration patience) {
    this.free = new Semaphore(atOnce, true);
    this.patience = patience;
  }

  /**
   * Creates a limit for slow, rare work on new keys. The work uses at most half of the processors
   * and does not count towards the limit for verifying signatures. If this limit is reached, work
   * waits up to ten seconds.
   */
  public static VerificationLimiter ofNewKeys() {
    return new VerificationLimiter(
        Math.max(1, Runtime.getRuntime().availableProcessors() / 2), PATIENCE_WITH_NEW_KEYS);
  }

  private boolean hasPermit() {
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
    if (!hasPermit()) {
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
