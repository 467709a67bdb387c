package dev.countersign.cli.list;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.cli.list.Progress.Count;
import java.time.Duration;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class ProgressTest {
  @Test
  void line_halfWay_hasShareCountsRateAndTimeLeft() {
    assertThat(Progress.line(count(50_000, 100_000), count(500, 1_000), Duration.ofSeconds(25)))
        .isEqualTo(
            "[##########----------] 50%  50,000 of 100,000 items  500 of 1,000 pages  2,000/s"
                + "  25 s left");
  }

  @Test
  void line_withMinutesLeft_hasMinutes() {
    assertThat(Progress.line(count(10, 1_010), count(1, 101), Duration.ofSeconds(1)))
        .endsWith("10/s  1:40 min left");
  }

  @Test
  void line_ofAnEmptyList_isDone() {
    assertThat(Progress.line(count(0, 0), count(0, 0), Duration.ZERO)).contains("100%");
  }

  /** More items than the first page announced. */
  @Test
  void line_pastTheTotal_isDone() {
    assertThat(Progress.line(count(110, 100), count(11, 10), Duration.ofSeconds(1)))
        .contains("100%", "110 of 100 items")
        .endsWith("  0 s left");
  }

  @Test
  void line_withoutTotal_hasCountsAndRate() {
    Count items = new Count(1_200, OptionalLong.empty());
    Count pages = new Count(12, OptionalLong.empty());

    assertThat(Progress.line(items, pages, Duration.ofSeconds(2)))
        .isEqualTo("1,200 items  12 pages  600/s");
  }

  private static Count count(long done, long all) {
    return new Count(done, OptionalLong.of(all));
  }
}
