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
    fitness.roundCompleted(fitness.now());
    comparison.compare(exact(Duration.ofSeconds(own)), seconds(others));
    assertThat(fitness.isFit()).isEqualTo(!refuses);
  }

  @Test
  void compare_differenceWithinTheErrorOfTheMeasurement_isNone() {
    fitness.roundCompleted(fitness.now());
    try (LogCapture log = LogCapture.of(ClockComparison.class)) {
      comparison.compare(
          new ClockReading(Duration.ofSeconds(35), Duration.ofSeconds(35)), seconds("0 0"));
      assertThat(fitness.isFit()).isTrue();
      assertThat(log.linesOfThisThread()).isEmpty();
    }
  }

  /** Only the clock of the database is wrong, but another node has read its own one slowly. */
  @Test
  void compare_differenceWithinTheErrorOfTheOtherNode_isNone() {
    fitness.roundCompleted(fitness.now());
    ClockReading slow = new ClockReading(Duration.ofSeconds(735), Duration.ofSeconds(36));
    comparison.compare(exact(Duration.ofSeconds(700)), List.of(slow));
    assertThat(fitness.isFit()).isTrue();
    ClockReading exact = new ClockReading(Duration.ofSeconds(735), Duration.ofSeconds(4));
    comparison.compare(exact(Duration.ofSeconds(700)), List.of(exact));
    assertThat(fitness.isFit()).isFalse();
  }

  @Test
  void compare_limitBelowTheWarning_refusesAboveTheWarningOnly() {
    fitness.roundCompleted(fitness.now());
    ClockComparison strict = new ClockComparison(Duration.ZERO, fitness);
    strict.compare(exact(Duration.ofSeconds(2)), seconds("0"));
    assertThat(fitness.isFit()).isTrue();
    strict.compare(exact(Duration.ofSeconds(3)), seconds("0"));
    assertThat(fitness.isFit()).isFalse();
  }

  @Test
  void log_warnsOnceAboveTwoSecondsAndSaysWhenItIsOver() {
    try (LogCapture log = LogCapture.of(ClockComparison.class)) {
      comparison.compare(exact(Duration.ofSeconds(2)), seconds("0"));
      assertThat(log.linesOfThisThread()).isEmpty();
      for (int i = 0; i < 3; i++) {
        comparison.compare(exact(Duration.ofMillis(2_100)), seconds("0"));
      }
      comparison.compare(exact(Duration.ZERO), seconds("0"));
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
      comparison.compare(exact(Duration.ZERO), seconds("0 5"));
      comparison.compare(exact(Duration.ZERO), seconds("700"));
      assertThat(log.linesOfThisThread()).isEmpty();
      comparison.compare(exact(Duration.ofSeconds(5)), seconds("0 5"));
      assertThat(log.linesOfThisThread())
          .singleElement()
          .satisfies(line -> assertThat(line).contains("5.0 s", "1 of 2 other nodes"));
    }
  }

  private static ClockReading exact(Duration difference) {
    return new ClockReading(difference, Duration.ZERO);
  }

  private static List<ClockReading> seconds(String others) {
    return Arrays.stream(others.split(" "))
        .filter(other -> !other.isEmpty())
        .map(Long::parseLong)
        .map(Duration::ofSeconds)
        .map(ClockComparisonTest::exact)
        .toList();
  }
}
