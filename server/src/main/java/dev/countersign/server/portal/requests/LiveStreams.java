package dev.countersign.server.portal.requests;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.springframework.context.event.ContextStoppedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/** The live views that are open on this node: so many, and none once the service shuts down. */
@Component
final class LiveStreams {
  /** Each holds a connection, and asks the database once a second. */
  static final int MOST = 32;

  private final Semaphore free = new Semaphore(MOST);
  private final CountDownLatch ended = new CountDownLatch(1);

  /** A place for one stream; empty where all are taken. Close it in the end. */
  Optional<Place> take() {
    return free.tryAcquire() ? Optional.of(new Place()) : Optional.empty();
  }

  /** A stream has no end of its own, and a graceful shutdown would wait for one. */
  @EventListener(ContextStoppedEvent.class)
  void end() {
    ended.countDown();
  }

  /** One stream's place. */
  final class Place implements AutoCloseable {
    private Place() {}

    /** Waits; whether the stream may go on. */
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
