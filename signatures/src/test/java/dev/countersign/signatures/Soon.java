package dev.countersign.signatures;

import static org.junit.jupiter.api.Assertions.fail;

import dev.countersign.testing.Waits;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Supplier;

/**
 * Limits the processor time of code that must take linear time. The time of other processes does
 * not count, so the test does not fail on a busy machine.
 */
public final class Soon {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static final Duration MAX_CPU_TIME = Duration.ofSeconds(30);
  private static final long POLL_MILLIS = 50;

  private Soon() {}

  /** Runs the work, and fails if it exceeds the limit. */
  public static void soon(Runnable work) {
    soon(
        () -> {
          work.run();
          return true;
        });
  }

  /** Returns the result of the work, and fails if it exceeds the limit. */
  public static <T> T soon(Supplier<T> work) {
    FutureTask<T> task = new FutureTask<>(work::get);
    Thread thread = new Thread(task, "soon");
    thread.setDaemon(true);
    thread.start();
    try {
      while (thread.isAlive()) {
        thread.join(POLL_MILLIS);
        if (THREADS.getThreadCpuTime(thread.getId()) > MAX_CPU_TIME.toNanos()) {
          StackTraceElement[] place = thread.getStackTrace();
          thread.interrupt();
          AssertionError late =
              new AssertionError("it took more than " + MAX_CPU_TIME + " of processor time");
          late.setStackTrace(place);
          throw late;
        }
      }
      return Waits.forResult(task);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return fail(e);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof Error error) {
        throw error;
      }
      if (e.getCause() instanceof RuntimeException failure) {
        throw failure;
      }
      return fail(e.getCause());
    }
  }
}
