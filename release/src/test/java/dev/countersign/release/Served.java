package dev.countersign.release;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.testing.Waits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;

/** A service that was started by its launcher and runs until it is closed. */
final class Served implements AutoCloseable {
  private static final Pattern READY = Pattern.compile("(?m)^Countersign serves (http\\S+?),?\\s");

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
    Awaitility.await()
        .atMost(Command.LIMIT)
        .until(() -> line.matcher(output()).find() || !process.isAlive());
    Matcher found = line.matcher(output());
    assertThat(found.find()).as("%s in %s%s", line, output(), Files.readString(err)).isTrue();
    return found;
  }

  /** Stops it with a signal, and returns its exit code. */
  int terminate() {
    process.destroy();
    try {
      return Waits.forExit(process);
    } catch (InterruptedException e) {
      process.destroyForcibly();
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    terminate();
  }
}
