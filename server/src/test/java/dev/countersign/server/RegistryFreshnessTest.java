package dev.countersign.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.server.access.NodeFitness;
import dev.countersign.server.clients.ClientStore;
import dev.countersign.server.store.Database;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A service serves nothing from knowledge of its clients that is older than the limit. */
class RegistryFreshnessTest {
  private static final String WALLETS = "/ledger/v1/wallets";
  private static final String SAVINGS = "{\"name\":\"Savings\",\"currencyCode\":\"EUR\"}";
  private static final Duration BEYOND_THE_LIMIT = Duration.ofSeconds(61);

  @TempDir private static Path data;
  private static TestService service;
  private static MovableTicker ticker;
  private TestClient client;

  @BeforeAll
  static void start() {
    service =
        TestService.start(data, 3, MovableTicker.SETTING, "countersign.access.body-timeout=10m");
    ticker = service.part(MovableTicker.class);
  }

  @AfterAll
  static void stop() {
    service.close();
  }

  @BeforeEach
  void register() {
    client = service.register();
  }

  @Test
  void request_whileTheClientsCannotBeRead_isRefusedUntilTheyCan() {
    try (LogCapture log = LogCapture.of(NodeFitness.class)) {
      loseTheClients();
      try {
        assertThat(client.get(WALLETS).send().status()).as("within the limit").isEqualTo(200);
        assertThat(health("readiness")).isEqualTo(200);
        ticker.pass(BEYOND_THE_LIMIT);
        assertStale(client.get(WALLETS).send());
        assertStale(client.post(WALLETS, SAVINGS).send());
        // A client that was added since would otherwise be called unknown.
        assertStale(client.as("nobody").get(WALLETS).send());
        assertThat(health("readiness")).isEqualTo(503);
        assertThat(health("liveness")).isEqualTo(200);
      } finally {
        findTheClients();
      }
      Awaitility.await().until(() -> client.get(WALLETS).send().status() == 200);
      assertThat(health("readiness")).isEqualTo(200);
      // A line may follow its effect.
      Awaitility.await()
          .untilAsserted(
              () ->
                  assertThat(log.lines())
                      .satisfiesExactly(
                          begin ->
                              assertThat(begin).contains("registry_stale", "access.registry-limit"),
                          end -> assertThat(end).startsWith("resolved")));
    }
  }

  /** As in a process that was stopped while the body was on its way. */
  @ParameterizedTest
  @ValueSource(strings = {"GET", "POST"})
  void requestInProgress_knowledgeBecomesStale_isNotServed(String method) throws IOException {
    try (RawConnection connection = new RawConnection(service.port())) {
      sendHead(connection, method);
      loseTheClients();
      ticker.pass(BEYOND_THE_LIMIT);
      try {
        assertStale(connection.send(SAVINGS).read());
      } finally {
        findTheClients();
      }
      assertThat(wallets()).isEqualTo(3);
    }
  }

  /** The node has read the clients again, but the request was admitted by the old knowledge. */
  @ParameterizedTest
  @ValueSource(strings = {"GET", "POST"})
  void requestInProgress_clientDisabledWhileItWasStopped_isNotServed(String method)
      throws IOException {
    try (RawConnection connection = new RawConnection(service.port())) {
      sendHead(connection, method);
      ticker.pass(BEYOND_THE_LIMIT);
      service.part(ClientStore.class).disable(client.clientId());
      service.awaitClients();
      assertThat(connection.send(SAVINGS).read().reason()).isEqualTo("client_disabled");
      assertThat(wallets()).isEqualTo(3);
    }
  }

  @Test
  void requestInProgress_longerThanTheLimitButUnchanged_isServed() throws IOException {
    try (RawConnection connection = new RawConnection(service.port())) {
      sendHead(connection, "GET");
      ticker.pass(BEYOND_THE_LIMIT);
      service.awaitClients();
      assertThat(connection.send(SAVINGS).read().status()).isEqualTo(200);
    }
  }

  /** Returns when the request has passed the checks of its head, and its body is awaited. */
  private void sendHead(RawConnection connection, String method) throws IOException {
    RawRequest request =
        client.signed(method, WALLETS, SAVINGS).request().with("Expect", "100-continue");
    connection.send(request.text().replace(SAVINGS, ""));
    assertThat(connection.read().status()).isEqualTo(100);
  }

  private static void loseTheClients() {
    rename("client_revision", "lost");
  }

  private static void findTheClients() {
    rename("lost", "client_revision");
    service.awaitClients();
  }

  private static void rename(String table, String name) {
    service
        .part(Database.class)
        .write(sql -> sql.sql("ALTER TABLE " + table + " RENAME TO " + name).update());
  }

  private static int wallets() {
    return service
        .part(Database.class)
        .read(sql -> sql.sql("SELECT count(*) FROM wallets").query(Integer.class).single());
  }

  private static int health(String group) {
    return RawRequest.send(
            service.port(),
            "GET /actuator/health/" + group + " HTTP/1.1\r\nHost: localhost\r\n\r\n")
        .status();
  }

  private static void assertStale(RawResponse answer) {
    assertThat(answer.reason()).as(answer.body()).isEqualTo("registry_stale");
    assertThat(answer.status()).isEqualTo(503);
    assertThat(answer.json().path("check").asString()).isEqualTo("client");
    assertThat(answer.header("retry-after")).isNotEmpty();
  }
}
