package dev.countersign.server.store;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;

/** Runs a task repeatedly on its own thread, and one last time when this object is closed. */
public final class PeriodicTask implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(PeriodicTask.class);
  // How long close() waits for the last run.
  private static final Duration ENDING = Duration.ofSeconds(10);

  private final Consumer<BooleanSupplier> round;
  private final Duration interval;
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread thread;

  private PeriodicTask(String name, Duration interval, Consumer<BooleanSupplier> round) {
    this.interval = interval;
    this.round = round;
    this.thread = Thread.ofPlatform().daemon().name(name).unstarted(this::run);
  }

  /** Starts the thread. The task first runs after one interval. */
  public static PeriodicTask start(String name, Duration interval, Runnable round) {
    return start(name, interval, isEnding -> round.run());
  }

  /**
   * Starts the thread of a task that may take long.
   *
   * @param round the task; it gets a condition that becomes true when this object is closed, and
   *     should then end soon
   */
  public static PeriodicTask start(
      String name, Duration interval, Consumer<BooleanSupplier> round) {
    PeriodicTask periodicTask = new PeriodicTask(name, interval, round);
    periodicTask.thread.start();
    return periodicTask;
  }

  private void run() {
    try {
      while (!closed.await(interval.toMillis(), TimeUnit.MILLISECONDS)) {
        once();
      }
      once();
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void once() {
    try {
      round.accept(() -> closed.getCount() == 0);
    } catch (StoreUnavailableException | DataAccessException failed) {
      // The next run does the work that this run could not do.
      LOG.warn("a run of {} failed: {}", thread.getName(), failed.getMessage());
    } catch (RuntimeException | Error defect) {
      // Also catches Error: the task must not stop silently while the service keeps running.
      LOG.error("a run of {} failed", thread.getName(), defect);
    }
  }

  /** Stops the task after one last run. */
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
