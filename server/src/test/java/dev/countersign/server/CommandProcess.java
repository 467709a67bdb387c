package dev.countersign.server;

import dev.countersign.server.app.Application;
import dev.countersign.testing.TestLocale;
import dev.countersign.testing.Waits;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/**
 * A command in its own process, as a user runs it, so that a test can signal it, kill it and read
 * its output.
 */
public final class CommandProcess implements AutoCloseable {
  // A start on a busy machine takes long, but the limit of a test is longer.
  private static final Duration PATIENCE = Waits.LIMIT.multipliedBy(4);

  /**
   * The prefix that makes SIGINT end the command. A shell makes background jobs ignore SIGINT, and
   * so would all their children.
   */
  private static final List<String> LISTENING =
      Stream.of(
              List.of("env", "--default-signal=INT"),
              List.of("perl", "-e", "$SIG{INT} = 'DEFAULT'; exec { $ARGV[0] } @ARGV"))
          .filter(CommandProcess::works)
          .findFirst()
          .orElse(List.of());

  private final Process process;
  private final Path out;
  private final Path err;

  private CommandProcess(Process process, Path out, Path err) {
    this.process = process;
    this.out = out;
    this.err = err;
  }

  /**
   * Starts a command.
   *
   * @param folder its working directory, which also contains its output files
   */
  public static CommandProcess start(Path folder, String... arguments) {
    return start(folder, Map.of(), arguments);
  }

  /** Starts a command with additional environment variables. */
  public static CommandProcess start(
      Path folder, Map<String, String> environment, String... arguments) {
    List<String> command = new ArrayList<>(LISTENING);
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    // These processes are short-lived: they compile little and share the class data of the JDK.
    command.addAll(
        List.of(
            "--enable-native-access=ALL-UNNAMED", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
    command.addAll(List.of("-Xshare:auto", "-Xmx256m"));
    command.addAll(TestLocale.options());
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(Application.class.getName());
    command.addAll(List.of(arguments));
    try {
      Path out = Files.createTempFile(folder, "out", ".txt");
      Path err = Files.createTempFile(folder, "err", ".txt");
      ProcessBuilder builder =
          new ProcessBuilder(command)
              .directory(folder.toFile())
              .redirectOutput(Redirect.to(out.toFile()))
              .redirectError(Redirect.to(err.toFile()));
      builder.environment().remove("COUNTERSIGN_CONFIG");
      builder.environment().putAll(environment);
      return new CommandProcess(builder.start(), out, err);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Starts {@code serve} on a free port and waits until it answers. */
  public static CommandProcess serve(Path folder, Path data, String... further) {
    return serveOn(0, folder, data, further);
  }

  /** Starts {@code serve} on a port, or on a free one if it is 0, and waits until it answers. */
  static CommandProcess serveOn(int port, Path folder, Path data, String... further) {
    List<String> arguments = new ArrayList<>(List.of("serve", "--port", String.valueOf(port)));
    arguments.addAll(List.of("--data", data.toString()));
    arguments.addAll(List.of(further));
    CommandProcess serve = start(folder, arguments.toArray(String[]::new));
    serve.await(() -> serve.url().isPresent());
    return serve;
  }

  /** The URL that it prints. */
  public Optional<String> url() {
    return out()
        .lines()
        .filter(line -> line.startsWith("Countersign serves "))
        .map(line -> line.split("[ ,]")[2])
        .findFirst();
  }

  public int port() {
    return Integer.parseInt(url().orElseThrow().replaceAll(".*:", ""));
  }

  public String out() {
    return read(out);
  }

  public String err() {
    return read(err);
  }

  public Process process() {
    return process;
  }

  /** Waits until the condition holds or the process has ended. */
  public void await(BooleanSupplier condition) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      if (!process.isAlive() && !condition.getAsBoolean()) {
        throw new AssertionError("the process ended: " + out() + err());
      }
      if (System.nanoTime() > deadline) {
        throw new AssertionError("the condition was not met: " + out() + err());
      }
      sleep();
    }
  }

  /** Waits for the end and returns the exit code. */
  public int exitCode() {
    try {
      if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
        throw new AssertionError("the process does not end: " + out() + err());
      }
      return process.exitValue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Sends SIGKILL: no handler runs, and nothing is closed. */
  public void kill() {
    process.destroyForcibly();
    exitCode();
  }

  /** Sends SIGTERM. */
  public void terminate() {
    process.destroy();
  }

  @Override
  public void close() {
    if (process.isAlive()) {
      kill();
    }
  }

  private static void sleep() {
    try {
      Thread.sleep(10);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean works(List<String> prefix) {
    List<String> command = new ArrayList<>(prefix);
    command.add("true");
    return succeeds(command);
  }

  /** Returns whether a program is installed and succeeds with these arguments. */
  static boolean succeeds(List<String> command) {
    try {
      return Waits.forExit(
              new ProcessBuilder(command)
                  .redirectOutput(Redirect.DISCARD)
                  .redirectError(Redirect.DISCARD)
                  .start())
          == 0;
    } catch (IOException e) {
      return false;
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
