package dev.countersign.server;

import static dev.countersign.server.RawResponse.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.server.clients.ClientStore;
import dev.countersign.server.clients.ClientUpdate;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A client needs its permission before its body is read, and still has it when the write ends. */
class AdmissionTest {
  private static final String WALLETS = "/ledger/v1/wallets";
  private static final AtomicInteger COUNT = new AtomicInteger();
  private static TestService service;

  @BeforeAll
  static void start(@TempDir Path data) {
    service =
        TestService.start(
            data,
            0,
            // So large that a hundred bodies would not fit into any heap.
            "countersign.access.body-limit=64MB",
            "countersign.access.body-timeout=10m");
  }

  @AfterAll
  static void stop() {
    service.close();
  }

  private static String wallet() {
    return String.format(
        Locale.ROOT, "{\"name\":\"A%d\",\"currencyCode\":\"EUR\"}", COUNT.incrementAndGet());
  }

  /** The head of a request with a chunked body of which nothing is sent. */
  private static String head(TestRequest signed) {
    String text =
        signed.request().without("Content-Length").with("Transfer-Encoding", "chunked").text();
    return text.substring(0, text.indexOf("\r\n\r\n") + 4);
  }

  private static TestRequest post(TestClient client, String path) {
    return client.signed("POST", path, wallet());
  }

  @ParameterizedTest
  @CsvSource({
    "/, not_found",
    "/ledger/v1/nothing, not_found",
    "/ledger/v1/wallets/, not_found",
    "/ledger/v1/wallets/a/b, not_found",
    "/actuator/health, not_found",
    "/actuator/%68ealth, not_found",
    "/ledger/v1/wallets/1, method_not_allowed",
    "/openapi.yaml, method_not_allowed",
  })
  void body_forNoOperation_isNotWaitedFor(String path, String reason) throws IOException {
    try (RawConnection connection = new RawConnection(service.port())) {
      connection.send(head(post(service.register(), path)));

      assertThat(connection.read().reason()).isEqualTo(reason);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {WALLETS, "/integrations/v1/keys"})
  void body_withoutThePermission_isNotWaitedFor(String path) throws IOException {
    TestClient viewer = service.register("ledger-viewer", "127.0.0.1", "::1");
    try (RawConnection connection = new RawConnection(service.port())) {
      connection.send(head(post(viewer, path)));

      RawResponse answer = connection.read();
      assertRefused(answer, 403, "role_missing");
      assertThat(answer.json().path("check").asString("")).isEqualTo("authorization");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"ledger-viewer", "ledger-operator"})
  void bodies_announcedAndNotSent_leaveOthersTheirMemory(String role) throws IOException {
    TestClient idle = service.register(role, "127.0.0.1", "::1");
    TestClient other = service.register();
    List<RawConnection> connections = new ArrayList<>();
    try {
      for (int i = 0; i < 130; i++) {
        connections.add(new RawConnection(service.port()).send(head(post(idle, WALLETS))));
      }

      for (int i = 0; i < 20; i++) {
        assertThat(post(other, WALLETS).send().status()).isEqualTo(201);
      }
    } finally {
      for (RawConnection connection : connections) {
        connection.close();
      }
    }
  }

  static Stream<Arguments> changes() {
    return Stream.of(
        change("client_disabled", (clients, id) -> clients.disable(id)),
        change("client_unknown", (clients, id) -> clients.remove(id)),
        change(
            "address_not_allowed",
            (clients, id) ->
                clients.update(id, new ClientUpdate(null, List.of("203.0.113.7"), null, null))),
        change(
            "role_missing",
            (clients, id) ->
                clients.update(id, new ClientUpdate(null, null, List.of("ledger-viewer"), null))));
  }

  private static Arguments change(String reason, BiConsumer<ClientStore, String> change) {
    return Arguments.of(reason, change);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("changes")
  void write_ofAClientChangedWhileItsBodyArrives_isRefused(
      String reason, BiConsumer<ClientStore, String> change) throws IOException {
    TestClient client = service.register();
    TestRequest post = post(client, WALLETS);
    String text = post.request().with("Expect", "100-continue").text();
    int end = text.indexOf("\r\n\r\n") + 4;
    try (RawConnection connection = new RawConnection(service.port())) {
      // The service has passed the checks of the head and waits for the body.
      assertThat(connection.send(text.substring(0, end)).read().status()).isEqualTo(100);
      change.accept(service.part(ClientStore.class), client.clientId());

      assertThat(connection.send(text.substring(end)).read().reason()).isEqualTo(reason);
    }
    TestClient other = service.register();
    assertThat(other.get(WALLETS + "?size=100&sort=createdAt,desc").send().body())
        .doesNotContain(post.body().substring(9, 13) + "\"");
  }

  @Test
  void write_ofAnUnchangedClient_isExecuted() {
    assertThat(post(service.register(), WALLETS).send().status()).isEqualTo(201);
  }
}
