package dev.countersign.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class TestRunTest {
  private static final String MARK = "TEST_PROCESS";

  /** A process as Surefire starts it, with a child. Prints the child's id, and waits. */
  static final class Marked {
    public static void main(String[] args) throws IOException, InterruptedException {
      new TestRun().launcherSessionOpened(null);
      System.out.println(new ProcessBuilder("sleep", "1000").start().pid());
      Thread.sleep(1_000_000);
    }
  }

  @Test
  void killedProcess_leavesNoChildBehind() throws Exception {
    assumeTrue(Files.exists(Path.of("/proc/self/environ")), "this system has no /proc");
    Process process = start(UUID.randomUUID().toString());
    try (BufferedReader output = process.inputReader()) {
      ProcessHandle child = ProcessHandle.of(Long.parseLong(output.readLine())).orElseThrow();
      try {
        assertThat(child.info().command()).isPresent();

        Waits.forExit(process.destroyForcibly());

        // It may stay as a zombie, which has no command.
        Awaitility.await().until(() -> child.info().command().isEmpty());
      } finally {
        child.destroyForcibly();
      }
    }
  }

  private static Process start(String mark) throws IOException {
    ProcessBuilder java =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-cp",
            System.getProperty("java.class.path"),
            Marked.class.getName());
    java.environment().put(MARK, mark);
    return java.redirectError(ProcessBuilder.Redirect.INHERIT).start();
  }
}
