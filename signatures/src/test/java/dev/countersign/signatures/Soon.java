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
 * Expects linear code to end soon. It counts the processor time of the code itself, so a busy
 * machine does not fail the test.
 */
public final class Soon {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static final Duration MOST = Duration.ofSeconds(30);
  private static final long LOOK_EVERY_MILLIS = 50;

  private Soon() {}

  public static void soon(Runnable work) {
    soon(
        () -> {
          work.run();
          return true;
        });
  }

  public static <T> T soon(Supplier<T> work) {
    FutureTask<T> task = new FutureTask<>(work::get);
    Thread thread = new Thread(task, "soon");
    thread.setDaemon(true);
    thread.start();
    try {
      while (thread.isAlive()) {
        thread.join(LOOK_EVERY_MILLIS);
        if (THREADS.getThreadCpuTime(thread.getId()) > MOST.toNanos()) {
          StackTraceElement[] place = thread.getStackTrace();
          thread.interrupt();
          AssertionError late = new AssertionError("it took more than " + MOST + " of work");
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
