package dev.countersign.server.listings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import dev.countersign.protocol.Reason;
import dev.countersign.server.LogCapture;
import dev.countersign.server.access.directory.AttributeValue;
import dev.countersign.server.access.outcome.Denial;
import dev.countersign.server.access.outcome.DeniedException;
import dev.countersign.server.listings.ListingProperties.FieldProperties;
import dev.countersign.server.store.Database;
import dev.countersign.server.store.TestStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.LoggerFactory;

/** Column types of PostgreSQL that change while the service runs, and still fit the listing. */
class ChangedTypesTest {
  private static final Map<String, AttributeValue> CLIENT = Map.of();
  private static final TestStore STORE = TestStore.POSTGRESQL;
  private static final String CREATE_STATUS =
      "CREATE TYPE public.status AS ENUM ('OPEN', 'CLOSED')";

  @TempDir Path directory;

  @Test
  void newLabel_isAcceptedWithoutARestart() throws Exception {
    try (Database database = STORE.open(directory)) {
      ListingBench things = things(database, "public.status", "text", CREATE_STATUS);
      assertThat(things.refusal(CLIENT, "GET", "?v=REVERSED", "").detail())
          .startsWith("v must be one of OPEN, CLOSED");
      STORE.run(
          directory,
          "ALTER TYPE public.status ADD VALUE 'REVERSED'",
          "INSERT INTO public.things VALUES (1, 'REVERSED')");

      // The labels are read again at most once a second.
      Awaitility.await()
          .ignoreException(DeniedException.class)
          .untilAsserted(
              () ->
                  assertThat(things.ids(CLIENT, "?v=REVERSED,OPEN&v.gte=OPEN"))
                      .isEqualTo("1 of 1"));
      assertThat(things.post(CLIENT, "{\"id\":2,\"v\":\"REVERSED\"}").getStatus()).isEqualTo(201);
      assertThat(things.refusal(CLIENT, "POST", "", "{\"id\":2,\"v\":\"x\"}").detail())
          .startsWith("v must be one of OPEN, CLOSED, REVERSED");
    }
  }

  @Test
  void newLabel_inANewRecord_isAcceptedWithoutARestart() throws Exception {
    try (Database database = STORE.open(directory)) {
      ListingBench things = things(database, "public.status", "text", CREATE_STATUS);
      STORE.run(directory, "ALTER TYPE public.status ADD VALUE 'REVERSED'");
      assertThat(things.post(CLIENT, "{\"id\":1,\"v\":\"REVERSED\"}").getStatus()).isEqualTo(201);
    }
  }

  @Test
  void renamedLabel_withItsOldName_isRefused() throws Exception {
    try (Database database = STORE.open(directory);
        LogCapture log = LogCapture.of(ListingCatalog.class)) {
      ListingBench things = things(database, "public.status", "text", CREATE_STATUS);
      STORE.run(
          directory,
          "INSERT INTO public.things VALUES (1, 'CLOSED')",
          "ALTER TYPE public.status RENAME VALUE 'CLOSED' TO 'SHUT'");

      Denial denial = things.refusal(CLIENT, "GET", "?v=CLOSED", "");

      assertThat(denial.reason()).isEqualTo(Reason.PARAMETER_INVALID);
      assertThat(denial.detail()).isEqualTo("v must be one of OPEN, SHUT, was CLOSED");
      assertThat(things.ids(CLIENT, "?v=SHUT")).isEqualTo("1 of 1");
      assertThat(log.lines())
          .filteredOn(line -> line.contains("label"))
          .containsExactly(
              "listing /lab/v1/things: the labels of its enumerations are now {v=[OPEN, SHUT]}");
    }
  }

  @Test
  void renamedLabel_withItsOldNameInANewRecord_isRefusedAsAnInvalidBody() throws Exception {
    try (Database database = STORE.open(directory)) {
      ListingBench things = things(database, "public.status", "text", CREATE_STATUS);
      STORE.run(directory, "ALTER TYPE public.status RENAME VALUE 'CLOSED' TO 'SHUT'");
      String record = "{\"id\":1,\"v\":\"CLOSED\"}";
      assertThat(things.refusal(CLIENT, "POST", "", record).reason())
          .isEqualTo(Reason.BODY_INVALID);
      assertThat(things.refusal(CLIENT, "POST", "", record).detail())
          .startsWith("v must be one of OPEN, SHUT");
    }
  }

  @Test
  void table_withUnknownLabels_isDescribedAtMostOnceASecond() throws Exception {
    try (Database database = STORE.open(directory)) {
      ListingBench things = things(database, "public.status", "text", CREATE_STATUS);
      Logger jdbc = (Logger) LoggerFactory.getLogger("org.springframework.jdbc.core");
      jdbc.setLevel(Level.DEBUG);
      long start = System.nanoTime();
      try (LogCapture statements = LogCapture.of("org.springframework.jdbc.core")) {
        for (int i = 0; i < 30; i++) {
          things.refusal(CLIENT, "GET", "?v=NONE" + i, "");
        }
        long seconds = Duration.ofNanos(System.nanoTime() - start).toSeconds();
        assertThat(statements.linesOfThisThread())
            .filteredOn(line -> line.contains("FROM pg_index"))
            .hasSizeBetween(1, Math.toIntExact(seconds) + 2);
      } finally {
        jdbc.setLevel(null);
      }
    }
  }

  /** Older rows may have NULL until the constraint is validated. */
  @Test
  void notNullConstraint_thatIsNotValid_leavesTheColumnNullable() throws Exception {
    try (Database database = STORE.open(directory)) {
      int version =
          database.read(
              sql ->
                  sql.sql("SELECT current_setting('server_version_num')::int")
                      .query(Integer.class)
                      .single());
      assumeThat(version)
          .as(
              "PostgreSQL has NOT NULL NOT VALID; run the tests with"
                  + " -Dpostgresql-binaries.version=18.1.0")
          .isGreaterThanOrEqualTo(180_000);
      ListingBench things = things(database, "numeric", "decimal");
      STORE.run(
          directory,
          "INSERT INTO public.things VALUES (1, NULL), (2, 5)",
          "ALTER TABLE public.things ADD CONSTRAINT filled NOT NULL v NOT VALID");
      assertThat(isNullable(database, things)).isTrue();
      assertThat(things.ids(CLIENT, "?sort=v")).isEqualTo("1 2 of 2");

      STORE.run(
          directory,
          "UPDATE public.things SET v = 0 WHERE v IS NULL",
          "ALTER TABLE public.things VALIDATE CONSTRAINT filled");
      assertThat(isNullable(database, things)).isFalse();
    }
  }

  private static boolean isNullable(Database database, ListingBench things) {
    Listing listing = ListingBench.check(database, things.listing.definition()).all().getFirst();
    return listing.field("v").column().nullable();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "numeric(10,2) | numeric(10,1) | 1.2 | 1.25 | have at most 1 digits after the point",
        "numeric | numeric(10,0) | 1.0 | 1.5 | have at most 0 digits after the point",
        "numeric | integer | 2 | 2.5 | have at most 0 digits after the point",
        "numeric | real | 16777216 | 16777217 | be a number that single precision can store",
        "double precision | real | 0.1 | 0.123456789 | be a number that single precision can",
        "numeric(10,1) | numeric(10,2) | 1.2 | 1.234 | have at most 1 digits after the point",
        "timestamptz | timestamptz(0) | \"2026-01-05T10:00:00.000Z\" |"
            + " \"2026-01-05T10:00:00.600Z\" | have no fraction of a second",
        "timestamp | timestamp(1) | \"2026-01-05T10:00:00.600Z\" | \"2026-01-05T10:00:00.650Z\""
            + " | have at most 1 digits after the point of the seconds",
      })
  void create_afterTheTypeChanged_neverStoresAnotherValue(
      String typeBefore, String typeAfter, String storable, String unstorable, String problem)
      throws Exception {
    try (Database database = STORE.open(directory)) {
      String fieldType = typeBefore.startsWith("timestamp") ? "timestamp" : "decimal";
      ListingBench things = things(database, typeBefore, fieldType);
      // The driver prepares a statement on the server after five executions.
      for (int id = 1; id <= 6; id++) {
        things.post(CLIENT, "{\"id\":" + id + ",\"v\":" + storable + "}");
      }
      STORE.run(directory, "ALTER TABLE public.things ALTER v TYPE " + typeAfter);

      Denial denial = things.refusal(CLIENT, "POST", "", "{\"id\":7,\"v\":" + unstorable + "}");

      assertThat(denial.reason()).isEqualTo(Reason.BODY_INVALID);
      assertThat(denial.detail()).startsWith("v must " + problem);
      assertThat(things.ids(CLIENT, "?sort=id")).isEqualTo("1 2 3 4 5 6 of 6");
      assertThat(things.post(CLIENT, "{\"id\":7,\"v\":" + storable + "}").getStatus())
          .isEqualTo(201);
    }
  }

  @Test
  void create_withAGeneratedTime_roundsItToThePrecisionOfTheColumn() throws Exception {
    try (Database database = STORE.open(directory)) {
      STORE.run(directory, "CREATE TABLE public.things (id int PRIMARY KEY, v timestamptz(0))");
      Map<String, FieldProperties> fields = new LinkedHashMap<>();
      fields.put("id", FieldProperties.of("integer"));
      fields.put(
          "v", new FieldProperties(null, "timestamp", null, null, List.of(), null, true, null));
      ListingBench things = bench(database, fields);
      for (int id = 1; id <= 3; id++) {
        assertThat(things.post(CLIENT, "{\"id\":" + id + "}").getStatus()).isEqualTo(201);
      }
    }
  }

  /** A listing of a table with a column of this type, after these statements. */
  private ListingBench things(
      Database database, String columnType, String fieldType, String... statements)
      throws Exception {
    STORE.run(directory, statements);
    STORE.run(directory, "CREATE TABLE public.things (id int PRIMARY KEY, v " + columnType + ")");
    Map<String, FieldProperties> fields = new LinkedHashMap<>();
    fields.put("id", FieldProperties.of("integer"));
    fields.put("v", FieldProperties.of(fieldType));
    return bench(database, fields);
  }

  private static ListingBench bench(Database database, Map<String, FieldProperties> fields) {
    return new ListingBench(
        database,
        ListingProperties.at("/lab/v1/things")
            .table("public.things")
            .key("id")
            .fields(fields)
            .sortable(List.of("id", "v"))
            .filterable(List.of("v"))
            .create(true)
            .build());
  }
}
