package dev.countersign.server.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.countersign.protocol.Reason;
import dev.countersign.server.LogCapture;
import dev.countersign.server.access.outcome.DeniedException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class NodeFitnessTest {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  /** Close to the overflow, which the time of System.nanoTime() may pass. */
  private final AtomicLong ticker = new AtomicLong(Long.MAX_VALUE - 10);

  private final NodeFitness fitness = new NodeFitness(LIMIT, ticker::get);

  /** A node that is fit for a minute. */
  static NodeFitness fit() {
    NodeFitness fit = new NodeFitness(LIMIT, System::nanoTime);
    fit.roundCompleted(fit.now());
    return fit;
  }

  @Test
  void registry_beforeTheFirstRound_isStale() {
    assertThat(fitness.isFit()).isFalse();
    assertStale(fitness::requireFresh);
  }

  @Test
  void registry_ageCountsFromTheStartOfTheRound() {
    long start = fitness.now();
    pass(Duration.ofSeconds(59));
    fitness.roundCompleted(start);
    assertThatCode(fitness::requireFresh).doesNotThrowAnyException();
    pass(Duration.ofSeconds(1));
    assertThatCode(fitness::requireFresh).doesNotThrowAnyException();
    pass(Duration.ofNanos(1));
    assertStale(fitness::requireFresh);
  }

  @Test
  void registry_roundThatStartedBeforeTheLimit_staysStale() {
    fitness.roundCompleted(fitness.now());
    long start = fitness.now();
    pass(LIMIT.plusSeconds(1));
    fitness.roundCompleted(start);
    assertStale(fitness::requireFresh);
  }

  @Test
  void registry_earlierRoundThatEndsLater_doesNotMakeItOlder() {
    long start = fitness.now();
    pass(Duration.ofSeconds(1));
    fitness.roundCompleted(fitness.now());
    fitness.roundCompleted(start);
    assertThat(fitness.age()).isEqualTo(Duration.ZERO);
  }

  @Test
  void clientOfARequest_tooOldByNow_countsOnlyIfUnchanged() {
    fitness.roundCompleted(fitness.now());
    long registryAsOf = fitness.asOf();
    pass(LIMIT.plusSeconds(1));
    fitness.roundCompleted(fitness.now());
    assertThatCode(() -> fitness.requireFresh(registryAsOf, () -> true)).doesNotThrowAnyException();
    assertStale(() -> fitness.requireFresh(registryAsOf, () -> false));
  }

  @Test
  void clientOfARequest_withinTheLimit_mayHaveChanged() {
    fitness.roundCompleted(fitness.now());
    long registryAsOf = fitness.asOf();
    pass(LIMIT);
    assertThatCode(() -> fitness.requireFresh(registryAsOf, () -> false))
        .doesNotThrowAnyException();
  }

  @Test
  void log_hasOneLineAtTheBeginningAndOneAtTheEnd() {
    try (LogCapture log = LogCapture.of(NodeFitness.class)) {
      fitness.roundCompleted(fitness.now());
      pass(LIMIT.plusSeconds(5));
      for (int i = 0; i < 3; i++) {
        assertThat(fitness.checkStaleness()).isTrue();
      }
      fitness.roundCompleted(fitness.now());
      fitness.roundCompleted(fitness.now());
      assertThat(log.linesOfThisThread())
          .satisfiesExactly(
              begin -> assertThat(begin).contains("registry_stale", "65 s", "60 s"),
              end -> assertThat(end).contains("resolved"));
    }
  }

  @Test
  void clock_thatIsWrong_isRefusedUntilItIsRight() {
    fitness.roundCompleted(fitness.now());
    fitness.setClockFault("the clock is wrong");
    assertThat(fitness.isFit()).isFalse();
    assertThatThrownBy(fitness::requireClock)
        .isInstanceOfSatisfying(
            DeniedException.class,
            e -> assertThat(e.denial().reason()).isEqualTo(Reason.CLOCK_WRONG));
    fitness.setClockFault(null);
    assertThatCode(fitness::requireClock).doesNotThrowAnyException();
    assertThat(fitness.isFit()).isTrue();
  }

  private void pass(Duration time) {
    ticker.addAndGet(time.toNanos());
  }

  private static void assertStale(ThrowingCallable check) {
    assertThatThrownBy(check)
        .isInstanceOfSatisfying(
            DeniedException.class,
            e -> {
              assertThat(e.denial().reason()).isEqualTo(Reason.REGISTRY_STALE);
              assertThat(e.denial().headers()).containsKey("Retry-After");
            });
  }
}
