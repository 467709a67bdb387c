package dev.countersign.release.faults;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A program that serves, and can be frozen, ended and started again. */
class Program {
  private final Programs programs;
  private final String name;
  private @Nullable Process process;

  /** Prepares a program. Its name is that of its log. */
  Program(Programs programs, String name) {
    this.programs = programs;
    this.name = name;
  }

  String name() {
    return name;
  }

  /**
   * Starts the program and waits until it serves.
   *
   * @param further variables for this program alone
   */
  final void start(Map<String, String> further, BooleanSupplier serves, String... command)
      throws IOException, InterruptedException {
    Process started = programs.start(name, further, command);
    process = started;
    Programs.await(
        name + " to serve, see " + programs.log(name),
        () -> serves.getAsBoolean() || !started.isAlive());
    if (!started.isAlive()) {
      throw new IllegalStateException(name + " has ended; see " + programs.log(name));
    }
  }

  boolean isRunning() {
    return process != null && process.isAlive();
  }

  private Process running() {
    if (process == null) {
      throw new IllegalStateException(name + " was not started");
    }
    return process;
  }

  private List<ProcessHandle> children() {
    return running().descendants().toList();
  }

  /** Freezes the process (SIGSTOP) and then its children; connections stay open. */
  void freeze() throws IOException, InterruptedException {
    signal("STOP");
    for (ProcessHandle child : children()) {
      programs.signal("STOP", child);
    }
  }

  /** Wakes the children and then the process. */
  void thaw() throws IOException, InterruptedException {
    for (ProcessHandle child : children()) {
      programs.signal("CONT", child);
    }
    signal("CONT");
  }

  /** Ends the process and its children at once (SIGKILL), as the end of its machine would. */
  final void kill() throws IOException, InterruptedException {
    // It must start no more children.
    signal("STOP");
    List<ProcessHandle> all =
        Stream.concat(children().stream(), Stream.of(running().toHandle())).toList();
    all.forEach(ProcessHandle::destroyForcibly);
    Programs.await("the end of " + name, () -> all.stream().noneMatch(ProcessHandle::isAlive));
    programs.forget(running());
  }

  /** Ends the process cleanly with a signal, and waits for its end. */
  final void end(String signal) throws IOException, InterruptedException {
    signal(signal);
    Programs.await("the end of " + name, () -> !isRunning());
    programs.forget(running());
  }

  private void signal(String signal) throws IOException, InterruptedException {
    programs.signal(signal, running().toHandle());
  }
}
