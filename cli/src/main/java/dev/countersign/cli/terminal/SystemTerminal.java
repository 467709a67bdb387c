package dev.countersign.cli.terminal;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedReader;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The terminal of this process. Questions go through {@code /dev/tty}, so they also work in a
 * pipeline, whatever the standard streams are. Child processes switch the terminal's echo off and
 * on for a passphrase. On systems without {@code /proc}, a child process also checks whether a
 * standard stream is a terminal.
 */
public final class SystemTerminal implements Terminal {
  private static final Path TTY = Path.of("/dev/tty");
  // In characters.
  private static final int ANSWER_BUFFER_SIZE = 4096;
  private static final int ECHO_ATTEMPTS = 5;
  // Positions in /proc/self/stat, counted from 0 after the name of the process.
  private static final int PROCESS_GROUP = 2;
  private static final int FOREGROUND_GROUP = 5;

  private @Nullable Boolean isStandardOutputTerminal;
  private @Nullable Boolean isStandardErrorTerminal;
  private @Nullable Boolean canAsk;

  @Override
  public boolean isStandardOutputTerminal() {
    if (isStandardOutputTerminal == null) {
      isStandardOutputTerminal = isTerminal(1);
    }
    return isStandardOutputTerminal;
  }

  @Override
  public boolean isStandardErrorTerminal() {
    if (isStandardErrorTerminal == null) {
      isStandardErrorTerminal = isTerminal(2);
    }
    return isStandardErrorTerminal;
  }

  @Override
  public boolean canAsk() {
    if (canAsk == null) {
      // The system stops a background job that reads from the terminal.
      canAsk = canOpenTerminal() && isInForeground();
    }
    return canAsk;
  }

  @Override
  public Optional<String> ask(String question) {
    return canAsk() ? Optional.ofNullable(promptAndReadLine(question)) : Optional.empty();
  }

  // Design note: Console.readPassword needs standard input and output on the terminal, but a
  // passphrase may also be needed when one of them is a pipe.
  @Override
  public Optional<char[]> askSecret(String question) {
    if (!canAsk()) {
      return Optional.empty();
    }
    // After a signal, the process ends even if this method does not return in time. The hook then
    // switches the echo on.
    Thread echoHook = new Thread(() -> stty("echo"), "echo");
    Runtime.getRuntime().addShutdownHook(echoHook);
    try {
      return askWithoutEcho(question).map(String::toCharArray);
    } finally {
      boolean wasInterrupted = switchEchoOn();
      show("\n");
      removeShutdownHook(echoHook);
      if (wasInterrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /**
   * Switches the echo on. Tries several times, because an attempt can fail: an interrupted thread
   * does not wait for a child process, and Ctrl-C also ends the child process.
   *
   * @return whether this thread was interrupted before or during the call
   */
  private static boolean switchEchoOn() {
    boolean wasInterrupted = Thread.interrupted();
    for (int attempts = ECHO_ATTEMPTS; attempts > 0 && !stty("echo"); attempts--) {
      wasInterrupted |= Thread.interrupted();
    }
    return wasInterrupted;
  }

  private static Optional<String> askWithoutEcho(String question) {
    boolean echoIsOff = stty("-echo");
    if (Thread.interrupted()) {
      throw CliException.interrupted();
    }
    return echoIsOff ? Optional.ofNullable(promptAndReadLine(question)) : Optional.empty();
  }

  private static void removeShutdownHook(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The process is ending, so the hook runs and switches the echo on a second time.
    }
  }

  private static @Nullable String promptAndReadLine(String question) {
    show(question);
    try (BufferedReader in =
        new BufferedReader(
            new InputStreamReader(
                new InterruptibleInput(new FileInputStream(TTY.toFile())), StandardCharsets.UTF_8),
            ANSWER_BUFFER_SIZE)) {
      return in.readLine();
    } catch (IOException e) {
      return null;
    }
  }

  private static void show(String text) {
    try (OutputStream terminal = new FileOutputStream(TTY.toFile())) {
      terminal.write(text.getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      // Reading the answer then fails, too, and the caller learns that there is no terminal.
    }
  }

  // /proc names the file behind a descriptor. Without /proc, test(1) checks the descriptor.
  private static boolean isTerminal(int descriptor) {
    Path link = Path.of("/proc/self/fd", String.valueOf(descriptor));
    try {
      if (Files.isSymbolicLink(link)) {
        String target = Files.readSymbolicLink(link).toString();
        return target.startsWith("/dev/pts/")
            || target.startsWith("/dev/tty")
            || target.equals("/dev/console");
      }
      return run(new ProcessBuilder("test", "-t", String.valueOf(descriptor)));
    } catch (IOException e) {
      return false;
    }
  }

  private static boolean canOpenTerminal() {
    try (FileInputStream terminal = new FileInputStream(TTY.toFile())) {
      return terminal.getFD().valid();
    } catch (IOException e) {
      return false;
    }
  }

  private static boolean isInForeground() {
    try {
      return isInForeground(Files.readString(Path.of("/proc/self/stat"), ISO_8859_1));
    } catch (IOException e) {
      return true;
    }
  }

  /**
   * Returns whether a process belongs to the foreground job of its terminal.
   *
   * @param stat the stat line of the process, as proc(5) describes it. The name of the process in
   *     this line may contain blanks and brackets
   */
  static boolean isInForeground(String stat) {
    String[] fields = stat.substring(stat.lastIndexOf(')') + 1).strip().split(" ", -1);
    return fields.length <= FOREGROUND_GROUP
        || fields[PROCESS_GROUP].equals(fields[FOREGROUND_GROUP]);
  }

  /** Sets a mode of the terminal, and returns whether that succeeded. */
  private static boolean stty(String mode) {
    try {
      return run(new ProcessBuilder("stty", mode).redirectInput(TTY.toFile()));
    } catch (IOException e) {
      return false;
    }
  }

  /** Runs a child process, and returns whether it succeeded. */
  private static boolean run(ProcessBuilder builder) throws IOException {
    if (builder.redirectInput().equals(Redirect.PIPE)) {
      builder.redirectInput(Redirect.INHERIT);
    }
    Process process =
        builder.redirectOutput(Redirect.INHERIT).redirectError(Redirect.INHERIT).start();
    try {
      return process.waitFor() == 0;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
