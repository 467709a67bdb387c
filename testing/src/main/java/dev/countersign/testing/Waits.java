package dev.countersign.testing;

import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Waits with a limit. Each waits for at most {@link #LIMIT}, then fails the test and says what did
 * not happen. The limit is far longer than any wait takes, so that no test fails on a busy machine.
 *
 * <p>Awaitility has the same limit, which {@link TestRun} sets. The JDK's own waits without a limit
 * are forbidden in tests ({@link HouseRulesTest}).
 */
public final class Waits {
  /** The limit of a wait: 60 s, times the system property {@code test.patience}. */
  public static final Duration LIMIT = Duration.ofSeconds(60).multipliedBy(patience());

  private Waits() {}

  /** Returns the factor for runs on a busy machine: 1 if it is not set. */
  private static int patience() {
    return Integer.getInteger("test.patience", 1);
  }

  /** Waits for the result of a future, and returns it. */
  public static <T> T forResult(Future<T> future) throws InterruptedException, ExecutionException {
    try {
      return future.get(LIMIT.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      throw new AssertionError("there is no result after " + LIMIT, e);
    }
  }

  /** Waits until the latch is open. */
  public static void forLatch(CountDownLatch latch) throws InterruptedException {
    if (!latch.await(LIMIT.toMillis(), TimeUnit.MILLISECONDS)) {
      throw new AssertionError("the latch is not open after " + LIMIT + ": " + latch);
    }
  }

  /** Waits until all parties have arrived at the barrier. */
  public static void forBarrier(CyclicBarrier barrier)
      throws InterruptedException, BrokenBarrierException {
    try {
      barrier.await(LIMIT.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      throw new AssertionError("not all have arrived at the barrier after " + LIMIT, e);
    }
  }

  /** Waits for the next element of a queue, and removes it. */
  public static <T> T forElement(BlockingQueue<T> queue) throws InterruptedException {
    T element = queue.poll(LIMIT.toMillis(), TimeUnit.MILLISECONDS);
    if (element == null) {
      throw new AssertionError("the queue is empty after " + LIMIT);
    }
    return element;
  }

  /** Waits until a thread has ended. */
  public static void forEnd(Thread thread) throws InterruptedException {
    thread.join(LIMIT.toMillis());
    if (thread.isAlive()) {
      AssertionError failure = new AssertionError(thread + " still runs after " + LIMIT);
      failure.setStackTrace(thread.getStackTrace());
      throw failure;
    }
  }

  /** Waits until a process has ended, and returns its exit code. */
  public static int forExit(Process process) throws InterruptedException {
    return forExit(process, LIMIT);
  }

  /**
   * Waits until a process has ended, and returns its exit code.
   *
   * @param limit the limit for a process that takes minutes; a process that still runs after the
   *     limit is killed
   */
  public static int forExit(Process process, Duration limit) throws InterruptedException {
    if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
      throw new AssertionError("the process still ran after " + limit + ": " + process.info());
    }
    return process.exitValue();
  }
}
