package dev.countersign.server.operators.signin;

import java.time.Duration;

/** Waits; injected, so that tests do not have to wait. */
@FunctionalInterface
interface Sleeper {
  void sleep(Duration time) throws InterruptedException;
}
