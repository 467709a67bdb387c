package dev.countersign.server;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.springframework.context.annotation.Primary;

/**
 * The monotonic clock of a service that was started with {@link #SETTING}: the real time until a
 * test moves it.
 */
@Primary
final class MovableTicker implements LongSupplier {
  static final String SETTING = "spring.main.sources=dev.countersign.server.MovableTicker";

  private final AtomicLong ahead = new AtomicLong();

  /** Moves the clock ahead. */
  void pass(Duration time) {
    ahead.addAndGet(time.toNanos());
  }

  @Override
  public long getAsLong() {
    return System.nanoTime() + ahead.get();
  }
}
