package dev.countersign.release;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A service that was started by its launcher and runs until it is closed. */
final class Served implements AutoCloseable {
  private static final Pattern READY = Pattern.compile("(?m)^Countersign serves (http\\S+?),?\\s");
  private static final long SECONDS = 900;

  private final Process process;
  private final Path out;
  private final Path err;
  private final String url;

  private Served(Process process, Path out, Path err) throws IOException, InterruptedException {
    this.process = process;
    this.out = out;
    this.err = err;
    this.url = awaitLine(READY).group(1);
  }

  /** Starts {@code ./countersign} in the folder with these words, and waits for its line. */
  static Served start(Path folder, String... words) throws IOException, InterruptedException {
    List<String> all = new ArrayList<>(List.of("./countersign"));
    all.addAll(Arrays.asList(words));
    return start(Command.in(folder, all.toArray(String[]::new)));
  }

  /** Starts a command that becomes a service, and waits for its line. */
  static Served start(Command command) throws IOException, InterruptedException {
    Path out = Files.createTempFile("serve", ".out");
    Path err = Files.createTempFile("serve", ".err");
    Process process = command.start(out, err);
    try {
      return new Served(process, out, err);
    } catch (AssertionError e) {
      process.destroyForcibly();
      throw e;
    }
  }

  /** Returns its URL, such as {@code http://localhost:41234}. */
  String url() {
    return url;
  }

  String output() throws IOException {
    return Files.readString(out);
  }

  /** Waits for a line on standard output. */
  Matcher awaitLine(Pattern line) throws IOException, InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
    while (System.nanoTime() < end) {
      Optional<Matcher> found = Optional.of(line.matcher(output())).filter(Matcher::find);
      if (found.isPresent()) {
        return found.get();
      }
      if (!process.isAlive()) {
        throw new AssertionError(
            "ended with " + process.exitValue() + ": " + output() + Files.readString(err));
      }
      Thread.sleep(20);
    }
    throw new AssertionError("no line " + line + " in " + output() + Files.readString(err));
  }

  /** Stops it with a signal, and returns its exit code. */
  int terminate() {
    process.destroy();
    try {
      if (process.waitFor(SECONDS, TimeUnit.SECONDS)) {
        return process.exitValue();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    process.destroyForcibly();
    throw new AssertionError("did not end within " + SECONDS + " s of SIGTERM");
  }

  @Override
  public void close() {
    terminate();
  }
}
