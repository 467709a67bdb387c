package dev.countersign.server.nodes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.server.LogCapture;
import dev.countersign.server.access.NodeFitness;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClockComparisonTest {
  private static final Duration LIMIT = Duration.ofSeconds(30);

  private final NodeFitness fitness = new NodeFitness(Duration.ofSeconds(60), System::nanoTime);
  private final ClockComparison comparison = new ClockComparison(LIMIT, fitness);

  /** The clocks are in seconds ahead of the clock of the database. */
  @ParameterizedTest
  @CsvSource(
      textBlock =
          """
          # own, the others, refuses
          700,   '0 0',    true
          -700,  '0 0',    true
          700,   '0',      true
          31,    '0 0',    true
          30,    '0 0',    false
          31,    '0 31 0', true
          # Only the clock of the database is wrong.
          700,   '700 700', false
          700,   '700',     false
          # Half of the other nodes are not most of them.
          700,   '700 0',   false
          # Nothing tells which clock is wrong.
          700,   '',        false
          0,     '700 700', false
          """)
  void compare_nodeBeyondTheLimit_refusesOnlyIfMostOthersDiffer(
      long own, String others, boolean refuses) {
    fitness.learned(fitness.now());
    comparison.compare(Duration.ofSeconds(own), Duration.ZERO, seconds(others));
    assertThat(fitness.isFit()).isEqualTo(!refuses);
  }

  @Test
  void compare_differenceWithinTheErrorOfTheMeasurement_isNone() {
    fitness.learned(fitness.now());
    try (LogCapture log = LogCapture.of(ClockComparison.class)) {
      comparison.compare(Duration.ofSeconds(35), Duration.ofSeconds(35), seconds("0 0"));
      assertThat(fitness.isFit()).isTrue();
      assertThat(log.linesOfThisThread()).isEmpty();
    }
  }

  @Test
  void compare_limitBelowTheWarning_refusesAboveTheWarningOnly() {
    fitness.learned(fitness.now());
    ClockComparison strict = new ClockComparison(Duration.ZERO, fitness);
    strict.compare(Duration.ofSeconds(2), Duration.ZERO, seconds("0"));
    assertThat(fitness.isFit()).isTrue();
    strict.compare(Duration.ofSeconds(3), Duration.ZERO, seconds("0"));
    assertThat(fitness.isFit()).isFalse();
  }

  @Test
  void log_warnsOnceAboveTwoSecondsAndSaysWhenItIsOver() {
    try (LogCapture log = LogCapture.of(ClockComparison.class)) {
      comparison.compare(Duration.ofSeconds(2), Duration.ZERO, seconds("0"));
      assertThat(log.linesOfThisThread()).isEmpty();
      for (int i = 0; i < 3; i++) {
        comparison.compare(Duration.ofMillis(2_100), Duration.ZERO, seconds("0"));
      }
      comparison.compare(Duration.ZERO, Duration.ZERO, seconds("0"));
      assertThat(log.linesOfThisThread())
          .satisfiesExactly(
              begin -> assertThat(begin).contains("2.1 s", "NTP"),
              end -> assertThat(end).contains("resolved"));
    }
  }

  /** The node with the wrong clock logs it, and not each of the others. */
  @Test
  void log_saysNothingOfAnotherNodeWhoseClockDiffers() {
    try (LogCapture log = LogCapture.of(ClockComparison.class)) {
      comparison.compare(Duration.ZERO, Duration.ZERO, seconds("0 5"));
      comparison.compare(Duration.ZERO, Duration.ZERO, seconds("700"));
      assertThat(log.linesOfThisThread()).isEmpty();
      comparison.compare(Duration.ofSeconds(5), Duration.ZERO, seconds("0 5"));
      assertThat(log.linesOfThisThread())
          .singleElement()
          .satisfies(line -> assertThat(line).contains("5.0 s", "1 of 2 other nodes"));
    }
  }

  private static List<Duration> seconds(String others) {
    return Arrays.stream(others.split(" "))
        .filter(other -> !other.isEmpty())
        .map(Long::parseLong)
        .map(Duration::ofSeconds)
        .toList();
  }
}
