package dev.countersign.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/** The command in a process of its own, as a user runs it: to be signalled, killed, listened to. */
public final class CommandProcess implements AutoCloseable {
  private static final long PATIENCE_SECONDS = 300;

  /**
   * What a command is started with, so that SIGINT ends it: a shell has background jobs ignore it,
   * and so would everything that they start.
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
   * @param folder its working directory, which also gets what it prints
   */
  public static CommandProcess start(Path folder, String... arguments) {
    return start(folder, Map.of(), arguments);
  }

  /** Starts a command with further variables in its environment. */
  public static CommandProcess start(
      Path folder, Map<String, String> environment, String... arguments) {
    List<String> command = new ArrayList<>(LISTENING);
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    // Many short lives: compile little, share what the JDK has.
    command.addAll(
        List.of(
            "--enable-native-access=ALL-UNNAMED", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
    command.addAll(List.of("-Xshare:auto", "-Xmx256m", "-Duser.language=en"));
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

  /** Starts {@code serve} on a port of one's choice and waits until it answers. */
  public static CommandProcess serveOn(int port, Path folder, Path data, String... further) {
    List<String> arguments =
        new ArrayList<>(
            List.of("serve", "--port", String.valueOf(port), "--data", data.toString()));
    arguments.addAll(List.of(further));
    CommandProcess serve = start(folder, arguments.toArray(String[]::new));
    serve.await(() -> serve.url().isPresent());
    return serve;
  }

  /** Where it says that it serves. */
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

  /** Waits until it is so, or the process has ended. */
  public void await(BooleanSupplier condition) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    while (!condition.getAsBoolean()) {
      if (!process.isAlive() && !condition.getAsBoolean()) {
        throw new AssertionError("it ended: " + out() + err());
      }
      if (System.nanoTime() > deadline) {
        throw new AssertionError("it does not come: " + out() + err());
      }
      sleep();
    }
  }

  /** Waits for the end and gives the exit code. */
  public int exitCode() {
    try {
      if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        throw new AssertionError("it does not end: " + out() + err());
      }
      return process.exitValue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** SIGKILL: no handler runs, nothing is closed. */
  public void kill() {
    process.destroyForcibly();
    exitCode();
  }

  /** SIGTERM. */
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
    try {
      return new ProcessBuilder(command).redirectErrorStream(true).start().waitFor() == 0;
    } catch (IOException e) {
      return false;
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
