package dev.countersign.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.BenchmarkList;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Runs every benchmark for a moment, so that broken ones are found before they are needed. */
class BenchmarksTest {

  @Test
  void benchmarks_areThoseOfTheReadme() {
    assertThat(
            BenchmarkList.defaultList()
                .getAll(
                    OutputFormatFactory.createFormatInstance(System.out, VerboseMode.SILENT),
                    List.of())
                .stream()
                .map(entry -> entry.getUsername().replaceAll(".*\\.(\\w+\\.\\w+)$", "$1")))
        .containsExactlyInAnyOrderElementsOf(
            Set.of(
                "VerifyBenchmark.verify",
                "VerifyBenchmark.verifyRaw",
                "SignBenchmark.sign",
                "SignBenchmark.signRaw",
                "SdkBenchmark.sdkSign",
                "BaseBenchmark.build",
                "BaseBenchmark.append",
                "ParseBenchmark.parseSignatureInput",
                "ParseBenchmark.parseBothFields",
                "ParseBenchmark.readProfile",
                "ParseBenchmark.lookAtBothFields"));
  }

  @Tag("full")
  @ParameterizedTest
  @ValueSource(strings = {Providers.JDK, Providers.NATIVE})
  void verifyAndSign_eachMessage_run(String provider) throws RunnerException {
    assumeAvailable(provider);
    assertThat(run("VerifyBenchmark|SignBenchmark", options -> options.param("provider", provider)))
        .hasSize(4 * Message.values().length)
        .allSatisfy(BenchmarksTest::hasScore);
  }

  @Test
  void sdk_runs() throws RunnerException {
    assertThat(run("SdkBenchmark", options -> options))
        .hasSize(1)
        .allSatisfy(BenchmarksTest::hasScore);
  }

  @Tag("full")
  @Test
  void baseAndParse_eachMessage_run() throws RunnerException {
    assertThat(run("BaseBenchmark|ParseBenchmark", options -> options))
        .hasSize(6 * Message.values().length)
        .allSatisfy(BenchmarksTest::hasScore);
  }

  private static void assumeAvailable(String provider) {
    try {
      Providers.named(provider);
    } catch (IllegalStateException e) {
      assumeTrue(false, "skipped: " + e.getMessage());
    }
  }

  private static Collection<RunResult> run(String benchmarks, Choice choice)
      throws RunnerException {
    ChainedOptionsBuilder options =
        new OptionsBuilder()
            .include(benchmarks)
            .forks(0)
            .warmupIterations(0)
            .measurementIterations(1)
            .measurementTime(TimeValue.milliseconds(10))
            .shouldFailOnError(true)
            .verbosity(VerboseMode.SILENT);
    return new Runner(choice.of(options).build()).run();
  }

  private static void hasScore(RunResult result) {
    assertThat(result.getPrimaryResult().getScore())
        .as(result.getParams().getBenchmark())
        .isPositive();
  }

  @FunctionalInterface
  private interface Choice {
    ChainedOptionsBuilder of(ChainedOptionsBuilder options);
  }
}
