package dev.countersign.server.listings;

import static dev.countersign.server.listings.ListingBench.customers;
import static dev.countersign.server.listings.ListingBench.everyone;
import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.pagination.PageRequest.Parameter;
import dev.countersign.protocol.Reason;
import dev.countersign.server.LogCapture;
import dev.countersign.server.access.directory.AttributeValue;
import dev.countersign.server.access.directory.Attributes;
import dev.countersign.server.access.outcome.Denial;
import dev.countersign.server.listings.ListingProperties.FieldProperties;
import dev.countersign.server.listings.ListingProperties.Unique;
import dev.countersign.server.store.Database;
import dev.countersign.server.store.TestStore;
import dev.countersign.server.tables.Condition;
import dev.countersign.server.tables.SortOrder;
import dev.countersign.server.tables.TableDialect;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * SQLite stores any value in any column. A filter that cannot decide about a record of the caller
 * says so, and one that cannot decide about a record of another client does not show it.
 */
class UnreadableFilterTest {
  private static final Map<String, AttributeValue> ACME = customers("acme");
  private static final Map<String, AttributeValue> GLOBEX = customers("globex");
  private static final TestStore STORE = TestStore.SQLITE;

  @TempDir Path directory;

  /** The value is in a record of globex. The filter would find the record, or leave it out. */
  @ParameterizedTest
  @CsvSource({
    // Numbers, empty texts, letters and BLOBs are at the ends of an index.
    "at, 1767607200, at.gte=2026-01-01T00:00:00Z",
    "at, 1767607200, at.lt=2026-01-01T00:00:00Z",
    "at, 1767607200, at=2026-01-05T10:00:00Z",
    "at, 2461045.5, at.gt=2026-01-01T00:00:00Z",
    "at, '''''', at.gte=2026-01-01T00:00:00Z",
    "at, '''yesterday''', at.lt=2026-01-01T00:00:00Z",
    "at, '''yesterday''', at.gte=2026-01-01T00:00:00Z",
    "at, x'323032362d30312d3035', at.lt=2026-01-01T00:00:00Z",
    "at, '''0000-00-00 00:00:00''', at.gte=2026-01-01T00:00:00Z",
    // These begin like a timestamp of the range.
    "at, '''2026-02-30 10:00:00''', at.gte=2026-01-01T00:00:00Z",
    "at, '''2026-01-05 10:00:00 UTC''', at=2026-01-05T10:00:00Z",
    "at, '''2026-01-05 10:00:00 UTC''', at.gte=2026-01-05T09:00:00Z&at.lt=2026-01-05T09:00:01Z",
    "at, '''9999-12-31T23:59:59-01:00''', at.gte=2026-01-01T00:00:00Z",
    "day, '''2026-01-05 10:00''', day.gte=2026-01-01",
    "day, '''soon''', day.lt=2026-01-01",
    "day, '''soon''', day=2026-01-01",
    "day, 20260105, day.gte=2026-01-01",
    "day, '''2026-01-05 10:00''', day=2026-01-05",
    "day, '''2026-01-05 10:00''', day.lte=2026-01-05",
    "day, '''2026-01-05 10:00''', day.gte=2026-01-05&day.lte=2026-01-05",
    "note, x'616263', note=abc",
    "note, x'616263', note.lt=b",
    "note, x'616263', note.gte=b",
    "number, 1.5, number.gte=1",
    "number, '''many''', number=1",
    "number, '''many''', number.lt=1",
    "number, '''many''', number.gt=1",
    "amount, '''many''', amount=1",
    "amount, '''many''', amount.lte=1",
    "amount, x'31', amount.lte=1",
    "amount, 9e999, amount.gte=1",
    "active, '''true''', active=true",
    "active, 2, active=true",
    "active, -1, active=false",
    "active, 0.5, active=false",
    "link, '''''', link=1f0e8c9a-3b5d-4c7e-9f21-6a8b0c2d4e6f",
    "link, 7, link=1f0e8c9a-3b5d-4c7e-9f21-6a8b0c2d4e6f",
    "link, '''none''', link=1f0e8c9a-3b5d-4c7e-9f21-6a8b0c2d4e6f",
    "link, '''NULL''', link=1f0e8c9a-3b5d-4c7e-9f21-6a8b0c2d4e6f",
    "link, '''N/A''', link=1f0e8c9a-3b5d-4c7e-9f21-6a8b0c2d4e6f",
    "link, '''?''', link=1f0e8c9a-3b5d-4c7e-9f21-6a8b0c2d4e6f",
    "link, '''None''', link=1f0e8c9a-3b5d-4c7e-9f21-6a8b0c2d4e6f",
    "link, '''UNKNOWN''', link=1f0e8c9a-3b5d-4c7e-9f21-6a8b0c2d4e6f",
    "link, x'00', link=1f0e8c9a-3b5d-4c7e-9f21-6a8b0c2d4e6f",
  })
  void filter_ofAFieldWithAnUnreadableValue_failsInItsScopeOnly(
      String column, String literal, String query) throws Exception {
    try (Database database = STORE.open(directory);
        LogCapture log = LogCapture.of(UnreadableValues.class)) {
      ListingBench things = things(database);
      String before = things.ids(ACME, "?" + query);

      set(column, literal);

      Denial denial = things.refusal(GLOBEX, "GET", "?" + query, "");
      assertThat(denial.reason()).isEqualTo(Reason.INTERNAL_ERROR);
      assertThat(denial.detail()).contains(" " + column + " ").doesNotContain("K-4", "things");
      assertThat(things.refusal(everyone(), "GET", "?" + query, "")).isEqualTo(denial);
      assertThat(log.lines())
          .singleElement()
          .asString()
          .startsWith("cannot serve /lab/v1/things: things." + column)
          .contains("the key \"K-4\"");
      // Neither the answers of others nor their totals depend on it.
      assertThat(things.ids(ACME, "?" + query)).isEqualTo(before);
      // A page that neither shows the value nor filters by the field is served.
      assertThat(things.ids(GLOBEX, "?size=1&status=OPEN")).isEqualTo("K-3 of 2");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "at, NULL, at.gte=2026-01-01T00:00:00Z",
    "at, '''0000-01-01''', at.gte=2026-01-01T00:00:00Z",
    "at, '''0000-12-31 10:00''', at.gte=2026-01-01T00:00:00Z",
    "at, '''9999-12-31T23:59:59.999Z''', at.lt=2026-01-01T00:00:00Z",
    "at, '''2026-01-05 10:00:00+01:00''', at.gte=2026-01-06T00:00:00Z",
    // A text that begins as the date of another day is outside of the range.
    "at, '''2025-02-30''', at.gte=2026-01-01T00:00:00Z",
    "day, NULL, day.gte=2026-01-01",
    "day, '''0001-01-01''', day.gte=2026-01-01",
    "day, '''9999-12-31''', day.lt=2026-01-01",
    "note, '''''', note.lt=b&note.gt=a",
    "note, 7, note=abc",
    "number, 9223372036854775807, number=1",
    "amount, 1, amount=2",
    "amount, -9223372036854775808, amount.gte=1",
    "amount, 9007199254740992, amount=9007199254740992.4",
    "amount, 9007199254740993, amount.lt=9007199254740992.4",
    "amount, 0.3, amount.gte=0.30000000000000001",
    "amount, 1, amount=1e999",
    "number, -9223372036854775808, number=1",
    "day, '''2026-01-04 10:00''', day=2026-01-05",
    "amount, 0.5, amount.lt=0.1",
    "active, 0, active=true",
    "active, NULL, active=true",
    "link, '''1F0E8C9A-3B5D-4C7E-9F21-6A8B0C2D4E60''', link=1f0e8c9a-3b5d-4c7e-9f21-6a8b0c2d4e6f",
    "link, '''ffffffff-ffff-ffff-ffff-ffffffffffff''', link=1f0e8c9a-3b5d-4c7e-9f21-6a8b0c2d4e6f",
    "link, '''00000000-0000-0000-0000-000000000000''', link=1f0e8c9a-3b5d-4c7e-9f21-6a8b0c2d4e6f",
  })
  void filter_ofReadableValues_leavesOutWhatItShould(String column, String literal, String query)
      throws Exception {
    try (Database database = STORE.open(directory)) {
      ListingBench things = things(database);
      set(column, literal);
      assertThat(things.ids(GLOBEX, "?" + query + "&id=K-4")).isEqualTo("of 0");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "-9223372036854775808, amount.lte=5",
    "9007199254740992, amount.lt=9007199254740992.4",
    "9007199254740993, amount.gt=9007199254740992.4",
    "0.3, amount.lt=0.30000000000000001",
    "0.3, amount.lte=0.3",
    "1e308, amount.lt=1e999",
    "-1e308, amount.gt=-1e999",
  })
  void filter_ofADecimalBetweenStoredNumbers_findsThoseOnItsSide(String literal, String query)
      throws Exception {
    try (Database database = STORE.open(directory)) {
      ListingBench things = things(database);
      STORE.run(directory, "CREATE INDEX by_amount ON things (amount)");
      set("amount", literal);
      assertThat(things.ids(GLOBEX, "?id=K-4&" + query)).isEqualTo("K-4 of 1");
      // The planner may look at the rows of others first.
      assertThat(things.ids(ACME, "?id=K-4&" + query)).isEqualTo("of 0");
    }
  }

  /** A caller chooses the number of filters and values, and with it the length of the statement. */
  @Test
  void manyFilters_makeAStatementOfBoundedLength() throws Exception {
    try (Database database = STORE.open(directory)) {
      FilterParser parser = things(database).listing.filters();
      List<Parameter> all = new ArrayList<>();
      for (String name : parser.names()) {
        int values = name.equals("at") || name.equals("day") || name.equals("link") ? 50 : 1;
        for (int i = 0; i < values; i++) {
          all.add(new Parameter(name, value(name, i)));
        }
      }
      List<Filters.Undecided> searches =
          parser.parse(all).undecided(TableDialect.of(database), order());
      assertThat(searches).hasSizeLessThan(50);
      assertThat(searches.stream().mapToInt(search -> search.rows().sql().length()).sum())
          .isLessThan(100_000);
    }
  }

  private static String value(String name, int number) {
    return switch (name.replaceAll("[.].*", "")) {
      case "at" -> String.format(Locale.ROOT, "20%02d-01-05T10:00:00Z", number);
      case "day" -> String.format(Locale.ROOT, "20%02d-01-05", number);
      case "link" -> new UUID(0, number).toString();
      case "active" -> "true";
      case "number", "amount" -> "1";
      default -> "OPEN";
    };
  }

  /** A view can fail on a value that a page without the record does not compute. */
  @Test
  void start_onAViewThatFailsOnARecord_serves() throws Exception {
    try (Database database = STORE.open(directory)) {
      STORE.run(
          directory,
          "CREATE TABLE docs (id TEXT PRIMARY KEY, doc TEXT)",
          "INSERT INTO docs VALUES ('a', '{\"x\":\"1\"}'), ('b', 'not json')",
          "CREATE VIEW shown AS SELECT CAST(id AS TEXT) AS id,"
              + " CAST(json_extract(doc, '$.x') AS TEXT) AS x FROM docs");
      Map<String, FieldProperties> fields =
          Map.of("id", FieldProperties.of("text"), "x", FieldProperties.of("text"));
      ListingBench shown =
          new ListingBench(
              database,
              ListingProperties.at("/lab/v1/shown")
                  .table("shown")
                  .key("id")
                  .unique(Unique.ASSUMED)
                  .fields(fields)
                  .build());
      assertThat(shown.listing.unreadableFields(database)).isEmpty();
      assertThat(shown.get(Map.of(), "/a").getStatus()).isEqualTo(200);
    }
  }

  @Test
  void unreadableRecord_thatAnotherFilterExcludes_doesNotMatter() throws Exception {
    try (Database database = STORE.open(directory)) {
      ListingBench things = things(database);
      set("at", "'yesterday'");
      String query = "?at.gte=2026-01-01T00:00:00Z&at.lt=2027-01-01T00:00:00Z";

      assertThat(things.ids(GLOBEX, query + "&status=OPEN")).isEqualTo("K-3 of 1");
      assertThat(things.ids(GLOBEX, query + "&amount.gt=100")).isEqualTo("of 0");
      assertThat(things.refusal(GLOBEX, "GET", query + "&status=CLOSED", "").detail())
          .contains(" at ");
      // The other filter cannot decide about the same record.
      set("amount", "'many'");
      assertThat(things.refusal(GLOBEX, "GET", query + "&amount.lt=-100", "").reason())
          .isEqualTo(Reason.INTERNAL_ERROR);
    }
  }

  @Test
  void unreadableValue_isNamedUntilItIsCorrected() throws Exception {
    try (Database database = STORE.open(directory);
        LogCapture log = LogCapture.of(UnreadableValues.class)) {
      ListingCatalog catalog = catalog(database);
      ListingBench things = new ListingBench(database, catalog);
      set("amount", "'many'");

      things.refusal(GLOBEX, "GET", "?amount.gte=1", "");
      things.refusal(GLOBEX, "GET", "", "");
      things.refusal(GLOBEX, "GET", "/K-4", "");
      catalog.unreadableValues().forgetCorrected(database);

      assertThat(catalog.unreadableValues().of(things.listing))
          .containsExactly(new UnreadableValues.Shown("amount", "\"K-4\""));
      assertThat(log.lines()).hasSize(1);

      Database closed = STORE.open(directory);
      closed.close();
      catalog.unreadableValues().forgetCorrected(closed);
      assertThat(catalog.unreadableValues().of(things.listing)).hasSize(1);

      set("amount", "5");
      catalog.unreadableValues().forgetCorrected(database);

      assertThat(things.ids(GLOBEX, "?amount=5")).isEqualTo("K-4 of 1");
      assertThat(catalog.unreadableValues().of(things.listing)).isEmpty();
      assertThat(log.lines())
          .hasSize(2)
          .last()
          .asString()
          .isEqualTo("resolved: things.amount of the record with the key \"K-4\" is corrected");

      set("amount", "'again'");
      things.refusal(GLOBEX, "GET", "/K-4", "");
      assertThat(log.lines()).hasSize(3);
    }
  }

  @Test
  void start_warnsOfUnreadableValues_withoutThem() throws Exception {
    try (Database database = STORE.open(directory);
        LogCapture log = LogCapture.of(UnreadableValues.class)) {
      ListingProperties definition = catalog(database).all().getFirst().definition();
      set("amount", "'secret'");
      set("at", "1767607200");
      ListingCatalog catalog = ListingBench.check(database, definition);

      assertThat(log.lines())
          .containsExactly(
              "listing /lab/v1/things: things.amount of the record with the key \"K-4\" contains a"
                  + " value that cannot be written in JSON as a decimal; correct it (it is stored as"
                  + " TEXT); until then, requests that show it or filter by amount are answered with"
                  + " internal_error",
              "listing /lab/v1/things: things.at of the record with the key \"K-4\" contains a value"
                  + " that cannot be written in JSON as a timestamp; correct it (it is stored as"
                  + " INTEGER); until then, requests that show it or filter by at are answered with"
                  + " internal_error");
      assertThat(catalog.unreadableValues().of(catalog.all().getFirst())).hasSize(2);
      // The first request that meets one of them does not log it again.
      ListingBench things = new ListingBench(database, catalog);
      things.refusal(GLOBEX, "GET", "/K-4", "");
      assertThat(log.lines()).hasSize(2);
    }
  }

  @Test
  void look_atATableThatIsNeverSorted_ends() throws Exception {
    try (Database database = STORE.open(directory)) {
      STORE.run(
          directory,
          "CREATE VIEW endless AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"
              + " SELECT CAST(i AS INTEGER) AS id FROM n");
      Listing listing =
          ListingCatalog.createListing(
              ListingProperties.at("/lab/v1/endless")
                  .table("endless")
                  .key("id")
                  .unique(Unique.ASSUMED)
                  .fields(Map.of("id", FieldProperties.of("integer")))
                  .build(),
              Attributes.parse(Map.of()),
              database);

      assertThat(new TableProbe(listing, database).firstRows()).isEmpty();
    }
  }

  @Test
  void keyOfAnotherStorageClass_isUnreadable() throws Exception {
    try (Database database = STORE.open(directory);
        LogCapture log = LogCapture.of(UnreadableValues.class)) {
      ListingCatalog catalog = catalog(database);
      ListingBench things = new ListingBench(database, catalog);
      STORE.run(
          directory, "INSERT INTO things (id, customer_id) VALUES (CAST('K-3' AS BLOB), 'globex')");

      assertThat(things.refusal(GLOBEX, "GET", "", "").detail()).contains(" id ");
      assertThat(things.refusal(GLOBEX, "GET", "?id=K-3", "").detail()).contains(" id ");
      catalog.unreadableValues().forgetCorrected(database);
      assertThat(log.lines()).singleElement().asString().contains("the key \"x'4b2d33'\"");
      assertThat(things.get(GLOBEX, "/K-3").getStatus()).isEqualTo(200);
      assertThat(things.ids(ACME, "?id=K-1")).isEqualTo("K-1 of 1");
    }
  }

  @Test
  void log_ofManyUnreadableValues_isBounded() throws Exception {
    try (Database database = STORE.open(directory);
        LogCapture log = LogCapture.of(UnreadableValues.class)) {
      ListingCatalog catalog = catalog(database);
      ListingBench things = new ListingBench(database, catalog);
      STORE.run(
          directory,
          "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 150)"
              + " INSERT INTO things (id, customer_id, amount)"
              + " SELECT 'M-' || i, 'globex', 'many' FROM n");
      for (int i = 1; i <= 150; i++) {
        things.refusal(GLOBEX, "GET", "/M-" + i, "");
      }
      assertThat(log.lines()).hasSize(101);
      assertThat(log.lines().get(100)).contains("further values are not named");
      assertThat(catalog.unreadableValues().of(things.listing)).hasSize(100);
    }
  }

  /** An index that serves a range serves the search for unreadable values, in three searches. */
  @Test
  void search_forUnreadableValues_readsTheIndexOfTheRange() throws Exception {
    try (Database database = STORE.open(directory)) {
      ListingBench things = things(database);
      STORE.run(directory, "CREATE INDEX things_by_at ON things (customer_id, at, id)");
      FilterParser parser = things.listing.filters();
      Filters filters =
          parser.parse(
              List.of(
                  new Parameter("at.gte", "2026-01-01T00:00:00Z"),
                  new Parameter("at.lt", "2026-02-01T00:00:00Z")));
      TableDialect dialect = TableDialect.of(database);
      Field customer = things.listing.field("customerId");
      Condition scope = dialect.equal(customer.column(), customer.type(), List.of("acme"));

      assertThat(plan(database, things.listing, scope, filters.condition(dialect, order())))
          .containsExactly(
              "SEARCH things USING INDEX things_by_at (customer_id=? AND at>? AND at<?)");
      assertThat(
              filters.undecided(dialect, order()).stream()
                  .flatMap(place -> plan(database, things.listing, scope, place.rows()).stream()))
          .containsExactly(
              "SEARCH things USING INDEX things_by_at (customer_id=? AND at>? AND at<?)",
              "SEARCH things USING INDEX things_by_at (customer_id=? AND at<?)",
              "SEARCH things USING INDEX things_by_at (customer_id=? AND at>?)");
    }
  }

  /** An index of both fields serves each search, whatever the order of its columns. */
  @ParameterizedTest
  @CsvSource({"status, note", "note, status", "status, link", "link, status"})
  void search_forUnreadableValues_ofTwoFilters_readsRangesOfTheirIndex(String one, String other)
      throws Exception {
    try (Database database = STORE.open(directory)) {
      ListingBench things = things(database);
      STORE.run(
          directory,
          String.format(
              Locale.ROOT, "CREATE INDEX both ON things (customer_id, %s, %s)", one, other),
          "INSERT INTO things (id, customer_id, status, note, link)"
              + " WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)"
              + " SELECT 'M-' || i, 'c' || (i % 20), 'S' || (i / 20 % 5), 'N' || (i / 100 % 7),"
              + " printf('00000000-0000-0000-0000-%012d', i / 100 % 7) FROM n",
          "ANALYZE");
      Filters filters =
          things
              .listing
              .filters()
              .parse(
                  List.of(
                      new Parameter(other, value(other, 1)), new Parameter(one, value(one, 1))));
      TableDialect dialect = TableDialect.of(database);
      Field customer = things.listing.field("customerId");
      Condition scope = dialect.equal(customer.column(), customer.type(), List.of("acme"));

      assertThat(
              filters.undecided(dialect, order()).stream()
                  .flatMap(place -> plan(database, things.listing, scope, place.rows()).stream())
                  .filter(step -> step.contains(" things")))
          .isNotEmpty()
          .allMatch(
              step -> step.startsWith("SEARCH things USING INDEX both (customer_id=? AND " + one));
    }
  }

  /** Each field is as filtered, another value, or unreadable. */
  @Test
  void list_filteredByManyFields_leavesOutARecordIfOneFieldExcludesIt() throws Exception {
    List<String> statuses = List.of("'OPEN'", "'CLOSED'", "x'4f50454e'");
    List<String> notes = List.of("'abc'", "'xyz'", "x'616263'");
    List<String> amounts = List.of("1", "2", "'many'");
    try (Database database = STORE.open(directory)) {
      ListingBench things = things(database);
      for (int i = 0; i < 27; i++) {
        List<Integer> kinds = List.of(i / 9, i / 3 % 3, i % 3);
        set("status", statuses.get(kinds.get(0)));
        set("note", notes.get(kinds.get(1)));
        set("amount", amounts.get(kinds.get(2)));
        requireDecided(things, "?status=OPEN&note=abc&amount=1&id=K-4", kinds);
        requireDecided(things, "?id=K-4&amount=1&note=abc&status=OPEN", kinds);
      }
    }
  }

  private static void requireDecided(ListingBench things, String query, List<Integer> kinds)
      throws Exception {
    if (kinds.contains(1)) {
      assertThat(things.ids(GLOBEX, query)).as("%s %s", query, kinds).isEqualTo("of 0");
    } else if (kinds.contains(2)) {
      assertThat(things.refusal(GLOBEX, "GET", query, "").reason())
          .as("%s %s", query, kinds)
          .isEqualTo(Reason.INTERNAL_ERROR);
    } else {
      assertThat(things.ids(GLOBEX, query)).as("%s %s", query, kinds).isEqualTo("K-4 of 1");
    }
  }

  private static SortOrder order() {
    return SortOrder.CODE_POINTS;
  }

  private static List<String> plan(
      Database database, Listing listing, Condition scope, Condition rows) {
    Condition all = Condition.all(List.of(scope, rows));
    String select = new ListingSql(listing, TableDialect.of(database)).selectFields(all);
    return database.readTables(
        sql -> {
          // EXPLAIN alone would not notice an index that another connection has created.
          sql.sql("SELECT 1 FROM sqlite_schema LIMIT 1").query((row, number) -> 1).list();
          return sql.sql("EXPLAIN QUERY PLAN " + select)
              .params(all.parameters())
              .query((row, number) -> row.getString("detail"))
              .list();
        });
  }

  private void set(String column, String literal) throws Exception {
    STORE.run(
        directory,
        String.format(Locale.ROOT, "UPDATE things SET %s = %s WHERE id = 'K-4'", column, literal));
  }

  private ListingBench things(Database database) throws Exception {
    return new ListingBench(database, catalog(database));
  }

  private ListingCatalog catalog(Database database) throws Exception {
    STORE.run(
        directory,
        "CREATE TABLE things (id TEXT NOT NULL PRIMARY KEY, customer_id TEXT, status TEXT,"
            + " note TEXT, number INTEGER, amount NUMERIC, active BOOLEAN, at DATETIME, day DATE,"
            + " link UUID)",
        """
        INSERT INTO things VALUES
          ('K-1', 'acme', 'OPEN', 'abc', 1, 1, 1, '2026-01-05T10:00:00Z', '2026-01-05',
           '1f0e8c9a-3b5d-4c7e-9f21-6a8b0c2d4e6f'),
          ('K-2', 'acme', 'CLOSED', 'xyz', 2, 2.5, 0, '2025-01-05T10:00:00Z', '2025-01-05', NULL),
          ('K-3', 'globex', 'OPEN', 'abc', 1, 1, 1, '2026-01-05T10:00:00Z', '2026-01-05',
           '1f0e8c9a-3b5d-4c7e-9f21-6a8b0c2d4e6f'),
          ('K-4', 'globex', 'CLOSED', NULL, NULL, NULL, NULL, NULL, NULL, NULL),
          ('K-5', 'globex', 'OPEN', NULL, NULL, NULL, NULL, NULL, NULL, NULL)
        """);
    Map<String, FieldProperties> fields = new LinkedHashMap<>();
    fields.put("id", FieldProperties.of("text"));
    fields.put(
        "customerId",
        new FieldProperties("customer_id", "text", null, null, List.of(), null, false, null));
    Stream.of("status", "note").forEach(name -> fields.put(name, FieldProperties.of("text")));
    fields.put("number", FieldProperties.of("integer"));
    fields.put("amount", FieldProperties.of("decimal"));
    fields.put("active", FieldProperties.of("boolean"));
    fields.put("at", FieldProperties.of("timestamp"));
    fields.put("day", FieldProperties.of("date"));
    fields.put("link", FieldProperties.of("uuid"));
    return ListingBench.check(
        database,
        ListingProperties.at("/lab/v1/things")
            .table("things")
            .key("id")
            .fields(fields)
            .scope(Map.of("customerId", "customerId"))
            .sortable(List.of("id", "at"))
            .filterable(List.copyOf(fields.keySet()))
            .build());
  }
}
