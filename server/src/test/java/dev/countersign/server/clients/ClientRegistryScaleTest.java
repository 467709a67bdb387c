package dev.countersign.server.clients;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.server.store.Database;
import dev.countersign.server.store.TestStore;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Looking for changes stays cheap with 100,000 clients, also while all are compared. */
@Tag("full")
@Tag("alone")
class ClientRegistryScaleTest {
  private static final int CLIENTS = Integer.getInteger("countersign.clients", 20_000);
  private static final int ROUNDS = 200;

  /** A few milliseconds, with room for a slow machine. */
  private static final Duration FEW = Duration.ofMillis(50);

  @TempDir private Path data;

  @Test
  void refresh_manyClients_takesAFewMilliseconds() {
    try (Database database = TestStore.POSTGRESQL.open(data)) {
      ManyClients.insert(database, CLIENTS);
      AtomicLong ticker = new AtomicLong();
      try (ClientRegistry registry =
          TestRoles.registry(database, TestRoles.attributes(), ticker::get)) {
        List<Duration> polls = new ArrayList<>();
        for (int i = 0; i < ROUNDS; i++) {
          polls.add(refresh(registry));
        }
        ClientStore clients =
            new ClientStore(database, TestRoles.rules(), Clock.systemUTC(), new Random(3));
        List<Duration> changes = new ArrayList<>();
        for (int i = 1; i <= 20; i++) {
          clients.disable(ManyClients.id(i));
          changes.add(refresh(registry));
          assertThat(registry.find(ManyClients.id(i)).orElseThrow().enabled()).isFalse();
        }
        List<Duration> steps = new ArrayList<>();
        ticker.addAndGet(RegistryComparison.INTERVAL.toNanos());
        for (int i = 0; i <= CLIENTS / 5_000; i++) {
          steps.add(refresh(registry));
        }
        System.out.printf(
            "%d clients: a poll takes %d us (median), with a change %d us, a step of the comparison"
                + " %d us%n",
            CLIENTS, micros(polls), micros(changes), micros(steps));
        assertThat(median(polls)).isLessThan(FEW);
        assertThat(median(changes)).isLessThan(FEW);
        assertThat(median(steps)).isLessThan(FEW.multipliedBy(4));
      }
    }
  }

  private static Duration refresh(ClientRegistry registry) {
    long start = System.nanoTime();
    registry.refresh();
    return Duration.ofNanos(System.nanoTime() - start);
  }

  private static long micros(List<Duration> times) {
    return median(times).toNanos() / 1_000;
  }

  private static Duration median(List<Duration> times) {
    return times.stream().sorted().toList().get(times.size() / 2);
  }
}
