package dev.countersign.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.server.clients.ClientStore;
import dev.countersign.server.store.StoreSettings;
import dev.countersign.server.store.TestStore;
import dev.countersign.testing.TestThreads;
import dev.countersign.testing.Waits;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A table on which writes hang costs its writers their time, and nobody else anything. */
@Tag("full")
class StoreFairnessTest {
  private static final String WALLETS = "/ledger/v1/wallets";
  private static final int WRITERS = 16;
  private static final int READS = 50;

  @TempDir private Path folder;

  @Test
  void writesThatWaitForALock_leaveReadsOtherClientsAndTheRegistry() throws Exception {
    StoreSettings store = TestStore.POSTGRESQL.settings(folder);
    try (TestService service = TestService.startNode(folder, store, 10);
        Connection other = DriverManager.getConnection(store.url(), store.user(), null);
        Statement statement = other.createStatement();
        TestThreads threads = TestThreads.of(Executors.newVirtualThreadPerTaskExecutor())) {
      TestClient slow = service.register();
      TestClient reader = service.register();
      TestClient disabled = service.register();
      for (TestClient one : List.of(slow, reader, disabled)) {
        assertThat(one.get(WALLETS).send().status()).isEqualTo(200);
      }
      other.setAutoCommit(false);
      statement.execute("LOCK TABLE countersign.wallets IN SHARE MODE");
      AtomicBoolean over = new AtomicBoolean();
      List<Future<?>> writers = new ArrayList<>();
      for (int i = 0; i < WRITERS; i++) {
        RawRequest post = slow.post(WALLETS, "{\"name\":\"W" + i + "\",\"currencyCode\":\"EUR\"}");
        writers.add(threads.submit(() -> sendUntil(over, post)));
      }
      try {
        Awaitility.await().until(() -> waiting(store) >= 4);
        service.part(ClientStore.class).disable(disabled.clientId());
        Awaitility.await().until(() -> disabled.get(WALLETS).send().status() == 401);
        for (int i = 0; i < READS; i++) {
          assertThat(reader.get(WALLETS).send().status()).isEqualTo(200);
        }
        assertThat(waiting(store)).as("writes that still hang").isPositive();
      } finally {
        over.set(true);
      }
      for (Future<?> writer : writers) {
        Waits.forResult(writer);
      }
      other.rollback();
      RawRequest post = slow.post(WALLETS, "{\"name\":\"Later\",\"currencyCode\":\"EUR\"}");
      assertThat(post.send().status()).isEqualTo(201);
    }
  }

  /** Sends a write that is refused each time, at least once, so that it hangs all the time. */
  private static void sendUntil(AtomicBoolean over, RawRequest post) {
    do {
      RawResponse answer = post.send();
      assertThat(answer.reason()).as(answer.body()).isEqualTo("overloaded");
    } while (!over.get());
  }

  // On its own connection, because a transaction sees the same activity for as long as it runs.
  private static int waiting(StoreSettings store) throws Exception {
    try (Connection own = DriverManager.getConnection(store.url(), store.user(), null);
        Statement statement = own.createStatement();
        var rows =
            statement.executeQuery(
                "SELECT count(*) FROM pg_stat_activity"
                    + " WHERE datname = current_database() AND wait_event_type = 'Lock'")) {
      rows.next();
      return rows.getInt(1);
    }
  }
}
