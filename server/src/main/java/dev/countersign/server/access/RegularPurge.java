package dev.countersign.server.access;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Has {@link OnceOnly} forget regularly what can no longer come again, until it is closed. */
final class RegularPurge implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(RegularPurge.class);
  private static final Duration ENDING = Duration.ofSeconds(10);

  private final OnceOnly onceOnly;
  private final Duration interval;
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread thread =
      Thread.ofPlatform().daemon().name("regular-purge").unstarted(this::run);

  private RegularPurge(OnceOnly onceOnly, Duration interval) {
    this.onceOnly = onceOnly;
    this.interval = interval;
  }

  /** Begins to purge, for the first time after one interval. */
  static RegularPurge start(OnceOnly onceOnly, Duration interval) {
    RegularPurge purge = new RegularPurge(onceOnly, interval);
    purge.thread.start();
    return purge;
  }

  private void run() {
    try {
      while (!closed.await(interval.toMillis(), TimeUnit.MILLISECONDS)) {
        purge();
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void purge() {
    try {
      onceOnly.purge();
    } catch (RuntimeException failed) {
      // What is not forgotten now is forgotten later; it is kept a little longer than it need be.
      log.warn("expired claims and answers were not purged: {}", failed.getMessage());
    }
  }

  /** Ends it; a purge that runs comes to its end. */
  @Override
  public void close() {
    closed.countDown();
    try {
      thread.join(ENDING);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
