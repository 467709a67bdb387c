package dev.countersign.server.operators;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Bounds how many passwords are hashed at once: each takes 19 MiB and a processor. The others wait,
 * not too many and not too long.
 *
 * <p>Strangers have places of their own, so that they cannot keep out whoever has shown a known
 * device or a one-time link.
 */
final class HashGate {
  /** Who waits. */
  enum Lane {
    STRANGER,
    TRUSTED
  }

  private final Places strangers;
  private final Places trusted;

  /** A gate for so many strangers' hashes at once, one more for trusted callers. */
  HashGate(int atOnce, int waiting, Duration longest) {
    this.strangers = new Places(atOnce, waiting, longest);
    this.trusted = new Places(1, waiting, longest);
  }

  static HashGate standard() {
    int processors = Runtime.getRuntime().availableProcessors();
    return new HashGate(Math.max(2, processors), 50, Duration.ofSeconds(5));
  }

  /** Does the work; empty when there is no place for it. */
  <T> Optional<T> pass(Lane lane, Supplier<T> work) {
    return (lane == Lane.TRUSTED ? trusted : strangers).pass(work);
  }

  private static final class Places {
    private final Semaphore inside;
    private final Semaphore all;
    private final Duration longest;

    Places(int atOnce, int waiting, Duration longest) {
      this.inside = new Semaphore(atOnce, true);
      this.all = new Semaphore(atOnce + waiting);
      this.longest = longest;
    }

    <T> Optional<T> pass(Supplier<T> work) {
      if (!all.tryAcquire()) {
        return Optional.empty();
      }
      try {
        return waitAndPass(work);
      } finally {
        all.release();
      }
    }

    private <T> Optional<T> waitAndPass(Supplier<T> work) {
      try {
        if (!inside.tryAcquire(longest.toMillis(), TimeUnit.MILLISECONDS)) {
          return Optional.empty();
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return Optional.empty();
      }
      try {
        return Optional.of(work.get());
      } finally {
        inside.release();
      }
    }
  }
}
