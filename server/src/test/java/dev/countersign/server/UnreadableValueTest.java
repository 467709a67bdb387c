package dev.countersign.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.server.portal.PortalClient;
import dev.countersign.server.store.Database;
import dev.countersign.server.store.StoreSettings;
import dev.countersign.server.store.TestStore;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/**
 * A table may contain values that JSON cannot express: the operator must correct them, not the
 * caller.
 */
@ExtendWith(OutputCaptureExtension.class)
class UnreadableValueTest {
  private static final String PATH = "/lab/v1/measurements";
  private static final String COMPUTED = "/lab/v1/computed";
  private static final Map<TestStore, TestService> SERVICES = new EnumMap<>(TestStore.class);
  private static final Map<TestStore, TestClient> CLIENTS = new EnumMap<>(TestStore.class);

  private static final AtomicInteger RECORDS = new AtomicInteger(100);

  @TempDir private static Path data;

  private static TestClient client(TestStore store) {
    return CLIENTS.computeIfAbsent(
        store,
        s ->
            SERVICES
                .computeIfAbsent(s, UnreadableValueTest::start)
                .register("lab", "127.0.0.1", "::1"));
  }

  private static TestService start(TestStore store) {
    StoreSettings settings = store.settings(data.resolve(store.name()));
    try (Database database = Database.open(settings)) {
      boolean sqlite = store == TestStore.SQLITE;
      database.write(
          sql ->
              sql.sql(
                      String.format(
                          Locale.ROOT,
                          """
                          CREATE TABLE measurements (id VARCHAR(40) NOT NULL PRIMARY KEY,
                            note VARCHAR(40), narrow REAL, wide DOUBLE PRECISION, exact NUMERIC,
                            count INTEGER, flag BOOLEAN, link UUID,
                            taken %s, filled DOUBLE PRECISION DEFAULT %s)
                          """,
                          sqlite ? "TIMESTAMP" : "TIMESTAMPTZ",
                          sqlite ? "9e999" : "'NaN'"))
                  .update());
      database.write(
          sql ->
              sql.sql(
                      "CREATE VIEW computed AS SELECT id, CAST(note AS NUMERIC) AS exact"
                          + " FROM measurements")
                  .update());
    }
    return service(settings);
  }

  private static TestService service(StoreSettings store) {
    List<String> settings = new ArrayList<>();
    settings.add("countersign.listings[0].path=" + PATH);
    settings.add("countersign.listings[0].table=measurements");
    settings.add("countersign.listings[0].key=id");
    settings.add("countersign.listings[0].create=true");
    settings.add("countersign.listings[0].fields.note.type=text");
    for (String number : List.of("narrow", "wide", "exact", "filled")) {
      settings.add(
          String.format(Locale.ROOT, "countersign.listings[0].fields.%s.type=decimal", number));
    }
    settings.add("countersign.listings[0].fields.count.type=integer");
    settings.add("countersign.listings[0].fields.taken.type=timestamp");
    settings.add("countersign.listings[0].fields.flag.type=boolean");
    settings.add("countersign.listings[0].fields.link.type=uuid");
    settings.add("countersign.listings[0].fields.id.type=text");
    settings.add("countersign.listings[0].fields.id.max=40");
    String roles = "countersign.roles.lab=lab:measurements:read,lab:measurements:create";
    if (store.url() == null) {
      settings.add(roles);
    } else {
      settings.add(roles + ",lab:computed:read");
      settings.add("countersign.listings[1].path=" + COMPUTED);
      settings.add("countersign.listings[1].table=computed");
      settings.add("countersign.listings[1].key=id");
      settings.add("countersign.listings[1].unique=assumed");
      settings.add("countersign.listings[1].fields.id.type=text");
      settings.add("countersign.listings[1].fields.exact.type=decimal");
    }
    return TestService.startNode(store.data(), store, 0, settings.toArray(String[]::new));
  }

  @AfterAll
  static void stop() {
    SERVICES.values().forEach(TestService::close);
  }

  @AfterEach
  void empty() {
    SERVICES.keySet().forEach(store -> run(store, "DELETE FROM measurements"));
  }

  private static void run(TestStore store, String statement) {
    SERVICES.get(store).part(Database.class).write(sql -> sql.sql(statement).update());
  }

  private static void assertInternalError(RawResponse response) {
    assertThat(response.status()).as(response.body()).isEqualTo(500);
    assertThat(response.reason()).isEqualTo("internal_error");
    assertThat(response.body()).doesNotContain("measurements", "K-1", "a note");
  }

  /** The lines about requests; other services of this JVM may log lines that name none. */
  private static List<String> errors(CapturedOutput output) {
    return output
        .getAll()
        .lines()
        .filter(line -> line.contains(" ERROR ") && !line.contains(" [-] "))
        .toList();
  }

  @ParameterizedTest
  @CsvSource({
    "SQLITE, narrow, 9e999",
    "SQLITE, wide, -9e999",
    "SQLITE, exact, 9e999",
    "SQLITE, exact, 'about five'",
    "SQLITE, count, 9e999",
    "SQLITE, count, 1.5",
    "SQLITE, count, 'about five'",
    "SQLITE, flag, 't'",
    "SQLITE, flag, 'true'",
    "SQLITE, flag, 7",
    "SQLITE, flag, 0.5",
    "SQLITE, link, 'a link'",
    "SQLITE, link, 1f0e8c9a-3b5d-4c7e-9f21-6a8b0c2d4e6g",
    "SQLITE, link, 1f0e8c9a03b5d-4c7e-9f21-6a8b0c2d4e6f",
    "SQLITE, link, x'00'",
    "SQLITE, taken, 'yesterday'",
    "SQLITE, taken, 9999-99-99T99:99:99.999Z",
    "SQLITE, taken, 2026-02-29T00:00:00.000Z",
    "SQLITE, taken, 2026-02-28T24:00:00.000Z",
    "SQLITE, taken, 2026-02-28T00:60:00.000Z",
    "SQLITE, taken, 2026-02-28T00:00:60.000Z",
    "SQLITE, taken, 2026-00-28T00:00:00.000Z",
    "SQLITE, taken, 2026-02-00T00:00:00.000Z",
    "SQLITE, taken, 2026-02-28T00:00:00.00aZ",
    "SQLITE, taken, +12345-01-01T00:00:00Z",
    "SQLITE, taken, -0001-01-01T00:00:00Z",
    "SQLITE, taken, 9999-12-31T23:59:59-01:00",
  })
  void value_inSqliteThatJsonCannotSay_isTheOperatorsToMend(
      TestStore store, String column, String value, CapturedOutput output) {
    assertLaidAtTheOperatorsDoor(store, column, value, output);
  }

  @Tag("full")
  @ParameterizedTest
  @CsvSource({
    "POSTGRESQL, narrow, NaN",
    "POSTGRESQL, narrow, Infinity",
    "POSTGRESQL, wide, NaN",
    "POSTGRESQL, wide, -Infinity",
    "POSTGRESQL, exact, NaN",
    "POSTGRESQL, exact, Infinity",
    "POSTGRESQL, taken, infinity",
    "POSTGRESQL, taken, -infinity",
    "POSTGRESQL, taken, 0044-03-15 12:00:00+00 BC",
  })
  void value_inPostgresqlThatJsonCannotSay_isTheOperatorsToMend(
      TestStore store, String column, String value, CapturedOutput output) {
    assertLaidAtTheOperatorsDoor(store, column, value, output);
  }

  private static void assertLaidAtTheOperatorsDoor(
      TestStore store, String column, String value, CapturedOutput output) {
    TestClient client = client(store);
    boolean isLiteral = value.contains("9e999") || value.startsWith("x'");
    String literal = isLiteral ? value : "'" + value + "'";
    // The log names a record only once.
    String key = "K-" + RECORDS.incrementAndGet();
    run(
        store,
        String.format(
            Locale.ROOT,
            "INSERT INTO measurements (id, note, filled, %s) VALUES ('%s', 'a note', 1, %s)",
            column,
            key,
            literal));

    assertInternalError(client.get(PATH).send());
    assertInternalError(client.get(PATH + '/' + key).send());

    assertThat(errors(output))
        .singleElement()
        .asString()
        .contains("measurements." + column, '"' + key + '"')
        .doesNotContain("a note");
  }

  @Test
  void listings_showsTheRecordAndTheField() {
    TestStore store = TestStore.SQLITE;
    TestClient client = client(store);
    PortalClient viewer = PortalClient.viewer(SERVICES.get(store));
    run(store, "INSERT INTO measurements (id, flag, filled) VALUES ('<K-9>', 'secret', 1)");

    assertInternalError(client.get(PATH).send());

    assertThat(viewer.get("/listings").expect(200).body())
        .contains(
            "values that cannot be shown",
            "<code>flag</code>",
            "<code>&quot;&lt;K-9&gt;&quot;</code>")
        .doesNotContain("secret");
  }

  @Tag("full")
  @ParameterizedTest
  @EnumSource
  void page_withoutTheRow_isServed(TestStore store) {
    TestClient client = client(store);
    run(store, "INSERT INTO measurements (id, wide, filled) VALUES ('K-1', 1.5, 1)");
    run(store, "INSERT INTO measurements (id, filled) VALUES ('K-2', 1)");
    run(store, "INSERT INTO measurements (id) VALUES ('K-3')");

    assertThat(client.get(PATH + "?size=2").send().status()).isEqualTo(200);
    assertInternalError(client.get(PATH + "?size=2&page=1").send());
  }

  @Tag("full")
  @ParameterizedTest
  @EnumSource
  void create_thatTheTableFillsWithIt_keepsNothing(TestStore store, CapturedOutput output) {
    TestClient client = client(store);

    assertInternalError(client.post(PATH, "{\"id\":\"K-1\",\"note\":\"a note\"}").send());

    assertThat(errors(output)).hasSize(1);
    assertThat(errors(output).get(0)).contains("measurements.filled", "\"K-1\"");
    assertThat(client.get(PATH).send().json().path("totalElements").asInt(-1)).isZero();
  }

  @Test
  void create_thatATriggerSkipsInSqlite_isTheOperatorsToMend(CapturedOutput output) {
    assertSkippedInsertIsReported(
        TestStore.SQLITE,
        output,
        "CREATE TRIGGER skipped BEFORE INSERT ON measurements BEGIN SELECT RAISE(IGNORE); END",
        "DROP TRIGGER skipped");
  }

  @Tag("full")
  @Test
  void create_thatATriggerSkipsInPostgresql_isTheOperatorsToMend(CapturedOutput output) {
    client(TestStore.POSTGRESQL);
    run(
        TestStore.POSTGRESQL,
        "CREATE OR REPLACE FUNCTION skip() RETURNS trigger LANGUAGE plpgsql"
            + " AS 'BEGIN RETURN NULL; END'");
    assertSkippedInsertIsReported(
        TestStore.POSTGRESQL,
        output,
        "CREATE TRIGGER skipped BEFORE INSERT ON measurements"
            + " FOR EACH ROW EXECUTE FUNCTION skip()",
        "DROP TRIGGER skipped ON measurements");
  }

  private static void assertSkippedInsertIsReported(
      TestStore store, CapturedOutput output, String create, String drop) {
    TestClient client = client(store);
    run(store, create);
    try {
      assertInternalError(client.post(PATH, "{\"id\":\"K-1\",\"filled\":1}").send());
    } finally {
      run(store, drop);
    }
    assertThat(errors(output))
        .singleElement()
        .asString()
        .contains("a trigger skipped it; let that trigger raise an exception instead");
    assertThat(output.getAll()).doesNotContain("\tat ");
    assertThat(client.post(PATH, "{\"id\":\"K-1\",\"filled\":1}").send().status()).isEqualTo(201);
  }

  /** Whatever the database reports about a value while it reads, the caller sent none. */
  @Tag("full")
  @Test
  void list_whoseTableCannotBeComputed_isTheOperatorsToMend() {
    TestStore store = TestStore.POSTGRESQL;
    TestClient client = client(store);
    run(store, "INSERT INTO measurements (id, note, filled) VALUES ('K-1', 'a note', 1)");

    RawResponse response = client.get(COMPUTED).send();

    assertThat(response.status()).as(response.body()).isEqualTo(500);
    assertThat(response.reason()).isEqualTo("internal_error");
  }
}
