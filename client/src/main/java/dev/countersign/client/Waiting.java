package dev.countersign.client;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.DoubleSupplier;

/**
 * How the time between attempts passes.
 *
 * @param random 0 to 1, which part of its bound a wait takes
 * @param pause waits
 */
record Waiting(DoubleSupplier random, Pause pause) {

  /** Waits for a time. */
  @FunctionalInterface
  interface Pause {
    void sleep(Duration duration) throws InterruptedException;
  }

  /** In truth. */
  static Waiting really() {
    return new Waiting(
        () -> ThreadLocalRandom.current().nextDouble(),
        duration -> Thread.sleep(duration.toMillis()));
  }
}
