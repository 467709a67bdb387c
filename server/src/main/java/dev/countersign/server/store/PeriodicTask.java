package dev.countersign.server.store;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;

/** Runs a task periodically on its own thread, and one last time when this object is closed. */
public final class PeriodicTask implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(PeriodicTask.class);
  // How long close() waits for the last run.
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(10);

  private final Consumer<BooleanSupplier> task;
  private final Duration interval;
  private final CountDownLatch closing = new CountDownLatch(1);
  private final Thread thread;

  private PeriodicTask(String name, Duration interval, Consumer<BooleanSupplier> task) {
    this.interval = interval;
    this.task = task;
    this.thread = Thread.ofPlatform().daemon().name(name).unstarted(this::run);
  }

  /** Starts the thread. The task first runs after one interval. */
  public static PeriodicTask start(String name, Duration interval, Runnable task) {
    return start(name, interval, isClosing -> task.run());
  }

  /**
   * Starts the thread. The task first runs after one interval. Use this method for a task whose
   * runs may take long, so that it does not delay {@link #close}.
   *
   * @param task the task. Its argument returns true once {@link #close} was called, and the task
   *     should then return soon
   */
  public static PeriodicTask start(String name, Duration interval, Consumer<BooleanSupplier> task) {
    PeriodicTask periodicTask = new PeriodicTask(name, interval, task);
    periodicTask.thread.start();
    return periodicTask;
  }

  private void run() {
    try {
      while (!closing.await(interval.toMillis(), TimeUnit.MILLISECONDS)) {
        runTask();
      }
      runTask();
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void runTask() {
    try {
      task.accept(() -> closing.getCount() == 0);
    } catch (StoreUnavailableException | DataAccessException e) {
      // The next run does the work that this run could not do.
      LOG.warn("a run of {} failed: {}", thread.getName(), e.getMessage());
    } catch (RuntimeException | Error defect) {
      // Also catches Error: the task must not stop silently while the service keeps running.
      LOG.error("a run of {} failed", thread.getName(), defect);
    }
  }

  /** Lets the task run one last time, and waits for that for at most ten seconds. */
  @Override
  public void close() {
    closing.countDown();
    try {
      thread.join(CLOSE_TIMEOUT);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
