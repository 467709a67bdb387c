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
 * immediately or after a maximum wait.
 *
 * <p>Use it for work that occupies a processor from start to end. It limits only the requests whose
 * work has started. {@link LoadShedder} deals with the requests that still wait for a processor.
 *
 * <p>The numbers: a verification never waits, so hardly more of them run at once than there are
 * processors. The default limit is 64 per processor, which is far above that: only a fault reaches
 * it, such as a cryptographic provider that hangs. Work on a new key may take seconds, so it may
 * use only half of the processors, at least one. It may wait up to ten seconds, because a person
 * waits for the result.
 */
public final class VerificationLimiter {
  private static final Duration MAX_WAIT_FOR_NEW_KEYS = Duration.ofSeconds(10);

  private final Semaphore permits;
  private final Duration maxWait;
  private final String refusal;

  /**
   * Creates a limit for verifying signatures. Work over the limit is refused without waiting.
   *
   * @param limit the maximum number of verifications at once; 0 means 64 per processor
   */
  VerificationLimiter(int limit) {
    this(limit > 0 ? limit : 64 * Runtime.getRuntime().availableProcessors(), Duration.ZERO);
  }

  /**
   * Creates a limit.
   *
   * @param limit the maximum number of verifications at once
   * @param maxWait how long work waits at most if the limit is reached
   */
  VerificationLimiter(int limit, Duration maxWait) {
    this(limit, maxWait, "the service is verifying too many requests at the moment; try again");
  }

  private VerificationLimiter(int limit, Duration maxWait, String refusal) {
    this.permits = new Semaphore(limit, true);
    this.maxWait = maxWait;
    this.refusal = refusal;
  }

  /**
   * Creates a limit for slow, rare work on new keys. The work uses at most half of the processors
   * and does not count towards the limit for verifying signatures. If this limit is reached, work
   * waits up to ten seconds.
   */
  public static VerificationLimiter forNewKeys() {
    return new VerificationLimiter(
        Math.max(1, Runtime.getRuntime().availableProcessors() / 2),
        MAX_WAIT_FOR_NEW_KEYS,
        "the service is checking too many new keys at the moment; try again");
  }

  private boolean tryAcquire() {
    try {
      return permits.tryAcquire(maxWait.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Runs work that has no result; see {@link #run(Supplier)}. */
  public void run(Runnable verification) {
    run(
        () -> {
          verification.run();
          return true;
        });
  }

  /**
   * Runs the work and returns its result.
   *
   * @throws DeniedException {@link Reason#OVERLOADED} if the limit is reached
   */
  public <T> T run(Supplier<T> verification) {
    if (!tryAcquire()) {
      throw Denial.of(Reason.OVERLOADED, refusal).withHeader("Retry-After", "1").asException();
    }
    try {
      return verification.get();
    } finally {
      permits.release();
    }
  }
}
