package dev.countersign.server.clients;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.server.access.directory.RegisteredClient;
import dev.countersign.server.store.Database;
import dev.countersign.server.store.TestStore;
import dev.countersign.testing.Waits;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A write reads its client as another node has committed it, whatever is in memory. */
class CommittedClientsTest {
  @TempDir private Path folder;

  private static ClientStore store(Database database) {
    return new ClientStore(database, TestRoles.rules(), Clock.systemUTC(), new Random(3));
  }

  private static ClientRegistry registry(Database database) {
    return TestRoles.registry(database, TestRoles.attributes());
  }

  private static String add(ClientStore clients) {
    return clients
        .add(
            new NewClient(
                "Acme",
                List.of("10.0.0.0/8"),
                List.of("ledger-viewer"),
                RsaKeyPairs.publicKey(0),
                null))
        .clientId();
  }

  @ParameterizedTest
  @EnumSource
  void find_changeThatTheMemoryHasMissed_isSeen(TestStore store) {
    try (Database ours = store.open(folder);
        Database others = store.open(folder)) {
      ClientStore otherNode = store(others);
      String id = add(otherNode);
      ClientRegistry registry = registry(ours);
      RegisteredClient before = registry.find(id).orElseThrow();
      // From now on, nothing reaches the memory.
      registry.close();

      assertThat(ours.<Boolean>write(sql -> registry.find(sql, id).orElseThrow().enabled()))
          .isTrue();
      otherNode.disable(id);
      assertThat(ours.<Boolean>write(sql -> registry.find(sql, id).orElseThrow().enabled()))
          .isFalse();
      otherNode.remove(id);
      assertThat(ours.<Boolean>write(sql -> registry.find(sql, id).isPresent())).isFalse();
      assertThat(registry.find(id)).contains(before);
    }
  }

  @Test
  void find_changeCommittedDuringTheTransaction_isSeen() {
    // The transaction of one node waits for that of the other.
    try (Database ours = TestStore.POSTGRESQL.open(folder, Waits.LIMIT);
        Database others = TestStore.POSTGRESQL.open(folder)) {
      ClientStore otherNode = store(others);
      String id = add(otherNode);
      try (ClientRegistry registry = registry(ours)) {
        List<Boolean> enabled =
            ours.write(
                sql -> {
                  boolean first = registry.find(sql, id).orElseThrow().enabled();
                  await(CompletableFuture.runAsync(() -> otherNode.disable(id)));
                  return List.of(first, registry.find(sql, id).orElseThrow().enabled());
                });

        assertThat(enabled).containsExactly(true, false);
      }
    }
  }

  private static void await(Future<?> future) {
    try {
      Waits.forResult(future);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }
}
