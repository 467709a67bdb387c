package dev.countersign.client.answers;

import java.time.Duration;

/** Waits for a duration. Tests replace it, so that they do not wait. */
@FunctionalInterface
public interface Pause {
  void sleep(Duration duration) throws InterruptedException;
}
