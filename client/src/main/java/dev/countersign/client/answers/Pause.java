package dev.countersign.client.answers;

import java.time.Duration;

/** Waits for a duration. Tests replace it to run without waiting. */
@FunctionalInterface
public interface Pause {
  void sleep(Duration duration) throws InterruptedException;
}
