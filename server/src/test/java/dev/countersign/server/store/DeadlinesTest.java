package dev.countersign.server.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.testing.Waits;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DeadlinesTest {
  private static final Duration OVER = Duration.ofNanos(-1);
  private static final Duration LONG = Duration.ofHours(1);

  private final AtomicInteger cuts = new AtomicInteger();
  private final CountDownLatch mayAbort = new CountDownLatch(1);
  private final Deadlines deadlines = Deadlines.cutting("test");

  @AfterEach
  void close() {
    mayAbort.countDown();
    deadlines.close();
  }

  private interface Abort {
    void run() throws InterruptedException;
  }

  /** A connection whose driver does this when it is aborted. */
  private static Connection aborting(Abort abort) {
    return (Connection)
        Proxy.newProxyInstance(
            DeadlinesTest.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "abort" -> {
                    abort.run();
                    yield null;
                  }
                  case "hashCode" -> System.identityHashCode(proxy);
                  case "equals" -> proxy == arguments[0];
                  default -> throw new UnsupportedOperationException(method.getName());
                });
  }

  private void awaitCuts(int count) {
    Awaitility.await().until(() -> cuts.get() >= count);
  }

  @Test
  void cutThatWaits_keepsNoOtherTransactionFromItsDeadline() throws Exception {
    CountDownLatch waiting = new CountDownLatch(10);
    List<Connection> blocked = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      blocked.add(
          aborting(
              () -> {
                waiting.countDown();
                Waits.forLatch(mayAbort);
              }));
    }
    blocked.forEach(connection -> deadlines.begin(connection, OVER));
    Waits.forLatch(waiting);

    Connection other = aborting(cuts::incrementAndGet);
    deadlines.begin(other, OVER);
    awaitCuts(1);
    // Ends while the cut waits, and is not lent again.
    assertThat(deadlines.end(blocked.getFirst())).isFalse();
    assertThat(deadlines.end(other)).isFalse();
  }

  @Test
  void connection_isCutOnce() {
    Connection slow = aborting(cuts::incrementAndGet);
    Connection next = aborting(cuts::incrementAndGet);
    deadlines.begin(slow, OVER);
    awaitCuts(1);
    deadlines.begin(next, OVER);
    awaitCuts(2);

    assertThat(cuts).hasValue(2);
  }

  @Test
  void cutThatFails_keepsNoOtherFromItsDeadline() {
    deadlines.begin(
        aborting(
            () -> {
              throw new IllegalStateException("the driver has a fault");
            }),
        OVER);
    deadlines.begin(
        aborting(
            () -> {
              throw new StackOverflowError();
            }),
        OVER);
    deadlines.begin(aborting(cuts::incrementAndGet), OVER);
    awaitCuts(1);
    deadlines.begin(aborting(cuts::incrementAndGet), OVER);
    awaitCuts(2);
  }

  @Test
  void transactionThatEndsInTime_isNotCut() {
    Connection quick = aborting(cuts::incrementAndGet);
    deadlines.begin(quick, LONG);
    assertThat(deadlines.end(quick)).isTrue();
    assertThat(deadlines.end(quick)).as("without a limit").isTrue();
    Connection slow = aborting(cuts::incrementAndGet);
    deadlines.begin(slow, OVER);
    awaitCuts(1);
    assertThat(cuts).hasValue(1);
  }

  /** SQLite forgets an interruption between two statements, and its connection stays usable. */
  @Test
  void interruption_isRepeatedUntilTheTransactionEnds() {
    AtomicInteger interruptions = new AtomicInteger();
    try (Deadlines interrupting =
        Deadlines.interrupting(
            "test",
            connection -> {
              interruptions.incrementAndGet();
              throw new IllegalStateException("the driver has a fault");
            })) {
      Connection slow = aborting(cuts::incrementAndGet);
      interrupting.begin(slow, OVER);
      Awaitility.await().until(() -> interruptions.get() >= 3);

      assertThat(interrupting.end(slow)).isTrue();
      int ended = interruptions.get();
      Connection next = aborting(cuts::incrementAndGet);
      interrupting.begin(next, OVER);
      Awaitility.await().until(() -> interruptions.get() > ended);
      assertThat(cuts).hasValue(0);
    }
  }
}
