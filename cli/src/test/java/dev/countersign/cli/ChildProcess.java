package dev.countersign.cli;

import dev.countersign.cli.terminal.Interruption;
import dev.countersign.testing.TestLocale;
import dev.countersign.testing.Waits;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/** The command in its own process, with little memory; the test reads its output through a pipe. */
public final class ChildProcess implements AutoCloseable {
  /** Longer than other waits, because a Java process starts in between. */
  private static final Duration LIMIT = Waits.LIMIT.multipliedBy(3);

  private static final int SIGINT = 2;
  private static final String WOKEN = "countersign.woken";

  /** Variables whose options Java reports on standard error, where a test expects the command. */
  public static final Set<String> OPTIONS_OF_JAVA =
      Set.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS");

  private final Process process;
  private final Path err;
  private final Path woken;
  private final BufferedReader out;

  private ChildProcess(Process process, Path err, Path woken) {
    this.process = process;
    this.err = err;
    this.woken = woken;
    this.out =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8), 1024);
  }

  public static ChildProcess start(Path folder, Map<String, String> variables, List<String> args) {
    Path woken = folder.resolve("woken-" + UUID.randomUUID());
    List<String> command = new ArrayList<>(withDefaultSignals());
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx24m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
    command.addAll(List.of("-XX:+ExitOnOutOfMemoryError", "--enable-native-access=ALL-UNNAMED"));
    command.addAll(TestLocale.options());
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add("-D" + WOKEN + "=" + woken);
    command.add(ChildProcess.class.getName());
    command.addAll(args);
    try {
      Path err = Files.createTempFile(folder, "err", ".txt");
      ProcessBuilder builder =
          new ProcessBuilder(command)
              .directory(folder.toFile())
              .redirectError(Redirect.to(err.toFile()));
      builder.environment().keySet().removeIf(name -> name.startsWith("COUNTERSIGN_"));
      builder.environment().keySet().removeAll(OPTIONS_OF_JAVA);
      builder.environment().putAll(variables);
      return new ChildProcess(builder.start(), err, woken);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  /** Runs the command line in the child, which creates a file once a signal has woken it. */
  public static void main(String[] args) {
    Path woken = Path.of(System.getProperty(WOKEN));
    Thread watch = new Thread(() -> tellOfInterruption(woken), "watch");
    watch.setDaemon(true);
    watch.start();
    Countersign.main(args);
  }

  private static void tellOfInterruption(Path woken) {
    try {
      while (Thread.getAllStackTraces().keySet().stream().noneMatch(ChildProcess::hasWoken)) {
        Thread.sleep(10);
      }
      Files.createFile(woken);
    } catch (IOException | InterruptedException failed) {
      throw new IllegalStateException(failed);
    }
  }

  /** {@link Interruption} wakes the command and then waits for its end. */
  private static boolean hasWoken(Thread thread) {
    return thread.getName().equals("interruption")
        && thread.getState() == Thread.State.TIMED_WAITING;
  }

  /** Reads some characters of its output; the command blocks when the pipe is full. */
  public String read(int characters) throws IOException {
    char[] read = new char[characters];
    int length = 0;
    while (length < characters) {
      int more = out.read(read, length, characters - length);
      if (more < 0) {
        break;
      }
      length += more;
    }
    return new String(read, 0, length);
  }

  /** Reads the rest of its output. */
  public String readToTheEnd() throws IOException {
    StringBuilder rest = new StringBuilder();
    char[] part = new char[8192];
    for (int length = out.read(part); length >= 0; length = out.read(part)) {
      rest.append(part, 0, length);
    }
    return rest.toString();
  }

  /** Closes the pipe, as {@code head} does. */
  public void closeOutput() throws IOException {
    out.close();
  }

  /** Waits for an effect of the command, unless the command ends first. */
  public void await(CountDownLatch done) {
    Awaitility.await().atMost(LIMIT).until(() -> done.getCount() == 0 || !process.isAlive());
    if (done.getCount() > 0) {
      throw new AssertionError("it ended without such an effect: " + err());
    }
  }

  /** Sends SIGINT, as Ctrl-C does. */
  public void interrupt() throws IOException, InterruptedException {
    Process kill =
        new ProcessBuilder("kill", "-INT", String.valueOf(process.pid())).inheritIO().start();
    if (Waits.forExit(kill) != 0) {
      throw new AssertionError("kill failed");
    }
  }

  /** Kills it as {@code kill -9} does, wherever it is. */
  public void kill() throws InterruptedException {
    Waits.forExit(process.destroyForcibly());
  }

  /**
   * Waits until the signal has woken the command. A command that was not blocked at a full pipe may
   * have ended already.
   */
  public void awaitInterruption() {
    Awaitility.await("the signal arrives")
        .atMost(LIMIT)
        .until(() -> Files.exists(woken) || !process.isAlive());
  }

  public int exitCode() throws InterruptedException {
    return Waits.forExit(process, LIMIT);
  }

  public String err() {
    try {
      return Files.readString(err);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }

  /**
   * Java ignores Ctrl-C if its parent ignored SIGINT, as for a test run after {@code nohup … &};
   * this prefix restores the default for the child.
   */
  private static List<String> withDefaultSignals() {
    if (!ignores(SIGINT)) {
      return List.of();
    }
    return Stream.of(
            List.of("env", "--default-signal=INT"),
            List.of("perl", "-e", "$SIG{INT} = 'DEFAULT'; exec { $ARGV[0] } @ARGV"))
        .filter(ChildProcess::works)
        .findFirst()
        .orElse(List.of());
  }

  private static boolean works(List<String> prefix) {
    List<String> command = new ArrayList<>(prefix);
    command.add("true");
    try {
      return Waits.forExit(new ProcessBuilder(command).redirectErrorStream(true).start()) == 0;
    } catch (IOException missing) {
      return false;
    } catch (InterruptedException failed) {
      throw new IllegalStateException(failed);
    }
  }

  private static boolean ignores(int signal) {
    Path status = Path.of("/proc/self/status");
    try {
      return Files.exists(status)
          && Files.readAllLines(status).stream()
              .filter(line -> line.startsWith("SigIgn:"))
              .map(line -> Long.parseUnsignedLong(line.substring(7).strip(), 16))
              .anyMatch(mask -> ((mask >> (signal - 1)) & 1) == 1);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }
}
