package dev.countersign.server.portal.requests;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.springframework.context.event.ContextStoppedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/** Limits the number of open live views on this node, and ends them when the service shuts down. */
@Component
final class LiveStreamLimiter {
  /**
   * The maximum number of streams. Each stream holds a connection and queries the database once a
   * second.
   */
  static final int MOST = 32;

  private final Semaphore free = new Semaphore(MOST);
  private final CountDownLatch ended = new CountDownLatch(1);

  /**
   * Takes a place for one stream; empty if all places are taken. Close the place when the stream
   * ends.
   */
  Optional<Place> take() {
    return free.tryAcquire() ? Optional.of(new Place()) : Optional.empty();
  }

  /**
   * Ends all streams. They do not end by themselves, and a graceful shutdown would wait for them.
   */
  @EventListener(ContextStoppedEvent.class)
  void end() {
    ended.countDown();
  }

  /** The place of one stream. */
  final class Place implements AutoCloseable {
    private Place() {}

    /** Waits, and returns whether the stream may continue. */
    boolean rest(Duration time) {
      try {
        return !ended.await(time.toMillis(), TimeUnit.MILLISECONDS);
      } catch (InterruptedException interrupted) {
        Thread.currentThread().interrupt();
        return false;
      }
    }

    @Override
    public void close() {
      free.release();
    }
  }
}
