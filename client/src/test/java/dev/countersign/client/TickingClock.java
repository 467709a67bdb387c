package dev.countersign.client;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.function.Supplier;

/** A clock that returns the times that it was given. */
final class TickingClock extends Clock {
  private final Supplier<Instant> readings;

  TickingClock(Supplier<Instant> readings) {
    this.readings = readings;
  }

  @Override
  public Instant instant() {
    return readings.get();
  }

  @Override
  public ZoneId getZone() {
    return ZoneOffset.UTC;
  }

  @Override
  public Clock withZone(ZoneId zone) {
    return this;
  }
}
