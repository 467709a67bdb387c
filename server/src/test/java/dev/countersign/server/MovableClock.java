package dev.countersign.server;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.concurrent.atomic.AtomicReference;
import org.springframework.context.annotation.Primary;

/**
 * The clock of a service that was started with {@link #SETTING}: the real time until a test moves
 * it.
 */
@Primary
final class MovableClock extends Clock {
  static final String SETTING = "spring.main.sources=dev.countersign.server.MovableClock";

  private final AtomicReference<Duration> ahead = new AtomicReference<>(Duration.ZERO);

  /** Sets how far the clock is ahead from now on. */
  void setAhead(Duration duration) {
    ahead.set(duration);
  }

  @Override
  public Instant instant() {
    return Instant.now().plus(ahead.get());
  }

  @Override
  public ZoneId getZone() {
    return ZoneOffset.UTC;
  }

  @Override
  public Clock withZone(ZoneId zone) {
    throw new UnsupportedOperationException("instants are all that a service asks for");
  }
}
