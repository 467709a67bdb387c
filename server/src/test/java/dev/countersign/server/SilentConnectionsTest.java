package dev.countersign.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.server.access.NodeFitness;
import dev.countersign.server.clients.ClientRegistry;
import dev.countersign.server.clients.ClientStore;
import dev.countersign.server.store.StoreSettings;
import dev.countersign.server.store.TestStore;
import dev.countersign.testing.TcpProxy;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
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
  private static final Duration LIMIT = Duration.ofSeconds(5);
  private static final String READ_AGAIN = "resolved: the clients cannot be read";

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
      long disabled = System.nanoTime();
      Awaitility.await()
          .until(() -> refusalAfterTheLimit(there, disabled).equals("client_disabled"));
      Awaitility.await().until(() -> health(cut) == 200);
      assertThat(log.lines().getLast()).startsWith(READ_AGAIN);
      assertPairs(log.lines(), "the clients cannot be read", READ_AGAIN);
      // Whether the knowledge becomes too old meanwhile depends on the machine.
      assertPairs(
          fitness.lines(), "requests are refused as registry_stale", "resolved: the clients are");
    }
  }

  /** Sends a read. One that is sent after the limit must not be answered from old knowledge. */
  private static String refusalAfterTheLimit(TestClient client, long disabled) {
    Duration age = Duration.ofNanos(System.nanoTime() - disabled);
    RawResponse answer = client.get(WALLETS).send();
    if (age.compareTo(LIMIT) > 0) {
      assertThat(answer.status()).as("%s after the client was disabled", age).isNotEqualTo(200);
    }
    return answer.status() == 200 ? "" : answer.reason();
  }

  /** Each begin of a failure has its end, and is logged once. */
  private static void assertPairs(List<String> lines, String begin, String end) {
    assertThat(lines.size()).as("%s", lines).isEven();
    for (int i = 0; i < lines.size(); i++) {
      assertThat(lines.get(i)).startsWith(i % 2 == 0 ? begin : end).doesNotContain("stack trace");
    }
  }

  private TestService node(String name, int port, String database) {
    String url = "jdbc:postgresql://localhost:" + port + database;
    return TestService.startNode(
        folder.resolve(name),
        new StoreSettings(folder, url, "postgres", null, StoreSettings.SCHEMA),
        3,
        "countersign.access.registry-limit=" + LIMIT.toSeconds() + "s");
  }

  private static int health(TestService service) {
    return RawRequest.send(
            service.port(), "GET /actuator/health/readiness HTTP/1.1\r\nHost: localhost\r\n\r\n")
        .status();
  }
}
