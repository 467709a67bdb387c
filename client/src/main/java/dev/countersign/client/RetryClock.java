package dev.countersign.client;

import dev.countersign.client.answers.Pause;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.DoubleSupplier;

/**
 * The randomness and the pause for the waits between attempts.
 *
 * @param random gives a number from 0 to 1: the fraction of its bound that a wait takes
 * @param pause waits
 */
record RetryClock(DoubleSupplier random, Pause pause) {

  /** Uses the real clock and randomness. */
  static RetryClock really() {
    return new RetryClock(
        () -> ThreadLocalRandom.current().nextDouble(),
        duration -> Thread.sleep(duration.toMillis()));
  }
}
