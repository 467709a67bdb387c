package dev.countersign.release;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.testing.Waits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A shell in a release whose scripts see the variables that earlier scripts exported, and at most
 * one service that it started. Only the service's port differs from the documents, because 8080 may
 * be in use.
 */
final class ShellSession implements AutoCloseable {
  // A running service applies an operator's change within a second, on a busy machine later.
  private static final Pattern NOT_YET =
      Pattern.compile("client_unknown|signature_mismatch|role_missing|scope_missing");
  private static final Duration LIMIT = Waits.LIMIT.multipliedBy(2);
  private static final String DOCUMENTED_URL = "http://localhost:8080";

  private final Path release;
  private final Map<String, String> replacements = new HashMap<>();
  private @Nullable Served served;

  ShellSession(Path release) {
    this.release = release;
  }

  /** Replaces a text of the documents, such as an address, in every later script. */
  ShellSession replacing(String text, String replacement) {
    replacements.put(text, replacement);
    return this;
  }

  /** Exports a variable to every later script. */
  ShellSession exporting(String variable, String value) throws IOException, InterruptedException {
    run("export " + variable + "='" + value + "'");
    return this;
  }

  /**
   * Runs a script to its end, and repeats it until the service has applied the changes of earlier
   * scripts.
   */
  Command.Outcome run(String script) throws IOException, InterruptedException {
    String whole = withVariables(inPlace(script) + "\nexport -p >session\n");
    long end = System.nanoTime() + LIMIT.toNanos();
    Command.Outcome outcome = Command.shell(release, whole).run();
    while (NOT_YET.matcher(outcome.out() + outcome.err()).find() && System.nanoTime() < end) {
      Thread.sleep(100);
      outcome = Command.shell(release, whole).run();
    }
    return outcome.succeeded();
  }

  /** Stops the service, if there is one, and starts another with {@code ./countersign serve …}. */
  void serve(String line) throws IOException, InterruptedException {
    assertThat(line.strip()).startsWith("./countersign serve").doesNotContain("\n");
    String before = served == null ? DOCUMENTED_URL : served.url();
    close();
    String command = withVariables("exec " + line.strip() + " --port 0");
    served = Served.start(Command.shell(release, command));
    Path variables = release.resolve("session");
    if (Files.exists(variables)) {
      Files.writeString(variables, Files.readString(variables).replace(before, served.url()));
    }
  }

  /** Returns a text of the documents with the addresses of this session. */
  String inPlace(String text) {
    String replaced = text;
    for (Map.Entry<String, String> entry : replacements.entrySet()) {
      replaced = replaced.replace(entry.getKey(), entry.getValue());
    }
    return served == null ? replaced : replaced.replace(DOCUMENTED_URL, served.url());
  }

  private static String withVariables(String script) {
    return "[ ! -f session ] || . ./session\n" + script;
  }

  @Override
  public void close() {
    if (served != null) {
      served.close();
      served = null;
    }
  }
}
