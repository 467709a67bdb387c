package dev.countersign.server.requests;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RecordIdsTest {
  private static final Instant TIME = Instant.parse("2026-11-20T12:00:00.123456789Z");

  private final RecordIds ids = new RecordIds(new Random(3));

  @Test
  void ids_ofOneMillisecond_lieWithinItAndDiffer() {
    Set<Long> drawn = new HashSet<>();
    for (int i = 0; i < 100_000; i++) {
      long id = ids.next(TIME);
      assertThat(id).isBetween(RecordIds.lowest(TIME), RecordIds.lowest(TIME.plusMillis(1)) - 1);
      assertThat(drawn.add(id)).isTrue();
    }
  }

  @Test
  void ids_afterTheLastLowBits_beginAgain() {
    long first = ids.next(TIME);
    for (int i = 1; i < 1 << 21; i++) {
      ids.next(TIME);
    }
    assertThat(ids.next(TIME)).isEqualTo(first);
  }

  @Test
  void timeOf_anId_isItsTimeInMilliseconds() {
    assertThat(RecordIds.timeOf(ids.next(TIME)))
        .isEqualTo(Instant.parse("2026-11-20T12:00:00.123Z"));
    assertThat(RecordIds.timeOf(RecordIds.lowest(TIME)))
        .isEqualTo(Instant.parse("2026-11-20T12:00:00.123Z"));
  }

  @Test
  void lowest_beyondWhatAnIdCanContain_isTheNearestTime() {
    assertThat(RecordIds.lowest(Instant.parse("1969-12-31T23:59:59Z"))).isZero();
    assertThat(RecordIds.lowest(Instant.parse("3000-01-01T00:00:00Z")))
        .isPositive()
        .isEqualTo(RecordIds.lowest(Instant.parse("2200-01-01T00:00:00Z")));
    assertThat(ids.next(Instant.parse("3000-01-01T00:00:00Z"))).isPositive();
  }
}
