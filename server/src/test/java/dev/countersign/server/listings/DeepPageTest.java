package dev.countersign.server.listings;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.pagination.Sort;
import dev.countersign.server.listings.ListingProperties.FieldProperties;
import dev.countersign.server.store.Database;
import dev.countersign.server.store.TestStore;
import dev.countersign.server.tables.Condition;
import dev.countersign.server.tables.SortOrder;
import dev.countersign.server.tables.TableDialect;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Pages far from the beginning: the plans of their statements, and keys that look equal. */
class DeepPageTest {
  @TempDir Path directory;

  private static ListingProperties entries(String keyType) {
    Map<String, FieldProperties> fields = new LinkedHashMap<>();
    fields.put("id", FieldProperties.of(keyType));
    fields.put("note", FieldProperties.of("text"));
    return ListingProperties.at("/ledger/v1/entries")
        .table("entries")
        .key("id")
        .fields(fields)
        .sortable(List.of("note"))
        .build();
  }

  @ParameterizedTest
  @EnumSource
  void plan_ofADeepPage_readsAnIndexAloneAndLooksUpTheRowsOfThePage(TestStore store)
      throws Exception {
    boolean postgresql = store == TestStore.POSTGRESQL;
    try (Database database = store.open(directory)) {
      store.run(
          directory,
          "CREATE TABLE entries (id bigint NOT NULL PRIMARY KEY, note text NOT NULL, filler text)",
          "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)"
              + " INSERT INTO entries SELECT i, 'note ' || i % 1000, 'filler of ' || i FROM n",
          postgresql
              ? "CREATE INDEX ON entries (note COLLATE \"C\", id)"
              : "CREATE INDEX by_note ON entries (note, id)",
          postgresql ? "VACUUM ANALYZE entries" : "ANALYZE");
      Listing listing = new ListingBench(database, entries("integer")).listing;
      ListingSql statements = new ListingSql(listing, TableDialect.of(database));
      ListingSql.Order order =
          new ListingSql.Order(Sort.by(Sort.Order.desc("note")), Set.of()).reversed();
      String page = statements.orderBy(order, SortOrder.CODE_POINTS) + ListingSql.limit(20, false);
      String select =
          statements.selectByKeys(List.of(listing.key()), Condition.TRUE, page, Condition.TRUE)
              + statements.orderBy(order.reversed(), SortOrder.CODE_POINTS);

      List<String> plan =
          database.readTables(
              sql ->
                  sql.sql((postgresql ? "EXPLAIN " : "EXPLAIN QUERY PLAN ") + select)
                      .param(9_000)
                      .query((row, number) -> row.getString(postgresql ? 1 : 4))
                      .list());

      assertThat(plan)
          .as("the keys")
          .anyMatch(step -> step.contains(postgresql ? "Index Only Scan" : "USING COVERING INDEX"));
      assertThat(plan)
          .as("the rows of the page")
          .anyMatch(
              step ->
                  step.contains(
                      postgresql ? "Index Scan using entries_pkey" : "SEARCH entries USING INDEX"));
      assertThat(plan).noneMatch(step -> step.contains("Seq Scan") || step.equals("SCAN entries"));
    }
  }

  /** The index keeps keys apart that the column takes for equal. */
  @Test
  void page_ofKeysThatTheColumnTakesForEqual_hasEachRecordOnce() throws Exception {
    try (Database database = TestStore.SQLITE.open(directory)) {
      TestStore.SQLITE.run(
          directory,
          "CREATE TABLE entries (id TEXT COLLATE NOCASE NOT NULL, note TEXT)",
          "CREATE UNIQUE INDEX by_id ON entries (id COLLATE BINARY)",
          "WITH RECURSIVE n (i) AS (SELECT 1000 UNION ALL SELECT i + 1 FROM n WHERE i < 1999)"
              + " INSERT INTO entries SELECT 'a' || i, 'x' FROM n",
          "INSERT INTO entries SELECT upper(id), 'x' FROM entries");
      ListingBench bench = new ListingBench(database, entries("text"));

      assertThat(bench.ids(Map.of(), "?size=3&offset=999")).isEqualTo("A1999 a1000 a1001 of 2000");
      assertThat(bench.ids(Map.of(), "?size=3&offset=1998&sort=note,desc"))
          .isEqualTo("A1001 A1000 of 2000");
    }
  }
}
