package dev.countersign.server.operators;

import java.time.Duration;

/** Waits; given, so that a test need not. */
@FunctionalInterface
interface Sleeper {
  void sleep(Duration time) throws InterruptedException;
}
