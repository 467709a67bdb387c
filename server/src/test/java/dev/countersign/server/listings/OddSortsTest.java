package dev.countersign.server.listings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.countersign.server.listings.ListingProperties.FieldProperties;
import dev.countersign.server.store.Database;
import dev.countersign.server.store.TestStore;
import dev.countersign.server.tables.SortOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.mock.web.MockHttpServletResponse;

/**
 * Sorts by columns whose types or collations take different texts for the same value: a walk by
 * cursors has the records of the one page that has them all, in the same order.
 */
class OddSortsTest {
  @TempDir Path directory;

  private static ListingProperties.Builder odd(Map<String, String> types) {
    Map<String, FieldProperties> fields = new LinkedHashMap<>();
    fields.put("id", FieldProperties.of("integer"));
    types.forEach((name, type) -> fields.put(name, FieldProperties.of(type)));
    return ListingProperties.at("/lab/v1/odd")
        .table("odd")
        .key("id")
        .fields(fields)
        .sortable(List.copyOf(types.keySet()));
  }

  private static List<String> ids(ListingBench bench, String query) {
    List<String> ids = new ArrayList<>();
    bench.page(Map.of(), query).get("content").forEach(row -> ids.add(row.get("id").asString()));
    return ids;
  }

  private static void assertWalksLikePages(ListingBench bench, Stream<String> sorts) {
    sorts.forEach(
        sort -> {
          List<String> all = ids(bench, "?size=100&" + sort);
          assertThat(all).hasSize(24).doesNotHaveDuplicates();
          for (int size : List.of(1, 5)) {
            List<String> walked = new ArrayList<>();
            String next = "?totals=none&size=" + size + "&" + sort + "&after=";
            while (next != null) {
              MockHttpServletResponse answer = bench.get(Map.of(), next);
              ListingBench.json(answer)
                  .get("content")
                  .forEach(row -> walked.add(row.get("id").asString()));
              next = ListingBench.link(answer, "next");
            }
            assertThat(walked).as(sort + " by " + size).isEqualTo(all);
          }
        });
  }

  private static Stream<String> sorts(Map<String, String> types) {
    return types.keySet().stream()
        .flatMap(name -> Stream.of("sort=" + name, "sort=" + name + ",desc"));
  }

  /** The settings of a role or a database change how PostgreSQL writes dates and numbers. */
  @ParameterizedTest
  @EnumSource
  void walk_onPostgresql_bySortsOfOddColumns_hasEachRecordOnce(SortOrder order) throws Exception {
    Map<String, String> types = new LinkedHashMap<>();
    types.put("padded", "text");
    types.put("loose", "text");
    types.put("single", "decimal");
    types.put("local", "timestamp");
    types.put("day", "date");
    TestStore.POSTGRESQL.run(
        directory,
        "CREATE COLLATION public.loose"
            + " (provider = icu, locale = 'und-u-ks-level2', deterministic = false)",
        "CREATE TABLE odd (id bigint PRIMARY KEY, padded char(3),"
            + " loose text COLLATE public.loose, single real, local timestamp, day date)",
        "INSERT INTO odd SELECT n,"
            + " (ARRAY['a', 'a ', ' a', 'A', 'b', NULL])[1 + n % 6],"
            + " (ARRAY['a', 'A', 'ä', 'Ä', NULL])[1 + n % 5],"
            + " (ARRAY[0.1, 16777217, 3.4e38, 1e-45, -0.0, NULL]::real[])[1 + n % 6],"
            + " timestamp '2026-11-02 00:00:00.123456' + (n % 4) * interval '1 day',"
            + " CASE WHEN n % 7 > 0 THEN date '2026-03-02' + n % 7 END"
            + " FROM generate_series(1, 24) n",
        "DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET DateStyle = ''SQL, DMY''',"
            + " current_database()); EXECUTE format('ALTER DATABASE %I SET extra_float_digits"
            + " = -3', current_database()); END $$");
    try (Database database = TestStore.POSTGRESQL.open(directory)) {
      ListingBench bench = new ListingBench(database, odd(types).order(order).build());

      assertWalksLikePages(
          bench, Stream.concat(sorts(types), Stream.of("sort=loose,desc&sort=single&sort=local")));
    }
  }

  @ParameterizedTest
  @EnumSource
  void walk_onSqlite_bySortsOfOddCollations_hasEachRecordOnce(SortOrder order) throws Exception {
    Map<String, String> types = Map.of("folded", "text", "trimmed", "text");
    try (Database database = TestStore.SQLITE.open(directory)) {
      TestStore.SQLITE.run(
          directory,
          "CREATE TABLE odd (id INTEGER PRIMARY KEY, folded TEXT COLLATE NOCASE,"
              + " trimmed TEXT COLLATE RTRIM)",
          "WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 24)"
              + " INSERT INTO odd SELECT n,"
              + " CASE n % 5 WHEN 0 THEN 'a' WHEN 1 THEN 'A' WHEN 2 THEN 'b' WHEN 3 THEN 'B' END,"
              + " CASE n % 4 WHEN 0 THEN 'a' WHEN 1 THEN 'a ' WHEN 2 THEN 'a  ' END FROM numbers");
      ListingBench bench = new ListingBench(database, odd(types).order(order).build());

      assertWalksLikePages(
          bench, Stream.concat(sorts(types), Stream.of("sort=folded&sort=trimmed,desc")));
    }
  }

  /**
   * SQLite compares a column of a compound view by the affinity of its first SELECT, and walks
   * could skip records. It reports no type for such a column.
   */
  @Test
  void sort_onSqlite_byAColumnOfACompoundView_preventsTheStart() throws Exception {
    try (Database database = TestStore.SQLITE.open(directory)) {
      TestStore.SQLITE.run(
          directory,
          "CREATE TABLE paid (id INTEGER PRIMARY KEY, amount NUMERIC)",
          "CREATE TABLE open (id INTEGER PRIMARY KEY, amount TEXT)",
          "CREATE VIEW odd AS SELECT id, amount FROM paid UNION ALL SELECT id, amount FROM open");
      ListingProperties definition =
          odd(Map.of("amount", "decimal")).unique(ListingProperties.Unique.ASSUMED).build();

      assertThatThrownBy(() -> new ListingBench(database, definition))
          .isInstanceOf(ListingException.class)
          .hasMessageContaining("column amount is BLOB, which no type can serve");
    }
  }
}
