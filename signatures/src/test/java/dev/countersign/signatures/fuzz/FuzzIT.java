package dev.countersign.signatures.fuzz;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Fuzzes each target with so many inputs, in a process of its own as Jazzer needs it. Its random
 * choices begin at the same number each time, so that a build is judged by its own change alone;
 * {@code signatures/fuzz} looks further, from another number each time.
 */
class FuzzIT {
  private static final String PACKAGE = FuzzIT.class.getPackageName();
  private static final Path SOURCES = Path.of("src/test/java", PACKAGE.replace('.', '/'));
  private static final Path SEEDS = Path.of("src/test/fuzz").toAbsolutePath();
  private static final String SUFFIX = "Fuzz.java";
  private static final int RUNS = 500;

  /** Ends a target that hangs; a run ends by its number of inputs, however slow the machine. */
  private static final int SECONDS = 1_800;

  private static final int RANDOM_SEED = 9421;

  @TempDir Path folder;

  /** A target that breaks on {@code DEFECT}, which nobody would guess. */
  public static final class Defective {
    private Defective() {}

    public static void fuzzerTestOneInput(byte[] input) {
      Finding.unless(!new String(input, UTF_8).startsWith("DEFECT"), "the planted one");
    }
  }

  /** Two at a time: most of a short run is the start of a Java process. */
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

  @Test
  void target_withADefect_isFoundAndItsInputShown() throws Exception {
    Process process = start("FuzzIT$Defective", -1, List.of());
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).as(output).isNotZero();
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

  /** How the process of a target ended. */
  private record Run(int exit, String output) {}

  private Run run(String target) throws IOException, InterruptedException {
    Path seeds = SEEDS.resolve(target);
    assertThat(seeds).as("what the fuzzer starts from").isNotEmptyDirectory();
    Process process = start(target + "Fuzz", RUNS, List.of(seeds.toString()));
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    return new Run(process.waitFor(), output);
  }

  private static void foundNothing(String target, Future<Run> ended) throws Exception {
    Run run = ended.get();
    assertThat(run.exit()).as("%s has a finding:%n%s", target, run.output()).isZero();
    assertThat(run.output()).contains("Done " + RUNS + " runs");
  }

  /** New inputs and findings go into the folder, and a finding's input into the output too. */
  private Process start(String targetClass, int runs, List<String> seeds) throws IOException {
    Path corpus = Files.createTempDirectory(folder, "corpus");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx512m", "-XX:+EnableDynamicAgentLoading"));
    command.add("--enable-native-access=ALL-UNNAMED");
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add("com.code_intelligence.jazzer.Jazzer");
    command.add("--target_class=" + PACKAGE + "." + targetClass);
    command.add("--instrumentation_includes=dev.countersign.**");
    command.addAll(List.of("-seed=" + RANDOM_SEED, "-runs=" + runs));
    command.addAll(List.of("-timeout=300", "-max_total_time=" + SECONDS));
    command.add(corpus.toString());
    command.addAll(seeds);
    return new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true).start();
  }
}
