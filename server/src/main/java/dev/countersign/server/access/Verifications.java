package dev.countersign.server.access;

import dev.countersign.protocol.Reason;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Bounds how much work with public keys runs at once: who finds no place is refused. */
public final class Verifications {
  private static final Duration PATIENCE_WITH_NEW_KEYS = Duration.ofSeconds(10);

  private final Semaphore free;
  private final Duration patience;

  /**
   * A bound for the verification of signatures; nobody waits for a place.
   *
   * @param atOnce 1 or more; 0 takes 64 for each processor
   */
  Verifications(int atOnce) {
    this(atOnce > 0 ? atOnce : 64 * Runtime.getRuntime().availableProcessors(), Duration.ZERO);
  }

  /**
   * A bound.
   *
   * @param patience how long is waited for a place
   */
  Verifications(int atOnce, Duration patience) {
    this.free = new Semaphore(atOnce, true);
    this.patience = patience;
  }

  /**
   * A bound for work that takes long and that few ask for: it runs on half of the processors at
   * most, takes nothing from the verification of signatures, and others wait for some seconds.
   */
  public static Verifications ofNewKeys() {
    return new Verifications(
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

  /** Carries one out that gives nothing; see {@link #run(Supplier)}. */
  public void run(Runnable verification) {
    run(
        () -> {
          verification.run();
          return true;
        });
  }

  /**
   * Carries one out.
   *
   * @throws DeniedException {@link Reason#OVERLOADED} where too many run
   */
  public <T> T run(Supplier<T> verification) {
    if (!hasPlace()) {
      throw Denial.of(Reason.OVERLOADED, "too many requests at once; try again")
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
