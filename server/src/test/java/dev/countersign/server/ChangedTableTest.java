package dev.countersign.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.server.store.StoreSettings;
import dev.countersign.server.store.TestStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/**
 * A table that changes under a running service: its listing alone is refused, until it fits again.
 */
@ExtendWith(OutputCaptureExtension.class)
class ChangedTableTest {
  private static final String CHANGED = "/lab/v1/changed";
  private static final String OTHER = "/lab/v1/other";
  private static final Map<TestStore, TestService> SERVICES = new EnumMap<>(TestStore.class);
  private static final Map<TestStore, TestClient> CLIENTS = new EnumMap<>(TestStore.class);

  private static final AtomicInteger RECORDS = new AtomicInteger();

  @TempDir private static Path data;

  private static TestClient client(TestStore store) {
    return CLIENTS.computeIfAbsent(
        store,
        s ->
            SERVICES
                .computeIfAbsent(s, ChangedTableTest::start)
                .register("lab", "127.0.0.1", "::1"));
  }

  private static TestService start(TestStore store) {
    StoreSettings settings = store.settings(data.resolve(store.name()));
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      String path = List.of(CHANGED, OTHER).get(i);
      String listing = "countersign.listings[" + i + "].";
      lines.add(listing + "path=" + path);
      lines.add(listing + "table=" + path.substring(path.lastIndexOf('/') + 1));
      lines.add(listing + "key=id");
      lines.add(listing + "create=true");
      lines.add(listing + "sortable=note");
      lines.add(listing + "fields.id.type=integer");
      lines.add(listing + "fields.note.type=text");
      lines.add(listing + "fields.count.type=integer");
      lines.add(listing + "fields.at.type=timestamp");
      lines.add(listing + "fields.more.type=json");
    }
    lines.add(
        "countersign.roles.lab=lab:changed:read,lab:changed:create,lab:other:read,lab:other:create");
    try {
      Files.createDirectories(settings.data());
      for (String table : List.of("changed", "other")) {
        run(
            store,
            String.format(
                Locale.ROOT,
                "CREATE TABLE %s (id INTEGER PRIMARY KEY, note %s, count INTEGER, at %s, more %s)",
                table,
                store == TestStore.SQLITE ? "TEXT" : "text",
                store == TestStore.SQLITE ? "TEXT" : "timestamp",
                store == TestStore.SQLITE ? "TEXT" : "jsonb"));
      }
    } catch (IOException | SQLException e) {
      throw new IllegalStateException(e);
    }
    return TestService.startNode(settings.data(), settings, 0, lines.toArray(String[]::new));
  }

  @AfterAll
  static void stop() {
    SERVICES.values().forEach(TestService::close);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "SQLITE | ALTER TABLE changed DROP COLUMN note | ALTER TABLE changed ADD COLUMN note TEXT"
            + " | field note: table changed has no column note",
        "SQLITE | ALTER TABLE changed RENAME COLUMN count TO number"
            + " | ALTER TABLE changed RENAME COLUMN number TO count"
            + " | field count: table changed has no column count",
        "SQLITE | ALTER TABLE changed RENAME TO gone | ALTER TABLE gone RENAME TO changed"
            + " | there is no table changed",
        "POSTGRESQL | ALTER TABLE changed DROP note | ALTER TABLE changed ADD note text"
            + " | field note: table public.changed has no column note",
        "POSTGRESQL | ALTER TABLE changed RENAME count TO number"
            + " | ALTER TABLE changed RENAME number TO count"
            + " | field count: table public.changed has no column count",
        "POSTGRESQL | ALTER TABLE changed RENAME TO gone | ALTER TABLE gone RENAME TO changed"
            + " | there is no table changed",
        "POSTGRESQL | ALTER TABLE changed ALTER count TYPE text"
            + " | ALTER TABLE changed ALTER count TYPE integer USING count::integer"
            + " | field count: column count is text, which is not compatible with type integer",
        "POSTGRESQL | ALTER TABLE changed ALTER note TYPE integer USING NULL"
            + " | ALTER TABLE changed ALTER note TYPE text"
            + " | field note: column note is integer, which is not compatible with type text",
        "POSTGRESQL | ALTER TABLE changed ALTER note TYPE char(9)"
            + " | ALTER TABLE changed ALTER note TYPE text"
            + " | the type of column note was text and is now character(9): restart the service",
        "POSTGRESQL | ALTER TABLE changed ALTER more TYPE inet USING '10.0.0.1'"
            + " | ALTER TABLE changed ALTER more TYPE jsonb USING NULL"
            + " | field more: column more is inet, which no type can serve",
        "POSTGRESQL | ALTER TABLE changed ALTER at TYPE timestamptz"
            + " | ALTER TABLE changed ALTER at TYPE timestamp"
            + " | the type of column at was timestamp without time zone and is now timestamp with"
            + " time zone: restart the service",
      })
  void table_changed_isRefusedAloneUntilItFitsAgain(
      TestStore store, String change, String back, String problem, CapturedOutput output)
      throws SQLException {
    TestClient client = client(store);
    run(store, "DELETE FROM changed");
    run(store, "INSERT INTO changed (id, count) VALUES (1, 5)");
    assertThat(client.get(CHANGED).send().status()).isEqualTo(200);

    run(store, change);
    List<RawResponse> answers = new ArrayList<>();
    for (String path : List.of(CHANGED, CHANGED + "?sort=note,desc", CHANGED + "/1")) {
      answers.add(client.get(path).send());
    }
    answers.add(client.post(CHANGED, record(store)).send());
    assertThat(answers)
        .allSatisfy(
            answer -> {
              assertThat(answer.status()).as(answer.body()).isEqualTo(503);
              assertThat(answer.reason()).isEqualTo("collection_unavailable");
              assertThat(answer.body()).doesNotContain("note", "column");
            });
    assertThat(client.signed("HEAD", CHANGED).send().status()).isEqualTo(503);
    assertThat(output.getAll().lines().filter(line -> line.contains(" is refused now: ")))
        .hasSize(2)
        .anyMatch(line -> line.contains("GET " + CHANGED + " is refused now: listing "))
        .anyMatch(line -> line.contains("POST " + CHANGED + " is refused now: listing "))
        .allMatch(line -> line.contains(problem));
    assertThat(client.get(OTHER + "?sort=note").send().status()).isEqualTo(200);

    run(store, back);
    assertThat(client.get(CHANGED + "?sort=note").send().body()).contains("\"count\":5");
    assertThat(output).contains("GET " + CHANGED + " is served again");
    assertThat(client.post(CHANGED, record(store)).send().status()).isEqualTo(201);
  }

  /** Returns a new record. Equal bodies within one second would be a replay. */
  private static String record(TestStore store) {
    return String.format(
        Locale.ROOT, "{\"id\":2,\"note\":\"%s %d\",\"count\":2}", store, RECORDS.incrementAndGet());
  }

  /** Whatever the statement is, the caller's mistake stays the caller's. */
  @Test
  void column_thatBecomesWider_isServedOn() throws SQLException {
    TestStore store = TestStore.POSTGRESQL;
    TestClient client = client(store);
    run(store, "DELETE FROM changed");
    for (int i = 0; i < 8; i++) {
      // The driver prepares a statement that it has seen five times.
      assertThat(client.get(CHANGED + "?size=" + (i + 1)).send().status()).isEqualTo(200);
    }
    run(store, "ALTER TABLE changed ALTER count TYPE bigint");
    try {
      String body = "{\"id\":%d,\"note\":\"n\",\"count\":9000000000}";
      for (int i = 0; i < 8; i++) {
        RawResponse page = client.get(CHANGED + "?size=" + (i + 10)).send();
        assertThat(page.status()).as(page.body()).isEqualTo(200);
      }
      assertThat(client.post(CHANGED, String.format(Locale.ROOT, body, 3)).send().status())
          .isEqualTo(201);
      RawResponse refused =
          client.post(CHANGED, String.format(Locale.ROOT, body, 9000000000L)).send();
      assertThat(refused.reason()).as(refused.body()).isEqualTo("body_invalid");
    } finally {
      run(store, "DELETE FROM changed");
      run(store, "ALTER TABLE changed ALTER count TYPE integer");
    }
  }

  /**
   * A violation that a caller caused spares the table from the next examination for a second. A
   * misfit that any other request finds within this second counts at once.
   */
  @Test
  void table_changedSoonAfterAViolation_isRefusedAfterAnyRequestThatFindsIt() throws SQLException {
    TestStore store = TestStore.POSTGRESQL;
    TestClient client = client(store);
    run(store, "DELETE FROM changed");
    run(store, "INSERT INTO changed (id, count) VALUES (1, 5)");
    assertThat(client.get(CHANGED).send().status()).isEqualTo(200);
    RawResponse violation =
        client.post(CHANGED, "{\"id\":9000000000,\"note\":\"n\",\"count\":2}").send();
    assertThat(violation.reason()).as(violation.body()).isEqualTo("body_invalid");
    run(store, "ALTER TABLE changed ALTER note TYPE integer USING NULL");
    try {
      assertThat(client.get(CHANGED).send().status()).isEqualTo(503);
      RawResponse created = client.post(CHANGED, record(store)).send();
      assertThat(created.status()).as(created.body()).isEqualTo(503);
    } finally {
      run(store, "ALTER TABLE changed ALTER note TYPE text");
    }
  }

  private static void run(TestStore store, String statement) throws SQLException {
    store.run(data.resolve(store.name()), statement);
  }
}
