package dev.countersign.server.operators.signin;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Limits how many passwords are hashed at once, because each hash takes 19 MiB and a processor.
 * Other callers wait; their number and their waiting time are limited.
 *
 * <p>Unknown browsers and trusted callers have separate places, so that a flood of unknown callers
 * does not keep out a user with a known device or a one-time link.
 *
 * <p>Use it for hashes of passwords only: unlike {@link SignInThrottle} it counts no failures, and
 * unlike a limit per sender it holds for a flood from any number of networks.
 *
 * <p>The numbers: unknown callers may run as many hashes at once as there are processors, and at
 * least two, because more would only take longer. Trusted callers may run one more. A caller waits
 * at most five seconds. In that time, the 50 callers that may wait get their turn on a machine that
 * hashes ten passwords per second.
 */
final class PasswordHashLimiter {
  /** A group of callers with its own places. */
  enum Lane {
    ANONYMOUS,
    TRUSTED
  }

  private final Places anonymous;
  private final Places trusted;

  /** Creates a limiter for {@code atOnce} unknown callers and one trusted caller at a time. */
  PasswordHashLimiter(int atOnce, int maxWaiting, Duration maxWait) {
    this.anonymous = new Places(atOnce, maxWaiting, maxWait);
    this.trusted = new Places(1, maxWaiting, maxWait);
  }

  static PasswordHashLimiter standard() {
    int processors = Runtime.getRuntime().availableProcessors();
    return new PasswordHashLimiter(Math.max(2, processors), 50, Duration.ofSeconds(5));
  }

  /** Runs the work and returns its result; empty if no place becomes free in time. */
  <T> Optional<T> pass(Lane lane, Supplier<T> work) {
    return (lane == Lane.TRUSTED ? trusted : anonymous).pass(work);
  }

  private static final class Places {
    private final Semaphore running;
    private final Semaphore admitted;
    private final Duration maxWait;

    Places(int atOnce, int maxWaiting, Duration maxWait) {
      this.running = new Semaphore(atOnce, true);
      this.admitted = new Semaphore(atOnce + maxWaiting);
      this.maxWait = maxWait;
    }

    <T> Optional<T> pass(Supplier<T> work) {
      if (!admitted.tryAcquire()) {
        return Optional.empty();
      }
      try {
        return waitAndPass(work);
      } finally {
        admitted.release();
      }
    }

    private <T> Optional<T> waitAndPass(Supplier<T> work) {
      try {
        if (!running.tryAcquire(maxWait.toMillis(), TimeUnit.MILLISECONDS)) {
          return Optional.empty();
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return Optional.empty();
      }
      try {
        return Optional.of(work.get());
      } finally {
        running.release();
      }
    }
  }
}
