package dev.countersign.server.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.testing.Waits;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PeriodicTaskTest {

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void round_thatFails_isFollowedByTheNext(boolean byError) throws InterruptedException {
    CountDownLatch third = new CountDownLatch(3);
    AtomicInteger count = new AtomicInteger();
    Runnable failing =
        () -> {
          count.incrementAndGet();
          third.countDown();
          if (byError) {
            throw new StackOverflowError("too deep");
          }
          throw new IllegalStateException("a defect");
        };
    try (PeriodicTask periodicTask = PeriodicTask.start("failing", Duration.ofMillis(1), failing)) {
      Waits.forLatch(third);
      assertThat(periodicTask).isNotNull();
    }
    assertThat(count.get()).as("one more run on close").isGreaterThan(3);
  }
}
