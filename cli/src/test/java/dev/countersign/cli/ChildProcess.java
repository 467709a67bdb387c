package dev.countersign.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** The command in a process of its own, with little memory; the test reads its output by a pipe. */
final class ChildProcess implements AutoCloseable {
  private static final long PATIENCE_SECONDS = 300;
  private static final int SIGINT = 2;

  /** Variables whose options Java names on standard error, where a test expects the command. */
  static final Set<String> OPTIONS_OF_JAVA =
      Set.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS");

  private final Process process;
  private final Path err;
  private final BufferedReader out;

  private ChildProcess(Process process, Path err) {
    this.process = process;
    this.err = err;
    this.out =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8), 1024);
  }

  static ChildProcess start(Path folder, Map<String, String> variables, List<String> args) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx24m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
    command.addAll(List.of("-XX:+ExitOnOutOfMemoryError", "--enable-native-access=ALL-UNNAMED"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(Countersign.class.getName());
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
      return new ChildProcess(builder.start(), err);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  /** Some characters of its output; it stops when nobody reads on and the pipe is full. */
  String read(int characters) throws IOException {
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

  /** All that it still prints. */
  String readToTheEnd() throws IOException {
    StringBuilder rest = new StringBuilder();
    char[] part = new char[8192];
    for (int length = out.read(part); length >= 0; length = out.read(part)) {
      rest.append(part, 0, length);
    }
    return rest.toString();
  }

  /** Goes away, as {@code head} does. */
  void closeOutput() throws IOException {
    out.close();
  }

  /** Ctrl-C; SIGTERM where this process was told to ignore SIGINT, as children then do too. */
  void interrupt() throws IOException, InterruptedException {
    String signal = ignores(SIGINT) ? "-TERM" : "-INT";
    Process kill =
        new ProcessBuilder("kill", signal, String.valueOf(process.pid())).inheritIO().start();
    if (kill.waitFor() != 0) {
      throw new AssertionError("kill failed");
    }
  }

  /**
   * Waits until the signal has reached the command, which the name of its thread for it tells where
   * there is {@code /proc}; elsewhere two seconds have to do.
   */
  void awaitInterruption() throws IOException, InterruptedException {
    Path threads = Path.of("/proc", String.valueOf(process.pid()), "task");
    if (!Files.exists(threads)) {
      TimeUnit.SECONDS.sleep(2);
      return;
    }
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    while (!names(threads).contains("interruption")) {
      if (System.nanoTime() > deadline || !process.isAlive()) {
        throw new AssertionError("the signal does not arrive: " + err());
      }
      Thread.sleep(10);
    }
  }

  private static List<String> names(Path threads) throws IOException {
    List<String> names = new ArrayList<>();
    try (DirectoryStream<Path> all = Files.newDirectoryStream(threads)) {
      for (Path thread : all) {
        names.add(name(thread));
      }
    }
    return names;
  }

  private static String name(Path thread) {
    try {
      return Files.readString(thread.resolve("comm")).strip();
    } catch (IOException ended) {
      return "";
    }
  }

  int exitCode() throws InterruptedException {
    if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
      throw new AssertionError("it does not end: " + err());
    }
    return process.exitValue();
  }

  String err() {
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

  static boolean ignores(int signal) {
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
