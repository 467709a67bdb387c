package dev.countersign.client;

import dev.countersign.client.answers.Pause;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.DoubleSupplier;

/**
 * The random numbers and the pause for the waits between attempts.
 *
 * @param random returns a number from 0 to 1; each wait lasts this fraction of its longest duration
 * @param pause waits for a duration
 */
record RetryTiming(DoubleSupplier random, Pause pause) {

  /** The timing outside of tests: really sleeps, and draws random numbers. */
  static RetryTiming system() {
    return new RetryTiming(
        () -> ThreadLocalRandom.current().nextDouble(),
        duration -> Thread.sleep(duration.toMillis()));
  }
}
