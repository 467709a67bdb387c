package dev.countersign.server.listings.totals;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.countersign.server.listings.totals.Totals.ListKey;
import dev.countersign.server.store.StoreUnavailableException;
import dev.countersign.server.store.StoreUnavailableException.CountTimeout;
import dev.countersign.testing.TestThreads;
import dev.countersign.testing.Waits;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
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
  private static final ListKey LIST = list("acme", "status=OPEN");

  private long nanos;
  private int counts;
  private final Totals totals = new Totals(() -> nanos, Duration.ofSeconds(5));

  private static ListKey list(String client, String filters) {
    return new ListKey(PATH, client, Map.of(), filters);
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

  private long countsAfter(ListKey list, ToLongFunction<Duration> count) {
    assertThatThrownBy(() -> count(list, count)).isInstanceOf(CountTimeout.class);
    return counts;
  }

  @Test
  void count_ofAnyList_hasFiveSeconds() {
    assertThat(count(new Totals(), LIST, Duration::toSeconds)).isEqualTo(5);
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
    assertThat(count(LIST, limit -> 42)).isEqualTo(42);
    countsAfter(LIST, this::tooSlow);
    assertThat(count(LIST, limit -> 42)).isEqualTo(42);
  }

  @Test
  void count_ofAnotherClientOrFilter_isNotHeldBack() {
    countsAfter(LIST, this::tooSlow);
    countsAfter(LIST, this::tooSlow);
    assertThat(count(list("globex", "status=OPEN"), limit -> 1)).isEqualTo(1);
    assertThat(count(list("acme", "status=PAID"), limit -> 2)).isEqualTo(2);
    assertThat(countsAfter(list("acme", "status=OPEN"), this::tooSlow)).isEqualTo(2);
  }

  @Test
  void reportTimeout_again_isLoggedOnceAMinuteAndShownForAnHour(CapturedOutput output) {
    assertThat(totals.slowCountAdvice(PATH)).isEmpty();
    totals.reportTimeout(PATH, () -> "run CREATE INDEX");
    totals.reportTimeout(PATH, () -> "another advice");
    Awaitility.await()
        .until(() -> totals.slowCountAdvice(PATH), Optional.of("run CREATE INDEX")::equals);
    Awaitility.await().until(() -> logged(output).count() > 0);
    assertThat(logged(output))
        .singleElement()
        .asString()
        .contains(
            "cannot count the records of /ledger/v1/entries within 5 s, so requests without"
                + " totals=none are refused as total_unavailable: run CREATE INDEX");
    pass(Duration.ofMinutes(1));
    totals.reportTimeout(PATH, () -> "another advice");
    Awaitility.await()
        .until(() -> totals.slowCountAdvice(PATH), Optional.of("another advice")::equals);
    assertThat(totals.slowCountAdvice("/ledger/v1/others")).isEmpty();
    pass(Duration.ofHours(1));
    assertThat(totals.slowCountAdvice(PATH)).isEmpty();
  }

  private static Stream<String> logged(CapturedOutput output) {
    return output.getAll().lines().filter(line -> line.contains("cannot count"));
  }

  @Test
  void cache_withPartsOfASecond_hasWholeSeconds() {
    TotalsMode mode = new TotalsMode(Duration.ofMillis(15_500));
    assertThat(mode.maximumAge()).contains(Duration.ofSeconds(15));
    assertThat(mode).hasToString("cached for 15 s");
  }

  private static final Duration AGE = Duration.ofSeconds(30);
  private static final TotalsMode FOR_30_SECONDS = new TotalsMode(AGE);

  private long count(ListKey list, ToLongFunction<Duration> count) {
    return count(totals, list, count);
  }

  private static long count(Totals totals, ListKey list, ToLongFunction<Duration> count) {
    return totals.read(list, TotalsMode.EXACT, pause -> true, count, LongSupplier::getAsLong);
  }

  private long cached(ListKey list) {
    return cached(list, pause -> true, this::next);
  }

  private long cached(
      ListKey list, Predicate<Duration> hasTimeAfter, ToLongFunction<Duration> count) {
    return totals.read(list, FOR_30_SECONDS, hasTimeAfter, count, LongSupplier::getAsLong);
  }

  private long next(Duration limit) {
    counts++;
    return counts;
  }

  @Test
  void cached_again_isCountedOnceInItsAge() {
    assertThat(cached(LIST)).isEqualTo(1);
    pass(AGE);
    assertThat(cached(LIST)).isEqualTo(1);
    nanos++;
    assertThat(cached(LIST)).isEqualTo(2);
  }

  /** The snapshot of a total is that of its attempt, which may have read a page first. */
  @Test
  void cached_whoseAttemptTookLong_isAsOldAsItsBeginning() {
    long total =
        totals.read(
            LIST,
            FOR_30_SECONDS,
            pause -> true,
            limit -> {
              pass(Duration.ofSeconds(3));
              return next(limit);
            },
            count -> {
              pass(Duration.ofSeconds(1));
              return count.getAsLong();
            });
    assertThat(total).isEqualTo(1);
    pass(Duration.ofSeconds(26));
    assertThat(cached(LIST)).isEqualTo(1);
    nanos++;
    assertThat(cached(LIST)).isEqualTo(2);
  }

  @Test
  void cached_ofAnotherListingClientAttributeOrFilter_isCountedApart() {
    ListKey list = new ListKey(PATH, "acme", Map.of("branch", 1), "open");
    List<ListKey> all =
        List.of(
            list,
            new ListKey("/ledger/v2/entries", "acme", Map.of("branch", 1), "open"),
            new ListKey(PATH, "globex", Map.of("branch", 1), "open"),
            new ListKey(PATH, "acme", Map.of("branch", 2), "open"),
            new ListKey(PATH, "acme", Map.of("branch", 1), "paid"));

    assertThat(all).extracting(each -> cached(each)).containsExactly(1L, 2L, 3L, 4L, 5L);
    assertThat(all).extracting(each -> cached(each)).containsExactly(1L, 2L, 3L, 4L, 5L);
  }

  @Test
  void cached_moreThanAHundredListsOfAClient_dropTheOldest() {
    cached(list("globex", "open"));
    for (int n = 0; n < 101; n++) {
      cached(list("acme", "filter " + n));
    }
    int before = counts;

    assertThat(cached(list("globex", "open"))).isEqualTo(1);
    assertThat(cached(list("acme", "filter 1"))).isEqualTo(3);
    assertThat(cached(list("acme", "filter 100"))).isEqualTo(102);
    assertThat(counts).isEqualTo(before);
    assertThat(cached(list("acme", "filter 0"))).isEqualTo(before + 1);
  }

  @Test
  void cached_twentyThousandLists_areNotAllKept() {
    for (int round = 0; round < 2; round++) {
      for (int client = 0; client < 200; client++) {
        for (int n = 0; n < 100; n++) {
          cached(list("client " + client, "filter " + n));
        }
      }
    }
    assertThat(counts).isBetween(30_000, 40_000);
  }

  /** A count on another thread that ends when it is told to. */
  private Future<Long> counting(TestThreads threads, CountDownLatch release, LongSupplier count)
      throws InterruptedException {
    CountDownLatch begun = new CountDownLatch(1);
    Future<Long> other =
        threads.submit(
            () ->
                cached(
                    LIST,
                    pause -> true,
                    limit -> {
                      begun.countDown();
                      await(release);
                      return count.getAsLong();
                    }));
    Waits.forLatch(begun);
    return other;
  }

  private static void await(CountDownLatch latch) {
    try {
      Waits.forLatch(latch);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void cached_whileAnotherRequestCounts_readsAgainWithItsTotal() throws Exception {
    CountDownLatch release = new CountDownLatch(1);
    AtomicInteger attempts = new AtomicInteger();
    try (TestThreads threads = TestThreads.of(1)) {
      Future<Long> first = counting(threads, release, () -> 42);
      assertThat(cached(list("globex", "paid"))).as("another list").isEqualTo(1);

      long second =
          totals.read(
              LIST,
              FOR_30_SECONDS,
              pause -> released(release),
              this::next,
              count -> {
                attempts.incrementAndGet();
                return count.getAsLong();
              });

      assertThat(second).isEqualTo(42);
      assertThat(Waits.forResult(first)).isEqualTo(42);
      assertThat(attempts).hasValue(2);
      assertThat(counts).isEqualTo(1);
    }
  }

  /** A page that shows the end, or a request without totals. */
  @Test
  void read_thatNeedsNoTotal_doesNotWaitForAnotherCount() throws Exception {
    CountDownLatch release = new CountDownLatch(1);
    try (TestThreads threads = TestThreads.of(1)) {
      Future<Long> first = counting(threads, release, () -> 42);

      assertThat(
              totals.<String>read(
                  LIST, FOR_30_SECONDS, pause -> true, this::next, count -> "the last page"))
          .isEqualTo("the last page");

      assertThat(first.isDone()).isFalse();
      release.countDown();
      assertThat(Waits.forResult(first)).isEqualTo(42);
    }
  }

  @Test
  void cached_whileAnotherRequestCountsForTooLong_isRefused() throws Exception {
    CountDownLatch release = new CountDownLatch(1);
    try (TestThreads threads = TestThreads.of(1)) {
      Future<Long> first = counting(threads, release, () -> 42);

      assertThatThrownBy(() -> cached(LIST, pause -> false, this::next))
          .isExactlyInstanceOf(StoreUnavailableException.class);

      release.countDown();
      assertThat(Waits.forResult(first)).isEqualTo(42);
      assertThat(counts).isZero();
    }
  }

  @Test
  void cached_otherCountThatHadItsFullTime_isRefusedWithoutAnother() throws Exception {
    CountDownLatch release = new CountDownLatch(1);
    try (TestThreads threads = TestThreads.of(1)) {
      Future<Long> first = counting(threads, release, () -> tooSlow(Duration.ZERO));

      assertThatThrownBy(() -> cached(LIST, pause -> released(release), this::next))
          .isInstanceOfSatisfying(CountTimeout.class, e -> assertThat(e.hadFullLimit()).isFalse());

      assertThatThrownBy(() -> Waits.forResult(first)).hasCauseInstanceOf(CountTimeout.class);
      assertThat(counts).isEqualTo(1);
    }
  }

  @Test
  void cached_otherCountThatWasCutShort_countsItself() throws Exception {
    CountDownLatch release = new CountDownLatch(1);
    try (TestThreads threads = TestThreads.of(1)) {
      Future<Long> first = counting(threads, release, () -> cutShort(Duration.ZERO));

      assertThat(cached(LIST, pause -> released(release), limit -> 7)).isEqualTo(7);

      assertThatThrownBy(() -> Waits.forResult(first)).hasCauseInstanceOf(CountTimeout.class);
    }
  }

  private static boolean released(CountDownLatch release) {
    release.countDown();
    return true;
  }
}
