package dev.countersign.server.listings;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.server.listings.ListingProperties.FieldProperties;
import dev.countersign.server.listings.ListingProperties.Unique;
import dev.countersign.server.store.Database;
import dev.countersign.server.store.RequestTime;
import dev.countersign.server.store.TestStore;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Texts of a view do not depend on settings of the role, the database or a pooler. */
class TextFormsTest {
  private static final TestStore STORE = TestStore.POSTGRESQL;
  private static final String SERVED =
      "{\"id\":1,\"wide\":0.30000000000000004,\"narrow\":0.1,\"written\":\"0.30000000000000004\","
          + "\"lasts\":\"1 day 02:00:00\",\"scan\":\"\\\\x00ff\",\"day\":\"2026-01-05\"}";
  // The driver itself sets DateStyle for its session, and ends a session with another one.
  private static final List<String> OTHERS =
      List.of("extra_float_digits = -5", "IntervalStyle = iso_8601", "bytea_output = escape");

  @TempDir Path directory;

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void view_isServedAlikeUnderAnySettings(boolean isOfTheSession) throws Exception {
    STORE.run(
        directory,
        "CREATE TABLE public.base (id int PRIMARY KEY, wide double precision, narrow real,"
            + " lasts interval, scan bytea, day date)",
        "INSERT INTO public.base VALUES (1, 0.30000000000000004, 0.1, '1 day 2 hours',"
            + " decode('00ff', 'hex'), '2026-01-05')",
        "CREATE VIEW public.things AS SELECT id, wide, narrow, wide::text AS written,"
            + " lasts::text AS lasts, scan::text AS scan, day::text AS day FROM public.base");
    if (!isOfTheSession) {
      for (String other : OTHERS) {
        STORE.run(
            directory,
            "DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET "
                + other
                + "', current_database()); END $$");
      }
    }
    try (Database database = STORE.open(directory)) {
      ListingBench things = new ListingBench(database, definition());
      // The driver reads floating-point numbers as text at first, and later in binary.
      for (int i = 0; i < 10; i++) {
        if (isOfTheSession) {
          database
              .forClient("another", new RequestTime())
              .readTables(
                  sql -> {
                    OTHERS.forEach(other -> sql.sql("SET " + other).update());
                    return true;
                  });
        }
        assertThat(things.get(Map.of(), "").getContentAsString()).contains(SERVED);
      }
    }
  }

  private static ListingProperties definition() {
    Map<String, FieldProperties> fields = new LinkedHashMap<>();
    fields.put("id", FieldProperties.of("integer"));
    fields.put("wide", FieldProperties.of("decimal"));
    fields.put("narrow", FieldProperties.of("decimal"));
    List.of("written", "lasts", "scan", "day")
        .forEach(name -> fields.put(name, FieldProperties.of("text")));
    return ListingProperties.at("/lab/v1/things")
        .table("public.things")
        .key("id")
        .unique(Unique.ASSUMED)
        .fields(fields)
        .build();
  }
}
