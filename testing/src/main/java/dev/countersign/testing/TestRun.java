package dev.countersign.testing;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/**
 * Prepares a process that runs tests: sets Awaitility's limit, and starts a watch. If the process
 * is killed, the watch ends its children, including a PostgreSQL server that has detached itself.
 *
 * <p>Design note: Surefire kills a process that exceeds its limit without running its shutdown
 * hooks. It gives each process its own value of the environment variable {@code TEST_PROCESS},
 * which all its descendants inherit. The watch is a shell whose standard input ends with the
 * process. The watch then looks for processes with this value in {@code /proc}. Without {@code
 * /proc} it does nothing.
 */
public final class TestRun implements LauncherSessionListener {
  private static final String MARK = "TEST_PROCESS";
  private static final AtomicBoolean PREPARED = new AtomicBoolean();
  // Keeps the watch referenced, because otherwise the garbage collector could close the watch's
  // standard input.
  private static final AtomicReference<Process> STARTED = new AtomicReference<>();

  // SIGQUIT makes PostgreSQL stop at once and remove its shared memory.
  private static final String WATCH =
      """
      trap '' HUP INT TERM
      while read -r _; do :; done
      while kill -0 "$2" 2>/dev/null; do sleep 1; done
      marked() { grep -lzxF "$1" /proc/[0-9]*/environ 2>/dev/null | cut -d/ -f3; }
      found=$(marked "$1")
      [ -n "$found" ] || exit 0
      kill -QUIT $found 2>/dev/null
      sleep 2
      found=$(marked "$1")
      [ -z "$found" ] || kill -KILL $found 2>/dev/null
      """;

  @Override
  public void launcherSessionOpened(LauncherSession session) {
    if (PREPARED.compareAndSet(false, true)) {
      Awaitility.setDefaultTimeout(Waits.LIMIT);
      String mark = System.getenv(MARK);
      if (mark != null) {
        watch(MARK + "=" + mark);
      }
    }
  }

  private static void watch(String mark) {
    ProcessBuilder shell =
        new ProcessBuilder(
                "sh",
                "-c",
                WATCH,
                "test-watch",
                mark,
                String.valueOf(ProcessHandle.current().pid()))
            .redirectOutput(Redirect.DISCARD)
            .redirectError(Redirect.DISCARD);
    shell.environment().remove(MARK);
    try {
      STARTED.set(shell.start());
    } catch (IOException e) {
      System.err.println("A killed test process may leave children behind: " + e.getMessage());
    }
  }
}
