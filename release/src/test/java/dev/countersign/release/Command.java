package dev.countersign.release;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.testing.TestLocale;
import dev.countersign.testing.Waits;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Assumptions;

/** A command as a user would type it, in a folder and with an environment. */
final class Command {
  private static final String OPTIONS_OF_JAVA = "COUNTERSIGN_JAVA_OPTS";

  /** Longer than other waits: a command may start Java several times, or install a package. */
  static final Duration LIMIT = Waits.LIMIT.multipliedBy(10);

  private static final Set<String> EXAMPLE =
      Set.of("BASE_URL", "CLIENT_ID", "PRIVATE_KEY", "LISTING", "WITHOUT_DATE");

  private final Path folder;
  private final List<String> words;
  private final Map<String, String> environment = new HashMap<>();

  private Command(Path folder, List<String> words) {
    this.folder = folder;
    this.words = words;
    environment.put("JAVA_HOME", System.getProperty("java.home"));
    if (!TestLocale.options().isEmpty()) {
      environment.put(OPTIONS_OF_JAVA, String.join(" ", TestLocale.options()));
    }
  }

  static Command in(Path folder, String... words) {
    return new Command(folder, List.of(words));
  }

  /** A script for the system's shell, which stops at the first command that fails. */
  static Command shell(Path folder, String script) {
    return in(folder, "sh", "-ec", script);
  }

  /** Sets a variable. Options of Java are added to those of the run. */
  Command with(String variable, String value) {
    if (variable.equals(OPTIONS_OF_JAVA)) {
      environment.merge(variable, value, (given, added) -> given + " " + added);
    } else {
      environment.put(variable, value);
    }
    return this;
  }

  /** The result of a command. */
  record Outcome(int exit, String out, String err) {
    Outcome succeeded() {
      assertThat(exit).as("exit code; standard error: %s; output: %s", err, out).isZero();
      return this;
    }

    String firstLine() {
      return out.lines().findFirst().orElse("");
    }
  }

  /** Runs the command to its end. */
  Outcome run() throws IOException, InterruptedException {
    Path out = Files.createTempFile("out", ".txt");
    Path err = Files.createTempFile("err", ".txt");
    Process process = start(out, err);
    try {
      int exit = Waits.forExit(process, LIMIT);
      return new Outcome(exit, Files.readString(out), Files.readString(err));
    } finally {
      process.destroyForcibly();
      Files.delete(out);
      Files.delete(err);
    }
  }

  /** Starts the command, with its output in files. */
  Process start(Path out, Path err) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(words).directory(folder.toFile());
    // The variables that examples read may be set in the environment of the tests.
    builder.environment().keySet().removeAll(EXAMPLE);
    builder.environment().putAll(environment);
    return builder
        .redirectInput(new File("/dev/null"))
        .redirectOutput(out.toFile())
        .redirectError(err.toFile())
        .start();
  }

  /** Skips a test if a tool is missing, even on a build machine. */
  static void skipWithout(String tool) {
    Assumptions.assumeTrue(isInstalled(tool), tool + " is not installed");
  }

  private static boolean isInstalled(String tool) {
    return Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
        .anyMatch(folder -> Files.isExecutable(Path.of(folder, tool)));
  }

  /** Skips a test if a tool is missing; on a build machine the test fails. */
  static void require(String... tools) {
    for (String tool : tools) {
      boolean found = isInstalled(tool);
      if (!found && "true".equals(System.getenv("CI"))) {
        throw new AssertionError(tool + " is not installed, and CI=true forbids skipping");
      }
      Assumptions.assumeTrue(found, tool + " is not installed");
    }
  }
}
