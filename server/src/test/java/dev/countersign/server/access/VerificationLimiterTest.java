package dev.countersign.server.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.countersign.protocol.Reason;
import dev.countersign.server.access.outcome.DeniedException;
import dev.countersign.testing.TestThreads;
import dev.countersign.testing.Waits;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class VerificationLimiterTest {
  @Test
  void verification_withoutAPermit_isRefusedAtOnce() {
    VerificationLimiter one = new VerificationLimiter(1);

    assertThatThrownBy(() -> one.run(() -> one.run(() -> {})))
        .isInstanceOfSatisfying(
            DeniedException.class,
            refused -> assertThat(refused.denial().reason()).isEqualTo(Reason.OVERLOADED));
    assertThat(one.run(() -> "free again")).isEqualTo("free again");
  }

  @Test
  void verification_withAMaximumWait_waitsForAPermit() throws Exception {
    VerificationLimiter one = new VerificationLimiter(1, Duration.ofMinutes(5));
    CountDownLatch holds = new CountDownLatch(1);
    CountDownLatch end = new CountDownLatch(1);
    try (TestThreads threads = TestThreads.of(2)) {
      Future<Boolean> first =
          threads.submit(
              () ->
                  one.run(
                      () -> {
                        holds.countDown();
                        return awaits(end);
                      }));
      Waits.forLatch(holds);
      Future<String> second = threads.submit(() -> one.run(() -> "done"));
      end.countDown();

      assertThat(Waits.forResult(first)).isTrue();
      assertThat(Waits.forResult(second)).isEqualTo("done");
    }
  }

  @Test
  void newKey_withoutAPermit_isRefusedAsANewKey() {
    VerificationLimiter newKeys = VerificationLimiter.forNewKeys();
    // An interrupted thread gets no permit, and does not wait for one.
    Thread.currentThread().interrupt();
    DeniedException refused =
        catchThrowableOfType(DeniedException.class, () -> newKeys.run(() -> {}));

    assertThat(Thread.interrupted()).isTrue();
    assertThat(refused.denial().reason()).isEqualTo(Reason.OVERLOADED);
    assertThat(refused.denial().detail()).contains("checking too many new keys");
  }

  private static boolean awaits(CountDownLatch latch) {
    try {
      Waits.forLatch(latch);
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
