package dev.countersign.release.faults;

import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Starts other programs, each with a log in one folder, and ends them all with this one. */
final class Programs implements AutoCloseable {
  private static final Duration LIMIT = Duration.ofMinutes(3);
  private static final String DATABASE_USER = "postgres";
  private static final Set<String> KEPT = Set.of("HOME", "LANG", "LC_ALL", "TMPDIR");

  private final Path folder;
  private final Map<String, String> environment;
  private final Queue<Process> started = new ConcurrentLinkedQueue<>();
  private boolean isClosed;

  /**
   * Prepares to start programs.
   *
   * @param folder the folder of the logs, in which programs run
   * @param environment the variables of all programs. They have few others, because the user's own
   *     could lead them to another database
   */
  Programs(Path folder, Map<String, String> environment) {
    this.folder = folder;
    this.environment = Map.copyOf(environment);
    Runtime.getRuntime().addShutdownHook(new Thread(this::close));
  }

  /** Starts a program that runs until it is ended. Its log continues an earlier one. */
  Process start(String name, Map<String, String> further, String... command) throws IOException {
    return launch(builder(name, further, command));
  }

  private synchronized Process launch(ProcessBuilder builder) throws IOException {
    if (isClosed) {
      throw new IllegalStateException("the programs have been ended");
    }
    Process process = builder.start();
    started.add(process);
    return process;
  }

  /** Runs a script of the shell to its end, and returns what it printed. */
  String shell(String script) throws IOException, InterruptedException {
    return run("shell", "sh", "-ec", script);
  }

  /** Runs a script of the shell as the user that PostgreSQL may run as. */
  String shellOfDatabase(String script) throws IOException, InterruptedException {
    return run("shell", ofDatabase("sh", "-ec", script));
  }

  /** Runs a command to its end, and returns what it printed. */
  String run(String name, String... command) throws IOException, InterruptedException {
    Path out = Files.createTempFile(folder, name, ".out");
    Process process = launch(builder(name, Map.of(), command).redirectOutput(out.toFile()));
    if (!process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)) {
      throw new IOException(name + " still ran after " + LIMIT.toSeconds() + " s");
    }
    int exit = process.exitValue();
    String printed = Files.readString(out);
    Files.delete(out);
    forget(process);
    if (exit != 0) {
      throw new IOException(
          String.format(
              Locale.ROOT,
              "%s ended with %d; see %s: %s",
              List.of(command),
              exit,
              log(name),
              printed));
    }
    return printed;
  }

  private ProcessBuilder builder(String name, Map<String, String> further, String... command) {
    // env looks for the command in the PATH below, and becomes it.
    List<String> words = new ArrayList<>(List.of("env"));
    words.addAll(List.of(command));
    ProcessBuilder builder = new ProcessBuilder(words).directory(folder.toFile());
    builder.environment().keySet().retainAll(KEPT);
    builder.environment().putAll(environment);
    builder.environment().putAll(further);
    return builder
        .redirectInput(new File("/dev/null"))
        .redirectOutput(Redirect.appendTo(log(name).toFile()))
        .redirectError(Redirect.appendTo(log(name).toFile()));
  }

  /** Returns a variable of all programs. */
  @Nullable String variable(String name) {
    return environment.get(name);
  }

  /** Returns the log of a program. */
  Path log(String name) {
    return folder.resolve(name + ".log");
  }

  /**
   * Returns a command for the user that PostgreSQL runs as, because it refuses to run as root. The
   * process becomes the command, so it can be signalled.
   */
  static String[] ofDatabase(String... command) {
    List<String> words = new ArrayList<>();
    if (System.getProperty("user.name").equals("root")) {
      words.addAll(
          List.of(
              "setpriv",
              "--reuid",
              DATABASE_USER,
              "--regid",
              DATABASE_USER,
              "--init-groups",
              "--"));
    }
    words.addAll(List.of(command));
    return words.toArray(String[]::new);
  }

  /** Sends a signal, also to a process that has just ended. */
  void signal(String signal, ProcessHandle process) throws IOException, InterruptedException {
    shell("kill -" + signal + " " + process.pid() + " || true");
  }

  /** Leaves a process that has ended out of those to be ended. */
  void forget(Process ended) {
    started.remove(ended);
  }

  /** Waits until a condition holds, and fails with these words if it does not. */
  static void await(String what, BooleanSupplier condition) throws InterruptedException {
    long end = System.nanoTime() + LIMIT.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > end) {
        throw new IllegalStateException("still waiting after " + LIMIT.toSeconds() + " s: " + what);
      }
      Thread.sleep(50);
    }
  }

  /** Ends all programs, and waits for their ends. */
  @Override
  public synchronized void close() {
    isClosed = true;
    List<ProcessHandle> all =
        started.stream()
            .flatMap(process -> Stream.concat(process.descendants(), Stream.of(process.toHandle())))
            .toList();
    all.forEach(ProcessHandle::destroyForcibly);
    try {
      await("the end of " + all, () -> all.stream().noneMatch(ProcessHandle::isAlive));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
