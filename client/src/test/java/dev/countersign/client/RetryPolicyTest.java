package dev.countersign.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RetryPolicyTest {
  private static final RetryPolicy POLICY =
      new RetryPolicy(9, Duration.ofMillis(100), Duration.ofSeconds(1));

  @ParameterizedTest
  @CsvSource({
    "1, 1, 100",
    "1, 0, 0",
    "1, 0.5, 50",
    "2, 1, 200",
    "3, 1, 400",
    "4, 1, 800",
    "5, 1, 1000",
    "100, 1, 1000"
  })
  void delayAfter_attempt_isAPartOfADoublingBound(int attempt, double random, long millis) {
    assertThat(POLICY.delayAfter(attempt, random)).isEqualTo(Duration.ofMillis(millis));
  }

  @Test
  void delayAfter_veryLongDelays_doesNotOverflow() {
    Duration forEver = ChronoUnit.FOREVER.getDuration();
    RetryPolicy patient = POLICY.withMaximumDelay(forEver);

    assertThat(patient.delayAfter(2, 1)).isEqualTo(Duration.ofMillis(200));
    assertThat(patient.withFirstDelay(forEver).delayAfter(9, 1))
        .isEqualTo(Duration.ofMillis(Long.MAX_VALUE));
  }

  @Test
  void with_copies() {
    assertThat(RetryPolicy.none().attempts()).isEqualTo(1);
    assertThat(RetryPolicy.standard().withAttempts(7).attempts()).isEqualTo(7);
    assertThat(POLICY.withFirstDelay(Duration.ZERO).firstDelay()).isZero();
    assertThat(POLICY.withMaximumDelay(Duration.ofHours(1)).maximumDelay()).hasHours(1);
  }

  @Test
  void of_outOfRange_isRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> POLICY.withAttempts(0))
        .withMessage("attempts must be 1 to 100, was 0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> POLICY.withFirstDelay(Duration.ofSeconds(2)))
        .withMessage("firstDelay must be 0 to maximumDelay PT1S, was PT2S");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> POLICY.withFirstDelay(Duration.ofSeconds(-1)));
  }
}
