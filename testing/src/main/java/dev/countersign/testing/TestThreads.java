package dev.countersign.testing;

import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * Threads of a test. Unlike {@code ExecutorService.close}, {@link #close} waits for at most {@link
 * Waits#LIMIT}; then it interrupts the tasks that still run and fails the test.
 *
 * <p>Declare the variable as {@code TestThreads}, because {@link HouseRulesTest} forbids the {@code
 * close} of {@link ExecutorService}.
 */
public final class TestThreads extends AbstractExecutorService implements AutoCloseable {
  private final ExecutorService threads;

  private TestThreads(ExecutorService threads) {
    this.threads = threads;
  }

  /** Starts a daemon thread, which does not keep the process alive. */
  static Thread startDaemon(Runnable task) {
    Thread thread = new Thread(task);
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  /** Starts at most this many threads. */
  public static TestThreads of(int count) {
    return new TestThreads(Executors.newFixedThreadPool(count));
  }

  /** Starts a thread for each task. */
  public static TestThreads unlimited() {
    return new TestThreads(Executors.newCachedThreadPool());
  }

  /** Wraps another executor, such as one of virtual threads; {@link #close} shuts it down. */
  public static TestThreads of(ExecutorService threads) {
    return new TestThreads(threads);
  }

  @Override
  public void execute(Runnable task) {
    threads.execute(task);
  }

  @Override
  public void shutdown() {
    threads.shutdown();
  }

  @Override
  public List<Runnable> shutdownNow() {
    return threads.shutdownNow();
  }

  @Override
  public boolean isShutdown() {
    return threads.isShutdown();
  }

  @Override
  public boolean isTerminated() {
    return threads.isTerminated();
  }

  @Override
  public boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
    return threads.awaitTermination(timeout, unit);
  }

  /** Waits until all tasks have ended. */
  @Override
  public void close() {
    threads.shutdown();
    try {
      if (!threads.awaitTermination(Waits.LIMIT.toMillis(), TimeUnit.MILLISECONDS)) {
        threads.shutdownNow();
        throw new AssertionError("tasks still run after " + Waits.LIMIT);
      }
    } catch (InterruptedException e) {
      threads.shutdownNow();
      Thread.currentThread().interrupt();
    }
  }
}
