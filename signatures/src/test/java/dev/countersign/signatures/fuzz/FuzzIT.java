package dev.countersign.signatures.fuzz;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.countersign.testing.TestLocale;
import dev.countersign.testing.Waits;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Fuzzes the targets: all of them in one process and, in the full run, each in its own process,
 * which Jazzer needs to follow one target alone. The random seed is always the same, so that a
 * build is judged only by its own change; {@code signatures/fuzz} searches further, with a new seed
 * each time.
 */
class FuzzIT {
  private static final String PACKAGE = FuzzIT.class.getPackageName();
  private static final Path SOURCES = Path.of("src/test/java", PACKAGE.replace('.', '/'));
  private static final Path SEEDS = Path.of("src/test/fuzz").toAbsolutePath();
  private static final String SUFFIX = "Fuzz.java";
  private static final int RUNS = 500;

  /** For all targets together, including the seeds. */
  private static final int RUNS_IN_ONE_PROCESS = 2000;

  /** Stops a target that hangs; a run ends by its number of inputs, however slow the machine. */
  private static final Duration LIMIT = Waits.LIMIT.multipliedBy(10);

  private static final int RANDOM_SEED = 9421;

  @TempDir Path folder;

  /** A target that breaks on {@code DEFECT}, which is hard to guess. */
  public static final class Defective {
    private Defective() {}

    public static void fuzzerTestOneInput(byte[] input) {
      FuzzFinding.unless(!new String(input, UTF_8).startsWith("DEFECT"), "the planted one");
    }
  }

  /** Runs every target in one process: the first byte of an input chooses the target. */
  public static final class Every {
    private static final List<String> NAMES = List.of(System.getProperty("targets").split(","));
    private static final List<Method> METHODS = NAMES.stream().map(Every::method).toList();
    private static final int[] COUNTS = new int[NAMES.size()];

    static {
      Runtime.getRuntime().addShutdownHook(new Thread(Every::printCounts));
    }

    private Every() {}

    public static void fuzzerTestOneInput(byte[] input) throws Throwable {
      if (input.length == 0) {
        return;
      }
      int target = Byte.toUnsignedInt(input[0]) % NAMES.size();
      COUNTS[target]++;
      try {
        METHODS.get(target).invoke(null, (Object) Arrays.copyOfRange(input, 1, input.length));
      } catch (InvocationTargetException thrown) {
        throw thrown.getCause();
      }
    }

    private static void printCounts() {
      for (int target = 0; target < COUNTS.length; target++) {
        System.err.println(NAMES.get(target) + " had " + COUNTS[target] + " inputs");
      }
    }

    private static Method method(String name) {
      try {
        return Class.forName(PACKAGE + "." + name + "Fuzz")
            .getMethod("fuzzerTestOneInput", byte[].class);
      } catch (ReflectiveOperationException e) {
        throw new IllegalArgumentException(name, e);
      }
    }
  }

  @Test
  @Timeout(value = 20, unit = TimeUnit.MINUTES)
  void targets_inOneProcess_findNothing() throws Exception {
    List<String> targets = targets();
    Path seeds = Files.createDirectory(folder.resolve("seeds"));
    for (int target = 0; target < targets.size(); target++) {
      for (Path seed : seeds(targets.get(target))) {
        ByteArrayOutputStream chosen = new ByteArrayOutputStream();
        chosen.write(target);
        chosen.write(Files.readAllBytes(seed));
        Files.write(seeds.resolve(target + "-" + seed.getFileName()), chosen.toByteArray());
      }
    }
    Process process =
        start(
            "FuzzIT$Every",
            RUNS_IN_ONE_PROCESS,
            List.of("-Dtargets=" + String.join(",", targets)),
            List.of(seeds.toString()));
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(Waits.forExit(process)).as("there is a finding:%n%s", output).isZero();
    assertThat(output).contains("Done " + RUNS_IN_ONE_PROCESS + " runs");
    assertThat(targets)
        .allSatisfy(
            target -> assertThat(output).containsPattern("(?m)^" + target + " had [1-9][0-9]*"));
  }

  /** Runs two at a time, because a short run is mostly the start of a Java process. */
  @Tag("full")
  @TestFactory
  Stream<DynamicTest> target_shortRun_findsNothing() throws IOException {
    ExecutorService two = Executors.newFixedThreadPool(2);
    Map<String, Future<Run>> runs = new LinkedHashMap<>();
    for (String target : targets()) {
      runs.put(target, two.submit(() -> run(target)));
    }
    two.shutdown();
    return runs.entrySet().stream()
        .map(run -> dynamicTest(run.getKey(), () -> foundNothing(run.getKey(), run.getValue())));
  }

  @Tag("full")
  @Test
  @Timeout(value = 20, unit = TimeUnit.MINUTES)
  void target_withADefect_isFoundAndItsInputShown() throws Exception {
    Process process = start("FuzzIT$Defective", -1, List.of(), List.of());
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(Waits.forExit(process)).as(output).isNotZero();
    assertThat(output).contains("Finding: the planted one").containsPattern("Base64: REVGRUNU");
  }

  private static List<String> targets() throws IOException {
    try (Stream<Path> files = Files.list(SOURCES)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(SUFFIX))
          .map(name -> name.substring(0, name.length() - SUFFIX.length()))
          .sorted()
          .toList();
    }
  }

  /** The result of a target's process. */
  private record Run(int exit, String output) {}

  private Run run(String target) throws IOException, InterruptedException {
    assertThat(seeds(target)).as("what the fuzzer starts from").isNotEmpty();
    Process process =
        start(target + "Fuzz", RUNS, List.of(), List.of(SEEDS.resolve(target).toString()));
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    return new Run(Waits.forExit(process), output);
  }

  private static List<Path> seeds(String target) throws IOException {
    try (Stream<Path> files = Files.list(SEEDS.resolve(target))) {
      return files.sorted().toList();
    }
  }

  private static void foundNothing(String target, Future<Run> ended) throws Exception {
    // Twice its limit, so that the fuzzer itself ends first and names the input.
    Run run = ended.get(2 * LIMIT.toSeconds(), TimeUnit.SECONDS);
    assertThat(run.exit()).as("%s has a finding:%n%s", target, run.output()).isZero();
    assertThat(run.output()).contains("Done " + RUNS + " runs");
  }

  /** Writes new inputs and findings to the folder, and a finding's input to the output too. */
  private Process start(String targetClass, int runs, List<String> options, List<String> seeds)
      throws IOException {
    Path corpus = Files.createTempDirectory(folder, "corpus");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx512m", "-XX:+EnableDynamicAgentLoading"));
    command.add("--enable-native-access=ALL-UNNAMED");
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(TestLocale.options());
    command.addAll(options);
    command.add("com.code_intelligence.jazzer.Jazzer");
    command.add("--target_class=" + PACKAGE + "." + targetClass);
    command.add("--instrumentation_includes=dev.countersign.**");
    command.addAll(List.of("-seed=" + RANDOM_SEED, "-runs=" + runs));
    command.addAll(List.of("-timeout=300", "-max_total_time=" + LIMIT.toSeconds()));
    command.add(corpus.toString());
    command.addAll(seeds);
    return new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true).start();
  }
}
