package dev.countersign.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.server.access.directory.AttributeSetting;
import dev.countersign.server.clients.ClientStore;
import dev.countersign.server.clients.ClientUpdate;
import dev.countersign.server.store.StoreSettings;
import dev.countersign.server.store.TestStore;
import dev.countersign.testing.TestThreads;
import dev.countersign.testing.Waits;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;

/** Calls of a client with a scope: while its attribute is removed, and with filters of 100 KiB. */
@TestInstance(Lifecycle.PER_CLASS)
class ScopeOverTheWireTest {
  private static final String NOTES = "/ledger/v1/notes";
  private static final String OWN = "own";
  private static final int LENGTH = 100 * 1024;

  private StoreSettings store;
  private TestService service;

  @BeforeAll
  void start(@TempDir Path folder) throws SQLException {
    TestStore.POSTGRESQL.run(
        folder,
        "CREATE TABLE notes (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,"
            + " customer text NOT NULL, text text NOT NULL)",
        "INSERT INTO notes (customer, text) SELECT c, 'note ' || n"
            + " FROM unnest(ARRAY['own', 'other']) c, generate_series(1, 3) n");
    store = TestStore.POSTGRESQL.settings(folder);
    service =
        TestService.startNode(
            folder,
            store,
            0,
            "server.max-http-request-header-size=256KB",
            "countersign.roles.writer=ledger:notes:read,ledger:notes:create",
            "countersign.attributes.customer.type=text",
            "countersign.listings[0].path=" + NOTES,
            "countersign.listings[0].table=notes",
            "countersign.listings[0].key=id",
            "countersign.listings[0].create=true",
            "countersign.listings[0].fields.id.type=integer",
            "countersign.listings[0].fields.id.generated=true",
            "countersign.listings[0].fields.customer.type=text",
            "countersign.listings[0].fields.text.type=text",
            "countersign.listings[0].filterable=text",
            "countersign.listings[0].scope.customer=customer");
  }

  @AfterAll
  void stop() {
    service.close();
  }

  private TestClient register() {
    TestClient client = service.register("writer", "127.0.0.1");
    Map<String, AttributeSetting> own = Map.of("customer", AttributeSetting.of(List.of(OWN)));
    service
        .part(ClientStore.class)
        .update(client.clientId(), new ClientUpdate(null, null, null, own, Set.of(), null));
    Awaitility.await().until(() -> seen(client).equals(OWN));
    return client;
  }

  private void removeAttribute(TestClient client) {
    service
        .part(ClientStore.class)
        .update(
            client.clientId(),
            new ClientUpdate(null, null, null, Map.of(), Set.of("customer"), null));
  }

  /** Returns the customers whose notes a client gets, or the reason of the refusal. */
  private static String seen(TestClient client) {
    RawResponse page = client.get(NOTES).send();
    return page.status() == 200
        ? page.json()
            .get("content")
            .valueStream()
            .map(note -> note.get("customer").asString())
            .distinct()
            .collect(Collectors.joining(", "))
        : page.reason();
  }

  @Test
  void attributeRemovedWhileABodyArrives_refusesTheWrite() throws Exception {
    TestClient client = register();
    String text = client.post(NOTES, "{\"text\":\"late\"}").with("Expect", "100-continue").text();
    int end = text.indexOf("\r\n\r\n") + 4;
    try (RawConnection connection = new RawConnection(service.port())) {
      // The service has passed the checks of the head and waits for the body.
      assertThat(connection.send(text.substring(0, end)).read().status()).isEqualTo(100);
      removeAttribute(client);
      assertThat(connection.send(text.substring(end)).read().reason()).isEqualTo("scope_missing");
    }
    assertThat(query("SELECT count(*) FROM notes WHERE text = 'late'")).isEqualTo("0");
  }

  /** The page is read after the change, with the scope with which the request was admitted. */
  @Test
  void attributeRemovedWhileAPageWaits_neverWidensThePage() throws Exception {
    TestClient client = register();
    try (Connection other = connect();
        Statement statement = other.createStatement();
        TestThreads threads = TestThreads.of(1)) {
      other.setAutoCommit(false);
      statement.execute("LOCK TABLE notes IN ACCESS EXCLUSIVE MODE");
      Future<String> page = threads.submit(() -> seen(client));
      Awaitility.await().until(() -> page.isDone() || isWaiting());
      removeAttribute(client);
      other.rollback();
      // A busy machine may not free the table in time.
      assertThat(Waits.forResult(page)).isIn(OWN, "overloaded");
    }
    Awaitility.await().until(() -> seen(client).equals("scope_missing"));
  }

  @Test
  void filtersOf100KiB_findTheClientsOwnRecords() {
    TestClient client = register();
    String hostile = encoded("' OR customer <> 'own' --%_\\\"{}");
    List<String> queries =
        List.of(
            "text=" + "x".repeat(LENGTH),
            "text=" + hostile.repeat(LENGTH / hostile.length()),
            "text.gte=" + "%F0%9F%98%80".repeat(LENGTH / 12),
            "text=note%201&" + values(49, LENGTH / 49));
    for (String query : queries) {
      RawResponse page = client.get(NOTES + "?" + query).send();
      String name = query.substring(0, 40);
      assertThat(page.status()).as("%s: %s", name, page.body()).isEqualTo(200);
      assertThat(page.json().get("totalElements").asInt())
          .as(name)
          .isEqualTo(query.contains("note%201") ? 1 : 0);
    }
  }

  @Test
  void filtersOf100KiB_thatAreTooMany_areRefused() {
    TestClient client = register();
    List<String> queries =
        List.of(
            values(51, LENGTH / 51),
            values(LENGTH / 16, 16),
            "customer=other&".repeat(LENGTH / 15) + "customer=other",
            "&".repeat(LENGTH) + "=");
    for (String query : queries) {
      RawResponse refusal = client.get(NOTES + "?" + query).send();
      String name = query.substring(0, 40);
      assertThat(refusal.status()).as("%s: %s", name, refusal.body()).isEqualTo(400);
      assertThat(refusal.reason()).as(name).isIn("parameter_invalid", "parameter_unknown");
      assertThat(refusal.body()).as(name).hasSizeLessThan(2_000);
    }
  }

  private static String values(int count, int length) {
    return IntStream.range(0, count)
        .mapToObj(number -> "text=" + number + "y".repeat(length - 8))
        .collect(Collectors.joining("&"));
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  private boolean isWaiting() throws SQLException {
    return query(
            "SELECT count(*) FROM pg_stat_activity"
                + " WHERE datname = current_database() AND wait_event_type = 'Lock'")
        .equals("1");
  }

  private Connection connect() throws SQLException {
    return DriverManager.getConnection(store.url(), store.user(), null);
  }

  private String query(String sql) throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      rows.next();
      return rows.getString(1);
    }
  }
}
