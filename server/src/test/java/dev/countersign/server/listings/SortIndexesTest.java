package dev.countersign.server.listings;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.pagination.Sort;
import dev.countersign.server.TestService;
import dev.countersign.server.listings.Listing.SortReport;
import dev.countersign.server.listings.ListingProperties.FieldProperties;
import dev.countersign.server.listings.ListingProperties.Unique;
import dev.countersign.server.listings.SortIndexes.ComparedFields;
import dev.countersign.server.store.Database;
import dev.countersign.server.store.TestStore;
import dev.countersign.server.tables.ColumnType;
import dev.countersign.server.tables.Condition;
import dev.countersign.server.tables.SortOrder;
import dev.countersign.server.tables.Table;
import dev.countersign.server.tables.TableDialect;
import dev.countersign.server.tables.TableDialect.SortPlan;
import java.net.URI;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** Which sorts an index serves, according to the database's own plan. */
@ExtendWith(OutputCaptureExtension.class)
class SortIndexesTest {
  private static final List<String> ALL =
      List.of("amount", "currency", "id", "note", "number", "paid");
  private static final String COLUMNS =
      """
      (id VARCHAR(36) NOT NULL PRIMARY KEY, currency VARCHAR(3) NOT NULL, note VARCHAR(90),
       amount NUMERIC(18, 2) NOT NULL, paid %s, number VARCHAR(20) NOT NULL UNIQUE)
      """;

  @TempDir private Path directory;

  @ParameterizedTest
  @EnumSource
  void sort_withTheStatementsRun_isServed(TestStore store) throws Exception {
    createPayments(store);
    try (Database database = store.open(directory)) {
      Listing payments = payments(database, "payments", SortOrder.CODE_POINTS, ALL);
      List<SortReport> before = payments.sorts(database);
      assertThat(before).extracting(SortReport::field).isEqualTo(ALL);
      assertThat(before)
          .filteredOn(SortReport::isServed)
          .extracting(SortReport::field)
          // PostgreSQL's own indexes on texts have the collation of the database.
          .isEqualTo(store == TestStore.SQLITE ? List.of("id", "number") : List.of());
      store.run(directory, statements(before));
      assertThat(payments.sorts(database)).allMatch(SortReport::isServed);
    }
  }

  @ParameterizedTest
  @EnumSource
  void sort_inTheOrderOfTheDatabase_isServedByPlainIndexes(TestStore store) throws Exception {
    createPayments(store);
    try (Database database = store.open(directory)) {
      Listing payments = payments(database, "payments", SortOrder.DATABASE, ALL);
      assertThat(payments.sorts(database))
          .filteredOn(SortReport::isServed)
          .extracting(SortReport::field)
          .containsExactly("id", "number");
      for (String column : List.of("amount", "currency", "note", "paid")) {
        store.run(directory, "CREATE INDEX by_" + column + " ON payments (" + column + ", id)");
      }
      assertThat(payments.sorts(database)).allMatch(SortReport::isServed);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "SQLITE | currency | CREATE INDEX \"payments_by_currency\" ON \"payments\""
            + " (\"currency\" COLLATE BINARY, \"id\" COLLATE BINARY);",
        "SQLITE | amount | CREATE INDEX \"payments_by_amount\" ON \"payments\""
            + " (\"amount\", \"id\" COLLATE BINARY);",
        "POSTGRESQL | currency | CREATE INDEX CONCURRENTLY ON \"public\".\"payments\""
            + " (\"currency\" COLLATE \"C\", \"id\" COLLATE \"C\");",
        "POSTGRESQL | note | CREATE INDEX CONCURRENTLY ON \"public\".\"payments\""
            + " (\"note\" COLLATE \"C\" NULLS FIRST, \"id\" COLLATE \"C\");",
        "POSTGRESQL | paid | CREATE INDEX CONCURRENTLY ON \"public\".\"payments\""
            + " (\"paid\" NULLS FIRST, \"id\" COLLATE \"C\");",
        "POSTGRESQL | number | CREATE INDEX CONCURRENTLY ON \"public\".\"payments\""
            + " (\"number\" COLLATE \"C\");",
      })
  void statement_ofASortWithoutIndex_isReadyToRun(TestStore store, String field, String statement)
      throws Exception {
    createPayments(store);
    try (Database database = store.open(directory)) {
      Listing payments = payments(database, "payments", SortOrder.CODE_POINTS, List.of(field));
      assertThat(payments.sorts(database).getFirst().statement()).isEqualTo(statement);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "currency | currency, id | set order: database, or run",
        "currency | currency COLLATE \"C\" | run",
        "currency | currency COLLATE \"C\", id | run",
        "currency | currency COLLATE \"C\", id COLLATE \"C\" DESC | run",
        "note | note COLLATE \"C\", id COLLATE \"C\" | run",
        "paid | paid, id | set order: database, or run",
        "paid | paid DESC, id DESC | set order: database, or run",
        "amount | amount, currency, id COLLATE \"C\" | run",
        "amount | (amount + 0), id COLLATE \"C\" | run",
      })
  void sort_withAnIndexThatDoesNotFit_isNotServed(String field, String index, String advice)
      throws Exception {
    TestStore store = TestStore.POSTGRESQL;
    createPayments(store);
    store.run(directory, "CREATE INDEX ON payments (" + index + ")");
    try (Database database = store.open(directory)) {
      Listing payments = payments(database, "payments", SortOrder.CODE_POINTS, List.of(field));
      SortReport sort = payments.sorts(database).getFirst();
      assertThat(sort.plan()).isEqualTo(SortPlan.SORT);
      assertThat(sort.advice()).isEqualTo(advice);
      store.run(directory, statements(List.of(sort)));
      assertThat(payments.sorts(database).getFirst().isServed()).isTrue();
    }
  }

  /** The cast of an enum to text is not immutable, so no index can have it. */
  @Test
  void sort_byAnEnum_isServedInTheOrderOfTheDatabaseAlone() throws Exception {
    TestStore store = TestStore.POSTGRESQL;
    createPayments(store);
    store.run(
        directory,
        "CREATE TYPE state AS ENUM ('open', 'done')",
        "ALTER TABLE payments ALTER currency TYPE state USING NULL");
    try (Database database = store.open(directory)) {
      Listing points = payments(database, "payments", SortOrder.CODE_POINTS, List.of("currency"));
      SortReport sort = points.sorts(database).getFirst();
      assertThat(sort.advice()).isEqualTo("set order: database and run");
      store.run(directory, statements(List.of(sort)));
      assertThat(points.sorts(database).getFirst().advice()).isEqualTo("set order: database");
      Listing plain = payments(database, "payments", SortOrder.DATABASE, List.of("currency"));
      assertThat(plain.sorts(database).getFirst().isServed()).isTrue();
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "currency | (currency COLLATE NOCASE, id) | run",
        "currency | (currency) | run",
        "currency | (currency, id DESC) | run",
        "currency | (currency, id) WHERE currency > 'M' | run",
        "shout | (shout, id) | set order: database, or run",
      })
  void sort_withAnIndexThatDoesNotFitInSqlite_isNotServed(String field, String index, String advice)
      throws Exception {
    TestStore store = TestStore.SQLITE;
    createPayments(store);
    store.run(
        directory,
        "ALTER TABLE payments ADD COLUMN shout TEXT COLLATE NOCASE",
        // The name that the statement would use.
        "CREATE INDEX Payments_by_" + field + " ON payments " + index);
    try (Database database = store.open(directory)) {
      Listing payments = payments(database, "payments", SortOrder.CODE_POINTS, List.of(field));
      SortReport sort = payments.sorts(database).getFirst();
      assertThat(sort.plan()).isEqualTo(SortPlan.SORT);
      assertThat(sort.advice()).isEqualTo(advice);
      assertThat(sort.statement()).contains("\"payments_by_" + field + "_2\"");
      store.run(directory, statements(List.of(sort)));
      assertThat(payments.sorts(database).getFirst().isServed()).isTrue();
    }
  }

  @ParameterizedTest
  @EnumSource
  void sort_ofAView_isServedByTheIndexOfItsTable(TestStore store) throws Exception {
    createPayments(store);
    store.run(directory, "CREATE VIEW large AS SELECT * FROM payments WHERE amount > 1000");
    try (Database database = store.open(directory)) {
      Listing large = payments(database, "large", SortOrder.DATABASE, List.of("amount"));
      SortReport before = large.sorts(database).getFirst();
      assertThat(before.advice()).endsWith("large is a view: create an index on a table behind it");
      assertThat(before.statement()).isNull();
      store.run(directory, "CREATE INDEX by_amount ON payments (amount, id)");
      assertThat(large.sorts(database).getFirst().isServed()).isTrue();
    }
  }

  @Test
  void sort_ofAPartitionedTable_isServedIfEachPartitionHasTheIndex() throws Exception {
    TestStore store = TestStore.POSTGRESQL;
    store.run(
        directory,
        "CREATE TABLE payments "
            + String.format(Locale.ROOT, COLUMNS, "timestamptz")
                .replace(" UNIQUE", "")
                .replace(" PRIMARY KEY", "")
            + " PARTITION BY LIST (currency)",
        "CREATE TABLE payments_eur PARTITION OF payments FOR VALUES IN ('EUR')",
        "CREATE TABLE payments_other PARTITION OF payments DEFAULT",
        "CREATE INDEX ON payments_eur (amount, id COLLATE \"C\")");
    try (Database database = store.open(directory)) {
      Listing payments =
          payments(database, "payments", SortOrder.CODE_POINTS, List.of("amount", "id"));
      List<SortReport> before = payments.sorts(database);
      assertThat(before).extracting(SortReport::plan).containsOnly(SortPlan.SORT);
      assertThat(before.getFirst().statement())
          .isEqualTo("CREATE INDEX ON \"public\".\"payments\" (\"amount\", \"id\" COLLATE \"C\");");
      store.run(directory, statements(before));
      assertThat(payments.sorts(database)).allMatch(SortReport::isServed);
    }
  }

  @Test
  void sort_ofAMaterializedView_isServedByItsOwnIndex() throws Exception {
    TestStore store = TestStore.POSTGRESQL;
    createPayments(store);
    store.run(directory, "CREATE MATERIALIZED VIEW frozen AS SELECT * FROM payments");
    try (Database database = store.open(directory)) {
      Listing frozen = payments(database, "frozen", SortOrder.CODE_POINTS, ALL);
      List<SortReport> before = frozen.sorts(database);
      assertThat(before).noneMatch(SortReport::isServed);
      store.run(directory, statements(before));
      assertThat(frozen.sorts(database)).allMatch(SortReport::isServed);
    }
  }

  @Test
  void sort_ofAForeignTable_isLeftToTheOtherServer(CapturedOutput output) throws Exception {
    TestStore store = TestStore.POSTGRESQL;
    createPayments(store);
    URI self = URI.create(Objects.requireNonNull(store.settings(directory).url()).substring(5));
    store.run(
        directory,
        "CREATE EXTENSION postgres_fdw",
        String.format(
            Locale.ROOT,
            "CREATE SERVER self FOREIGN DATA WRAPPER postgres_fdw"
                + " OPTIONS (host '%s', port '%d', dbname '%s')",
            self.getHost(),
            self.getPort(),
            self.getPath().substring(1)),
        "CREATE USER MAPPING FOR postgres SERVER self OPTIONS (user 'postgres')",
        "CREATE SCHEMA far",
        "IMPORT FOREIGN SCHEMA public LIMIT TO (payments) FROM SERVER self INTO far");
    try (Database database = store.open(directory)) {
      Listing far = payments(database, "far.payments", SortOrder.CODE_POINTS, List.of("currency"));
      assertThat(far.sorts(database).getFirst())
          .isEqualTo(new SortReport("currency", true, SortPlan.SORT, "set order: database", null));
      Listing pushed = payments(database, "far.payments", SortOrder.DATABASE, List.of("currency"));
      assertThat(pushed.sorts(database).getFirst().plan()).isEqualTo(SortPlan.FOREIGN);
      assertThat(logged(output, new SortIndexes(pushed, database)::log)).isEmpty();
    }
  }

  @Test
  void order_ofRequestsWithoutASort_isCheckedToo() throws Exception {
    TestStore store = TestStore.POSTGRESQL;
    createPayments(store);
    try (Database database = store.open(directory)) {
      Listing payments = payments(database, "payments", SortOrder.CODE_POINTS, List.of());
      assertThat(payments.sorts(database))
          .containsExactly(
              new SortReport(
                  "id",
                  false,
                  SortPlan.SORT,
                  "set order: database, or run",
                  "CREATE INDEX CONCURRENTLY ON \"public\".\"payments\" (\"id\" COLLATE \"C\");"));
    }
  }

  @ParameterizedTest
  @EnumSource
  void log_ofTheBuiltInListing_isEmpty(TestStore store, CapturedOutput output) {
    try (Database database = store.open(directory)) {
      ListingCatalog catalog = Definitions.check(List.of(Definitions.wallets()), database);
      assertThat(catalog.all().getFirst().sorts(database))
          .hasSize(4)
          .allMatch(SortReport::isServed);
      assertThat(logged(output, () -> catalog.logMissingIndexes(database))).isEmpty();
    }
  }

  @Test
  void start_withASortWithoutIndex_logsTheStatementToRun(CapturedOutput output) {
    try (TestService service =
        TestService.start(
            directory,
            3,
            "countersign.listings[0].path=/ledger/v1/wallets",
            "countersign.listings[0].table=wallets",
            "countersign.listings[0].key=id",
            "countersign.listings[0].fields.id.type=uuid",
            "countersign.listings[0].fields.status.type=text",
            "countersign.listings[0].sortable=status",
            "countersign.roles.reader=ledger:wallets:read")) {
      assertThat(service.port()).isPositive();
      assertThat(output.getAll().lines().filter(line -> line.contains("no index serves")))
          .singleElement()
          .asString()
          .contains(" INFO ")
          .contains(
              "listing /ledger/v1/wallets: no index serves the sort by status: run CREATE INDEX"
                  + " \"wallets_by_status\" ON \"wallets\""
                  + " (\"status\" COLLATE BINARY, \"id\" COLLATE BINARY);");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {9_999, 10_000})
  void log_ofASortWithoutIndex_warnsIfTheTableIsLarge(int rows, CapturedOutput output)
      throws Exception {
    TestStore store = TestStore.POSTGRESQL;
    createPayments(store);
    store.run(
        directory,
        String.format(
            Locale.ROOT,
            "INSERT INTO payments SELECT n, 'EUR', NULL, n, NULL, n FROM generate_series(1, %d) n",
            rows),
        "CREATE UNIQUE INDEX ON payments (id COLLATE \"C\")");
    try (Database database = store.open(directory)) {
      Listing payments = payments(database, "payments", SortOrder.CODE_POINTS, List.of("amount"));
      assertThat(logged(output, new SortIndexes(payments, database)::log))
          .singleElement()
          .asString()
          .contains(rows < 10_000 ? "INFO" : "WARN")
          .contains(
              "listing /ledger/v1/payments: no index serves the sort by amount"
                  + (rows < 10_000 ? "" : ", and public.payments has 10,000 rows or more")
                  + ": run CREATE INDEX CONCURRENTLY ON \"public\".\"payments\""
                  + " (\"amount\", \"id\" COLLATE \"C\");");
    }
  }

  @ParameterizedTest
  @EnumSource
  void log_ofALargeTableWithoutAnIndexForItsScope_namesTheIndex(
      TestStore store, CapturedOutput output) throws Exception {
    try (Database database = store.open(directory)) {
      Listing listing = scopedListing(database, store, 10_000);
      SortIndexes indexes = new SortIndexes(listing, database);
      // Contains the column, but does not begin with it.
      store.run(directory, "CREATE INDEX entries_by_note ON entries (note, customer_id)");
      String warning = "no index begins with its scope (customer_id), and ";
      String logged = String.join("\n", logged(output, indexes::log));
      assertThat(logged)
          .contains(warning + listing.table().name() + " has 10,000 rows or more")
          .contains("so each total reads the whole table: run CREATE INDEX");
      String statement =
          logged.substring(logged.indexOf("whole table: run ") + "whole table: run ".length());
      store.run(directory, statement);
      assertThat(logged(output, indexes::log)).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource
  void log_ofASmallTableWithoutAnIndexForItsScope_doesNotWarn(
      TestStore store, CapturedOutput output) throws Exception {
    try (Database database = store.open(directory)) {
      Listing listing = scopedListing(database, store, 9_999);
      assertThat(logged(output, new SortIndexes(listing, database)::log))
          .noneMatch(line -> line.contains("its scope"));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "SQLITE, note = 'b'",
    "SQLITE, note > 'b'",
    "POSTGRESQL, note = 'b'",
    "POSTGRESQL, note > 'b'",
  })
  void countAdvice_aboutAFilter_namesTheIndexUntilItIsThere(TestStore store, String filter)
      throws Exception {
    try (Database database = store.open(directory)) {
      Listing listing = scopedListing(database, store, 100);
      SortIndexes indexes = new SortIndexes(listing, database);
      List<Field> scope = List.of(listing.field("customerId"));
      Field note = listing.field("note");
      boolean isRange = filter.contains(">");
      ComparedFields compared =
          isRange
              ? new ComparedFields(scope, Optional.of(note))
              : new ComparedFields(List.of(scope.getFirst(), note), Optional.empty());
      TableDialect dialect = TableDialect.of(database);
      Condition counted =
          Condition.all(
              List.of(
                  dialect.equal(scope.getFirst().column(), ColumnType.TEXT, List.of("c")),
                  isRange
                      ? dialect.compare(
                          note.column(),
                          ColumnType.TEXT,
                          new TableDialect.Comparison(TableDialect.RangeOperator.ABOVE, "b"),
                          listing.order())
                      : dialect.equalAsShown(note.column(), ColumnType.TEXT, List.of("b"))));
      store.run(directory, "CREATE INDEX entries_by_note ON entries (id, customer_id, note)");
      String advice = indexes.countAdvice(counted, compared);
      assertThat(advice)
          .startsWith("no index of " + listing.table().name() + " begins with customer_id, note")
          .contains(": run CREATE INDEX");
      store.run(directory, advice.substring(advice.indexOf("CREATE INDEX")));
      assertThat(indexes.countAdvice(counted, compared))
          .isEqualTo("an index finds the records that are counted, but they are too many");
    }
  }

  @Test
  void countAdvice_aboutARangeOfTheRowid_namesTheIndexOfTheOtherField() throws Exception {
    TestStore store = TestStore.SQLITE;
    try (Database database = store.open(directory)) {
      store.run(directory, "CREATE TABLE things (id INTEGER NOT NULL PRIMARY KEY, note TEXT)");
      Map<String, FieldProperties> fields = new LinkedHashMap<>();
      fields.put("id", FieldProperties.of("integer"));
      fields.put("note", FieldProperties.of("text"));
      ListingProperties definition =
          ListingProperties.at("/lab/v1/things")
              .table("things")
              .key("id")
              .fields(fields)
              .filterable(List.of("id", "note"))
              .build();
      Listing listing = ListingBench.check(database, definition).all().getFirst();
      Field id = listing.field("id");
      Field note = listing.field("note");
      TableDialect dialect = TableDialect.of(database);
      Condition range =
          dialect.compare(
              id.column(),
              ColumnType.INTEGER,
              new TableDialect.Comparison(TableDialect.RangeOperator.ABOVE, 5L),
              listing.order());
      Condition counted =
          Condition.all(
              List.of(dialect.equal(note.column(), ColumnType.TEXT, List.of("b")), range));
      SortIndexes indexes = new SortIndexes(listing, database);
      String served = "an index finds the records that are counted, but they are too many";
      assertThat(indexes.countAdvice(range, new ComparedFields(List.of(), Optional.of(id))))
          .isEqualTo(served);
      ComparedFields compared = new ComparedFields(List.of(note), Optional.of(id));
      String advice = indexes.countAdvice(counted, compared);
      assertThat(advice).startsWith("no index of things begins with note, id: run CREATE INDEX");
      store.run(directory, advice.substring(advice.indexOf("CREATE INDEX")));
      assertThat(indexes.countAdvice(counted, compared)).isEqualTo(served);
    }
  }

  @ParameterizedTest
  @EnumSource
  void countAdvice_withoutAnyCondition_saysThatNoIndexHelps(TestStore store) throws Exception {
    createPayments(store);
    store.run(directory, "CREATE VIEW seen AS SELECT * FROM payments WHERE amount > 0");
    ComparedFields nothing = new ComparedFields(List.of(), Optional.empty());
    try (Database database = store.open(directory)) {
      Listing payments = payments(database, "payments", SortOrder.CODE_POINTS, List.of());
      assertThat(new SortIndexes(payments, database).countAdvice(Condition.TRUE, nothing))
          .isEqualTo("all of its records are counted, which no index makes faster");
      Listing seen = payments(database, "seen", SortOrder.CODE_POINTS, List.of());
      assertThat(new SortIndexes(seen, database).countAdvice(Condition.TRUE, nothing))
          .endsWith("seen is a view: create an index on a table behind it");
    }
  }

  private Listing scopedListing(Database database, TestStore store, int rows) throws Exception {
    store.run(
        directory,
        "CREATE TABLE entries (id bigint NOT NULL PRIMARY KEY, customer_id text NOT NULL,"
            + " note text NOT NULL)",
        "INSERT INTO entries (id, customer_id, note) WITH RECURSIVE n(id) AS"
            + " (SELECT 1 UNION ALL SELECT id + 1 FROM n WHERE id < "
            + rows
            + ") SELECT id, 'c', 'a' FROM n");
    Map<String, FieldProperties> fields = new LinkedHashMap<>();
    fields.put("id", FieldProperties.of("integer"));
    fields.put(
        "customerId",
        new FieldProperties("customer_id", "text", null, null, List.of(), null, false, null));
    fields.put("note", FieldProperties.of("text"));
    return ListingBench.check(
            database,
            ListingProperties.at("/ledger/v1/entries")
                .table("entries")
                .key("id")
                .fields(fields)
                .filterable(List.of("note"))
                .scope(Map.of("customerId", "customerId"))
                .build())
        .all()
        .getFirst();
  }

  @ParameterizedTest
  @EnumSource
  void log_ofATableThatIsGone_saysThatTheSortsWereNotChecked(TestStore store, CapturedOutput output)
      throws Exception {
    createPayments(store);
    try (Database database = store.open(directory)) {
      Listing payments = payments(database, "payments", SortOrder.CODE_POINTS, ALL);
      store.run(directory, "DROP TABLE payments");
      assertThat(logged(output, new SortIndexes(payments, database)::log))
          .singleElement()
          .asString()
          .contains("WARN", "could not check which sorts of /ledger/v1/payments an index serves");
    }
  }

  /** A page after a cursor reads a range of the index, in both directions. */
  @ParameterizedTest
  @EnumSource
  void following_withTheIndexOfTheSort_isARangeOfIt(TestStore store) throws Exception {
    createPayments(store);
    try (Database database = store.open(directory)) {
      for (SortOrder order : SortOrder.values()) {
        Listing payments = payments(database, "payments", order, ALL);
        store.run(directory, statements(payments.sorts(database)));
        TableDialect dialect = TableDialect.of(database);
        ListingSql sql = new ListingSql(payments, dialect);
        for (String field : ALL) {
          for (Sort.Order by : List.of(Sort.Order.asc(field), Sort.Order.desc(field))) {
            ListingSql.Order sort = new ListingSql.Order(Sort.by(by), Set.of());
            Map<String, Object> place = new HashMap<>();
            sql.placing(Sort.by(by)).forEach(at -> place.put(at.column().name(), "1"));
            if (field.equals("paid")) {
              place.put("paid", "2026-11-20 10:00:00");
            }
            for (Condition group : sql.following(sort, order, place)) {
              String select =
                  sql.selectFields(group) + sql.orderBy(sort, order) + ListingSql.limit(20, true);
              Table.Column column = payments.field(field).column();
              boolean isRange =
                  database.readTables(
                      read ->
                          dialect.sortPlan(read, select, List.of(), group.parameters())
                                  == SortPlan.INDEX
                              && dialect.isFoundByIndex(
                                  read,
                                  payments.table(),
                                  select,
                                  List.of(column),
                                  group.parameters()));
              assertThat(isRange).as("%s in %s: %s", by, order, select).isTrue();
            }
          }
        }
      }
    }
  }

  /** The lines that the service logs, without those of PostgreSQL itself. */
  private static List<String> logged(CapturedOutput output, Runnable action) {
    int before = output.getAll().length();
    action.run();
    return output
        .getAll()
        .substring(before)
        .lines()
        .filter(line -> !line.contains("EmbeddedPostgres"))
        .toList();
  }

  private void createPayments(TestStore store) throws Exception {
    String timestamp = store == TestStore.SQLITE ? "TIMESTAMP" : "timestamptz";
    store.run(directory, "CREATE TABLE payments " + String.format(Locale.ROOT, COLUMNS, timestamp));
  }

  private static Listing payments(
      Database database, String table, SortOrder order, List<String> sortable) {
    Map<String, FieldProperties> fields = new LinkedHashMap<>();
    fields.put("id", FieldProperties.of("text"));
    fields.put("amount", FieldProperties.of("decimal"));
    fields.put("paid", FieldProperties.of("timestamp"));
    Stream.concat(Stream.of("currency", "note", "number"), sortable.stream())
        .forEach(field -> fields.putIfAbsent(field, FieldProperties.of("text")));
    ListingProperties definition =
        ListingProperties.at("/ledger/v1/payments")
            .table(table)
            .key("id")
            .unique(Unique.ASSUMED)
            .fields(fields)
            .sortable(sortable)
            .order(order)
            .build();
    return Definitions.check(List.of(definition), database).all().getFirst();
  }

  private static String[] statements(List<SortReport> sorts) {
    return sorts.stream()
        .map(SortReport::statement)
        .filter(Objects::nonNull)
        .toArray(String[]::new);
  }
}
