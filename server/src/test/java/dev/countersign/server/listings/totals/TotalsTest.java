package dev.countersign.server.listings.totals;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.countersign.server.listings.totals.Totals.CountedList;
import dev.countersign.server.store.StoreUnavailableException.CountTimeout;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

@ExtendWith(OutputCaptureExtension.class)
class TotalsTest {
  private static final String PATH = "/ledger/v1/entries";
  private static final CountedList LIST = list("acme", "status=OPEN");

  private long nanos;
  private int counts;
  private final Totals totals = new Totals(() -> nanos, Duration.ofSeconds(5));

  private static CountedList list(String client, String filters) {
    return new CountedList(PATH, List.of(client), List.of(filters));
  }

  private void pass(Duration time) {
    nanos += time.toNanos();
  }

  private long tooSlow(Duration limit) {
    counts++;
    throw new CountTimeout("too slow", true, new IllegalStateException("of " + limit));
  }

  private long cutShort(Duration limit) {
    counts++;
    throw new CountTimeout("too slow", false, new IllegalStateException("less than " + limit));
  }

  private long countsAfter(CountedList list, ToLongFunction<Duration> count) {
    assertThatThrownBy(() -> totals.count(list, count)).isInstanceOf(CountTimeout.class);
    return counts;
  }

  @Test
  void count_ofAnyList_hasFiveSeconds() {
    assertThat(new Totals().count(LIST, Duration::toSeconds)).isEqualTo(5);
  }

  @Test
  void count_afterTwoTimeouts_isNotTriedForThirtySeconds() {
    assertThat(countsAfter(LIST, this::tooSlow)).isEqualTo(1);
    assertThat(countsAfter(LIST, this::tooSlow)).isEqualTo(2);
    pass(Duration.ofSeconds(29));
    assertThat(countsAfter(LIST, this::tooSlow)).as("during the pause").isEqualTo(2);
    pass(Duration.ofSeconds(1));
    assertThat(countsAfter(LIST, this::tooSlow)).as("after the pause").isEqualTo(3);
    assertThat(countsAfter(LIST, this::tooSlow)).as("it was the third in a row").isEqualTo(3);
  }

  @Test
  void count_thatHadLessThanItsTime_isTriedAgain() {
    for (int attempt = 1; attempt <= 5; attempt++) {
      assertThat(countsAfter(LIST, this::cutShort)).isEqualTo(attempt);
    }
  }

  @Test
  void count_afterASuccess_hasNoTimeoutsInARow() {
    countsAfter(LIST, this::tooSlow);
    assertThat(totals.count(LIST, limit -> 42)).isEqualTo(42);
    countsAfter(LIST, this::tooSlow);
    assertThat(totals.count(LIST, limit -> 42)).isEqualTo(42);
  }

  @Test
  void count_ofAnotherClientOrFilter_isNotHeldBack() {
    countsAfter(LIST, this::tooSlow);
    countsAfter(LIST, this::tooSlow);
    assertThat(totals.count(list("globex", "status=OPEN"), limit -> 1)).isEqualTo(1);
    assertThat(totals.count(list("acme", "status=PAID"), limit -> 2)).isEqualTo(2);
    assertThat(countsAfter(list("acme", "status=OPEN"), this::tooSlow)).isEqualTo(2);
  }

  @Test
  void reportTimeout_again_isLoggedOnceAMinuteAndShownForAnHour(CapturedOutput output) {
    assertThat(totals.slowCount(PATH)).isEmpty();
    totals.reportTimeout(PATH, () -> "run CREATE INDEX");
    totals.reportTimeout(PATH, () -> "another advice");
    Awaitility.await().until(() -> totals.slowCount(PATH), Optional.of("run CREATE INDEX")::equals);
    Awaitility.await().until(() -> logged(output).count() > 0);
    assertThat(logged(output))
        .singleElement()
        .asString()
        .contains(
            "cannot count the records of /ledger/v1/entries within 5 s, so requests without"
                + " totals=none are refused as total_unavailable: run CREATE INDEX");
    pass(Duration.ofMinutes(1));
    totals.reportTimeout(PATH, () -> "another advice");
    Awaitility.await().until(() -> totals.slowCount(PATH), Optional.of("another advice")::equals);
    assertThat(totals.slowCount("/ledger/v1/others")).isEmpty();
    pass(Duration.ofHours(1));
    assertThat(totals.slowCount(PATH)).isEmpty();
  }

  private static Stream<String> logged(CapturedOutput output) {
    return output.getAll().lines().filter(line -> line.contains("cannot count"));
  }
}
