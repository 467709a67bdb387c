package dev.countersign.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.server.clients.ClientStore;
import dev.countersign.server.store.StoreSettings;
import dev.countersign.server.store.TestStore;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A table on which writes hang costs its writers their time, and nobody else anything. */
@Tag("full")
class StoreFairnessTest {
  private static final String WALLETS = "/ledger/v1/wallets";

  @TempDir private Path folder;

  @Test
  void writesThatWaitForALock_leaveReadsOtherClientsAndTheRegistry() throws Exception {
    StoreSettings store = TestStore.POSTGRESQL.settings(folder);
    try (TestService service =
            TestService.start(
                folder,
                10,
                "spring.datasource.url=" + store.url(),
                "spring.datasource.username=" + store.user());
        Connection other = DriverManager.getConnection(store.url(), store.user(), null);
        Statement statement = other.createStatement();
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      TestClient slow = service.register();
      TestClient reader = service.register();
      TestClient disabled = service.register();
      for (TestClient one : List.of(slow, reader, disabled)) {
        assertThat(one.get(WALLETS).send().status()).isEqualTo(200);
      }
      other.setAutoCommit(false);
      statement.execute("LOCK TABLE countersign.wallets IN SHARE MODE");
      List<Future<RawResponse>> posts = new ArrayList<>();
      long begin = System.nanoTime();
      for (int i = 0; i < 16; i++) {
        RawRequest post = slow.post(WALLETS, "{\"name\":\"W" + i + "\",\"currencyCode\":\"EUR\"}");
        posts.add(threads.submit(() -> post.send()));
      }
      Awaitility.await().atMost(Duration.ofSeconds(5)).until(() -> waiting(store) >= 4);

      service.part(ClientStore.class).disable(disabled.clientId());
      Awaitility.await()
          .atMost(Duration.ofSeconds(5))
          .until(() -> disabled.get(WALLETS).send().status() == 401);
      while (posts.stream().noneMatch(Future::isDone)) {
        long asked = System.nanoTime();
        assertThat(reader.get(WALLETS).send().status()).isEqualTo(200);
        assertThat(Duration.ofNanos(System.nanoTime() - asked)).isLessThan(Duration.ofSeconds(5));
      }
      for (Future<RawResponse> post : posts) {
        assertThat(post.get(60, TimeUnit.SECONDS).reason()).isEqualTo("overloaded");
      }
      assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(20));
      other.rollback();
      RawRequest post = slow.post(WALLETS, "{\"name\":\"Later\",\"currencyCode\":\"EUR\"}");
      assertThat(post.send().status()).isEqualTo(201);
    }
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
