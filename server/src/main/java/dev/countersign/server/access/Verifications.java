package dev.countersign.server.access;

import java.util.concurrent.Semaphore;
import java.util.function.Supplier;

/**
 * Bounds how much work with public keys runs at once, whatever it is for: so many verifications,
 * and the next one is refused instead of waiting.
 */
public final class Verifications {
  private final Semaphore free;

  /**
   * A bound for the whole service.
   *
   * @param atOnce 1 or more; 0 takes 64 for each processor
   */
  Verifications(int atOnce) {
    this.free =
        new Semaphore(atOnce > 0 ? atOnce : 64 * Runtime.getRuntime().availableProcessors());
  }

  /**
   * A bound for work that takes long and that few ask for: it runs on half of the processors at
   * most, and takes nothing from the verification of signatures.
   */
  public static Verifications ofNewKeys() {
    return new Verifications(Math.max(1, Runtime.getRuntime().availableProcessors() / 2));
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
    if (!free.tryAcquire()) {
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
