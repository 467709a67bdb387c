package dev.countersign.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.server.store.Database;
import dev.countersign.server.store.StoreSettings;
import dev.countersign.testing.Waits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process that SIGSTOP stopped for longer than the limit serves nothing from what it knew. */
@Tag("full")
@Tag("alone")
class StoppedProcessTest {
  private static final String WALLETS = "/ledger/v1/wallets";
  private static final String SAVINGS = "{\"name\":\"Savings\",\"currencyCode\":\"EUR\"}";
  private static final int CONNECTIONS = 20;

  @TempDir private Path folder;

  @Test
  void wokenProcess_clientDisabledMeanwhile_servesNoneOfItsRequests() throws Exception {
    Path data = folder.resolve("data");
    OperatorShell shell = new OperatorShell(folder, data);
    String clientId = shell.add(TestService.KEYS);
    Path configuration =
        Files.writeString(
            folder.resolve("countersign.yaml"),
            "countersign: { access: { registry-limit: 5s, body-timeout: 2m } }");
    try (CommandProcess service =
        CommandProcess.serve(folder, data, "--config", configuration.toString())) {
      TestClient client = new TestClient(service.port(), clientId, TestService.KEYS.getPrivate());
      assertThat(client.get(WALLETS).send().status()).isEqualTo(200);
      List<RawConnection> connections = new ArrayList<>();
      try {
        for (int i = 0; i < CONNECTIONS; i++) {
          connections.add(sendHead(client, service.port(), i % 2 == 0 ? "GET" : "POST"));
        }
        signal("STOP", service);
        Instant stopped = Instant.now();
        assertThat(shell.clients("disable", clientId).exitCode()).isZero();
        for (RawConnection connection : connections) {
          connection.send(SAVINGS);
        }
        Awaitility.await().until(() -> Instant.now().isAfter(stopped.plusSeconds(6)));
        signal("CONT", service);
        for (RawConnection connection : connections) {
          // The process may have read the clients before it continued with the request.
          assertThat(connection.read().reason()).isIn("registry_stale", "client_disabled");
        }
        assertThat(client.get(WALLETS).send().reason()).isIn("client_disabled", "registry_stale");
      } finally {
        for (RawConnection connection : connections) {
          connection.close();
        }
      }
    }
    try (Database database = Database.open(StoreSettings.embedded(data))) {
      assertThat(
              database.<Integer>read(
                  sql -> sql.sql("SELECT count(*) FROM wallets").query(Integer.class).single()))
          .isZero();
    }
  }

  private static RawConnection sendHead(TestClient client, int port, String method)
      throws IOException {
    RawRequest request =
        client.signed(method, WALLETS, SAVINGS).request().with("Expect", "100-continue");
    RawConnection connection = new RawConnection(port);
    connection.send(request.text().replace(SAVINGS, ""));
    assertThat(connection.read().status()).isEqualTo(100);
    return connection;
  }

  private static void signal(String name, CommandProcess service) throws Exception {
    Process kill =
        new ProcessBuilder("kill", "-" + name, String.valueOf(service.process().pid())).start();
    assertThat(Waits.forExit(kill)).isZero();
  }
}
