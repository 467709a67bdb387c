package dev.countersign.cli;

import java.io.BufferedReader;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The terminal of this process. It is asked by way of {@code /dev/tty}, so that questions work in
 * the middle of a pipeline too; a child process is started only where a question is asked.
 */
final class SystemTerminal implements Terminal {
  private static final Path TTY = Path.of("/dev/tty");
  private static final int LONGEST = 4096;

  private final PrintStream err;
  private @Nullable Boolean answers;

  SystemTerminal(PrintStream err) {
    this.err = err;
  }

  @Override
  public boolean showsOutput() {
    return isTerminal(1);
  }

  @Override
  public boolean showsErrors() {
    return isTerminal(2);
  }

  @Override
  public boolean answers() {
    if (answers == null) {
      answers = showsErrors() && opens();
    }
    return answers;
  }

  @Override
  public Optional<String> ask(String question) {
    return answers() ? Optional.ofNullable(line(question)) : Optional.empty();
  }

  // Design note: Console.readPassword needs standard input and output on the terminal; a key's
  // passphrase is asked for while either is a pipe.
  @Override
  public Optional<char[]> askSecret(String question) {
    if (!answers()) {
      return Optional.empty();
    }
    // Ctrl-C does not reach a thread that reads from a terminal.
    Thread echo = new Thread(() -> stty("echo"), "echo");
    Runtime.getRuntime().addShutdownHook(echo);
    try {
      return stty("-echo")
          ? Optional.ofNullable(line(question)).map(String::toCharArray)
          : Optional.empty();
    } finally {
      stty("echo");
      err.println();
      noLonger(echo);
    }
  }

  private static void noLonger(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException ending) {
      // Then it runs, which does no harm.
    }
  }

  private @Nullable String line(String question) {
    err.print(question);
    err.flush();
    try (BufferedReader in =
        new BufferedReader(
            new InputStreamReader(new FileInputStream(TTY.toFile()), StandardCharsets.UTF_8),
            LONGEST)) {
      return in.readLine();
    } catch (IOException gone) {
      return null;
    }
  }

  // /proc names the terminal behind a descriptor; elsewhere test(1) tells.
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
    } catch (IOException unknown) {
      return false;
    }
  }

  private static boolean opens() {
    try (FileInputStream terminal = new FileInputStream(TTY.toFile())) {
      return terminal.getFD().valid();
    } catch (IOException none) {
      return false;
    }
  }

  private static boolean stty(String mode) {
    try {
      return run(new ProcessBuilder("stty", mode).redirectInput(TTY.toFile()));
    } catch (IOException none) {
      return false;
    }
  }

  private static boolean run(ProcessBuilder builder) throws IOException {
    if (builder.redirectInput().equals(Redirect.PIPE)) {
      builder.redirectInput(Redirect.INHERIT);
    }
    Process process =
        builder.redirectOutput(Redirect.INHERIT).redirectError(Redirect.INHERIT).start();
    try {
      return process.waitFor() == 0;
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
