package dev.countersign.server.clients;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.server.store.Database;
import dev.countersign.server.store.TestStore;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Looking for changes stays cheap with 100,000 clients, also while all are compared. */
@Tag("full")
@Tag("alone")
class ClientRegistryScaleTest {
  private static final int CLIENTS = Integer.getInteger("countersign.clients", 100_000);
  private static final int FEW_CLIENTS = 100;
  private static final int ROUNDS = 200;
  private static final int CHANGES = 20;

  /**
   * The factor by which a look may take longer with many clients, of which there are 1,000 times as
   * many.
   */
  private static final int MARGIN = 10;

  @TempDir private Path data;
  private final AtomicLong ticker = new AtomicLong();

  @Test
  void refresh_manyClients_takesAboutAsLongAsWithFew() {
    try (Database small = TestStore.POSTGRESQL.open(data.resolve("few"));
        Database large = TestStore.POSTGRESQL.open(data.resolve("many"))) {
      ManyClients.insert(small, FEW_CLIENTS);
      ManyClients.insert(large, CLIENTS);
      try (ClientRegistry few = registry(small)) {
        long start = System.nanoTime();
        try (ClientRegistry many = registry(large)) {
          compare(
              new Sample(small, few),
              new Sample(large, many),
              Duration.ofNanos(System.nanoTime() - start));
        }
      }
    }
  }

  private void compare(Sample few, Sample many, Duration load) {
    // In turn, so that a busy moment of the machine slows both.
    for (int i = 0; i < ROUNDS; i++) {
      few.poll();
      many.poll();
    }
    for (int i = 1; i <= CHANGES; i++) {
      few.change(i);
      many.change(i);
    }
    List<Duration> steps = new ArrayList<>();
    ticker.addAndGet(RegistryComparison.INTERVAL.toNanos());
    for (int i = 0; i <= CLIENTS / 5_000; i++) {
      steps.add(refresh(many.registry));
    }
    System.out.printf(
        Locale.ROOT,
        "%d clients: a poll takes %d us (median; %d with %d clients), with a change %d us (%d),"
            + " a step of the comparison %d us; all are loaded in %d us%n",
        CLIENTS,
        micros(median(many.polls)),
        micros(median(few.polls)),
        FEW_CLIENTS,
        micros(median(many.changes)),
        micros(median(few.changes)),
        micros(median(steps)),
        micros(load));
    assertThat(median(many.polls)).isLessThan(median(few.polls).multipliedBy(MARGIN));
    assertThat(median(many.changes)).isLessThan(median(few.changes).multipliedBy(MARGIN));
    assertThat(median(steps)).isLessThan(load);
  }

  /** A registry, and how long it took to look for changes. */
  private static final class Sample {
    private final ClientRegistry registry;
    private final ClientStore clients;
    private final List<Duration> polls = new ArrayList<>();
    private final List<Duration> changes = new ArrayList<>();

    Sample(Database database, ClientRegistry registry) {
      this.registry = registry;
      this.clients = new ClientStore(database, TestRoles.rules(), Clock.systemUTC(), new Random(3));
    }

    void poll() {
      polls.add(refresh(registry));
    }

    void change(int number) {
      clients.disable(ManyClients.id(number));
      changes.add(refresh(registry));
      assertThat(registry.find(ManyClients.id(number)).orElseThrow().enabled()).isFalse();
    }
  }

  private ClientRegistry registry(Database database) {
    return TestRoles.registry(database, TestRoles.attributes(), ticker::get);
  }

  private static Duration refresh(ClientRegistry registry) {
    long start = System.nanoTime();
    registry.refresh();
    return Duration.ofNanos(System.nanoTime() - start);
  }

  private static long micros(Duration time) {
    return time.toNanos() / 1_000;
  }

  private static Duration median(List<Duration> times) {
    return times.stream().sorted().toList().get(times.size() / 2);
  }
}
