package dev.countersign.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.server.access.NodeFitness;
import dev.countersign.server.clients.ClientRegistry;
import dev.countersign.server.clients.ClientStore;
import dev.countersign.server.store.StoreSettings;
import dev.countersign.server.store.TestStore;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Connections to PostgreSQL that go silent, while new ones work, do not freeze what a node knows of
 * its clients.
 */
@Tag("full")
class SilentConnectionsTest {
  private static final String WALLETS = "/ledger/v1/wallets";

  @TempDir private Path folder;

  @Test
  void clientDisabledElsewhere_connectionsSilent_isRefusedWithinTheLimit() throws Exception {
    StoreSettings store = TestStore.POSTGRESQL.settings(folder);
    URI address = URI.create(String.valueOf(store.url()).substring("jdbc:".length()));
    try (TcpProxy proxy = TcpProxy.to(address.getPort());
        TestService cut = node("cut", proxy.port(), address.getPath());
        TestService other = node("other", address.getPort(), address.getPath());
        LogCapture log = LogCapture.of(ClientRegistry.class);
        LogCapture fitness = LogCapture.of(NodeFitness.class)) {
      TestClient here = other.register();
      TestClient there = cut.client(here.clientId(), here.privateKey());
      Awaitility.await().until(() -> there.get(WALLETS).send().status() == 200);

      proxy.silenceExisting();
      other.part(ClientStore.class).disable(here.clientId());
      long start = System.nanoTime();
      Awaitility.await()
          .atMost(Duration.ofSeconds(30))
          .pollInterval(Duration.ofMillis(100))
          .until(() -> there.get(WALLETS).send().reason().equals("client_disabled"));
      System.out.printf(
          "client_disabled %d ms after the connections went silent%n",
          Duration.ofNanos(System.nanoTime() - start).toMillis());
      Awaitility.await().until(() -> health(cut) == 200);
      // Whether the knowledge becomes too old meanwhile depends on the machine.
      assertThat(fitness.lines()).size().isIn(0, 2);
      assertThat(log.lines())
          .satisfiesExactly(
              begin -> assertThat(begin).startsWith("the clients cannot be read"),
              end -> assertThat(end).startsWith("resolved"));
    }
  }

  private TestService node(String name, int port, String database) {
    return TestService.start(
        folder.resolve(name),
        3,
        "spring.datasource.url=jdbc:postgresql://localhost:" + port + database,
        "spring.datasource.username=postgres",
        "countersign.access.registry-limit=5s");
  }

  private static int health(TestService service) {
    return RawRequest.send(
            service.port(), "GET /actuator/health/readiness HTTP/1.1\r\nHost: localhost\r\n\r\n")
        .status();
  }
}
