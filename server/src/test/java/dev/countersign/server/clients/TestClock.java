package dev.countersign.server.clients;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/** A clock that a test moves. */
public final class TestClock extends Clock {
  private volatile Instant now;

  public TestClock() {
    this(Instant.parse("2026-11-20T12:00:00Z"));
  }

  public TestClock(Instant now) {
    this.now = now;
  }

  public void advance(Duration step) {
    now = now.plus(step);
  }

  @Override
  public Instant instant() {
    return now;
  }

  @Override
  public ZoneId getZone() {
    return ZoneOffset.UTC;
  }

  @Override
  public Clock withZone(ZoneId zone) {
    throw new UnsupportedOperationException();
  }
}
