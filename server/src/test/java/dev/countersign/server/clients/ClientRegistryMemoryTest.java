package dev.countersign.server.clients;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.server.access.directory.RegisteredClient;
import dev.countersign.server.store.Database;
import dev.countersign.server.store.StoreSettings;
import java.nio.file.Path;
import java.util.Locale;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** 100,000 registered clients fit into a heap of 256 MiB; measured on a part of them. */
@Tag("full")
@Tag("alone")
class ClientRegistryMemoryTest {
  private static final int CLIENTS = Integer.getInteger("countersign.clients", 20_000);
  private static final long PER_CLIENT = (256L << 20) / 100_000;

  @TempDir private Path data;

  @Test
  void registry_allClientsHaveCalled_takesItsShareOfTheHeap() throws Exception {
    try (Database database = Database.open(StoreSettings.embedded(data))) {
      ManyClients.insert(database, CLIENTS);
      long before = usedHeap();
      long start = System.nanoTime();
      try (ClientRegistry registry = TestRoles.registry(database, TestRoles.attributes())) {
        long loaded = System.nanoTime();
        long unread = usedHeap() - before;
        for (int i = 1; i <= CLIENTS; i++) {
          RegisteredClient client = registry.find(ManyClients.id(i)).orElseThrow();
          assertThat(client.keys()).hasSize(1);
          assertThat(client.attributes()).hasSize(1);
        }
        long read = usedHeap() - before;
        System.out.printf(
            Locale.ROOT,
            "%d clients: loaded in %d ms, %d bytes each, %d bytes each once they have called%n",
            CLIENTS,
            (loaded - start) / 1_000_000,
            unread / CLIENTS,
            read / CLIENTS);
        assertThat(unread / CLIENTS).isLessThan(PER_CLIENT);
        assertThat(read / CLIENTS).isLessThan(PER_CLIENT);
      }
    }
  }

  private static long usedHeap() throws InterruptedException {
    Runtime runtime = Runtime.getRuntime();
    for (int i = 0; i < 3; i++) {
      System.gc();
      Thread.sleep(50);
    }
    return runtime.totalMemory() - runtime.freeMemory();
  }
}
