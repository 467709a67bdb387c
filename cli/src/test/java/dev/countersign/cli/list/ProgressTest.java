package dev.countersign.cli.list;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.cli.list.Progress.Count;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ProgressTest {
  @Test
  void line_halfWay_hasShareCountsRateAndTimeLeft() {
    assertThat(
            Progress.line(
                new Count(50_000, 100_000), new Count(500, 1_000), Duration.ofSeconds(25)))
        .isEqualTo(
            "[##########----------] 50%  50,000 of 100,000 items  500 of 1,000 pages  2,000/s"
                + "  25 s left");
  }

  @Test
  void line_withMinutesLeft_hasMinutes() {
    assertThat(Progress.line(new Count(10, 1_010), new Count(1, 101), Duration.ofSeconds(1)))
        .endsWith("10/s  1:40 min left");
  }

  @Test
  void line_ofAnEmptyList_isDone() {
    assertThat(Progress.line(new Count(0, 0), new Count(0, 0), Duration.ZERO)).contains("100%");
  }
}
