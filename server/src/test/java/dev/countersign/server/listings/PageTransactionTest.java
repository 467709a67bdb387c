package dev.countersign.server.listings;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.server.access.directory.AttributeValue;
import dev.countersign.server.listings.ListingProperties.FieldProperties;
import dev.countersign.server.store.Database;
import dev.countersign.server.store.TestStore;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** When a page is read and when its list is counted, which a function of the view observes. */
class PageTransactionTest {
  private static final Map<String, AttributeValue> ANYONE = Map.of();

  @TempDir Path directory;

  /** Creates a view over a table of 30 rows that calls a function for each row that is read. */
  private void create(String function) throws SQLException {
    TestStore.POSTGRESQL.run(
        directory,
        "CREATE TABLE numbers (id bigint PRIMARY KEY)",
        "INSERT INTO numbers (id) SELECT generate_series(1, 30)",
        "CREATE FUNCTION observed() RETURNS boolean LANGUAGE plpgsql VOLATILE AS $$ BEGIN "
            + function
            + " RETURN true; END $$",
        "CREATE VIEW observed_numbers AS SELECT id FROM numbers WHERE observed()");
  }

  private static ListingBench bench(Database database) {
    return new ListingBench(
        database,
        ListingProperties.at("/ledger/v1/numbers")
            .table("observed_numbers")
            .key("id")
            .unique(ListingProperties.Unique.ASSUMED)
            .fields(Map.of("id", FieldProperties.of("integer")))
            .build());
  }

  @ParameterizedTest
  @ValueSource(strings = {"size=31", "page=1&size=20", "offset=29&size=2"})
  void page_thatShowsTheEnd_isNotCounted(String query) throws Exception {
    try (Database database = TestStore.POSTGRESQL.open(directory)) {
      create("IF current_query() LIKE 'SELECT pg_catalog.count(%' THEN RAISE 'counted'; END IF;");
      assertThat(bench(database).page(ANYONE, "?" + query).get("totalElements").asInt())
          .isEqualTo(30);
    }
  }

  /** A serialization failure ends the transaction; the lock survives that, so it happens once. */
  @Test
  void page_whoseCountIsRepeated_hasEachRecordOnce() throws Exception {
    try (Database database = TestStore.POSTGRESQL.open(directory)) {
      create(
          """
          IF current_query() LIKE 'SELECT pg_catalog.count(%'
              AND NOT EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND objid = 33) THEN
            PERFORM pg_advisory_lock(33);
            RAISE 'conflict' USING ERRCODE = '40001';
          END IF;
          """);
      ListingBench bench = bench(database);
      assertThat(bench.ids(ANYONE, "?size=3")).isEqualTo("1 2 3 of 30");
      assertThat(
              database.<Boolean>read(
                  sql ->
                      sql.sql("SELECT EXISTS (SELECT FROM pg_locks WHERE objid = 33)")
                          .query(Boolean.class)
                          .single()))
          .as("the count has failed once")
          .isTrue();
    }
  }

  @Test
  void page_farFromTheStart_isCountedFirst() throws Exception {
    try (Database database = TestStore.POSTGRESQL.open(directory)) {
      create("IF current_query() LIKE '%LIMIT 20%' THEN RAISE 'read'; END IF;");
      ListingBench bench = bench(database);
      assertThat(bench.ids(ANYONE, "?offset=1000")).isEqualTo("of 30");
    }
  }
}
