package dev.countersign.server.listings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.countersign.pagination.PageRequest;
import dev.countersign.pagination.Sort;
import dev.countersign.server.access.outcome.DeniedException;
import dev.countersign.server.listings.ListingProperties.FieldProperties;
import dev.countersign.server.listings.totals.Totals;
import dev.countersign.server.store.Database;
import dev.countersign.server.store.TestStore;
import dev.countersign.server.tables.SortOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Columns of the types that people have: listed, sorted and created with values at their limits.
 */
class ColumnTypesTest {
  private static final String SMALL = "-9223372036854775808";
  private static final String LARGE = "9223372036854775807";
  private static final String DIGITS = "12345678901234567890123456789012345678";

  @TempDir private Path directory;

  /**
   * A type of a column.
   *
   * @param sql the column's type in SQL
   * @param type the field's type
   * @param values JSON values in ascending order
   */
  private record Case(TestStore store, String sql, String type, List<String> values) {
    @Override
    public String toString() {
      return store + " " + sql + " as " + type;
    }
  }

  static Stream<Case> sortable() {
    List<String> texts = List.of("\"\"", "\"A\"", "\"a b\"", "\"ä\"", "\"\uFFFD\"", "\"😀\"");
    List<String> codes = List.of("\"A\"", "\"EUR\"", "\"eur\"", "\"ä\"");
    List<String> times =
        List.of(
            "\"0001-01-01T00:00:00.000Z\"",
            "\"1969-12-31T23:59:59.999Z\"",
            "\"2026-03-29T01:30:00.000Z\"",
            "\"2026-03-29T02:30:00.000Z\"",
            "\"9999-12-31T23:59:59.999Z\"");
    List<String> dates = List.of("\"0001-01-01\"", "\"2024-02-29\"", "\"9999-12-31\"");
    List<String> uuids =
        List.of(
            "\"00000000-0000-0000-0000-000000000000\"",
            "\"7fffffff-ffff-ffff-ffff-ffffffffffff\"",
            "\"ffffffff-ffff-ffff-ffff-ffffffffffff\"");
    List<String> truths = List.of("false", "true");
    TestStore p = TestStore.POSTGRESQL;
    TestStore s = TestStore.SQLITE;
    return Stream.of(
        new Case(p, "text", "text", texts),
        new Case(p, "varchar(3)", "text", texts),
        new Case(p, "varchar(9) COLLATE \"en-x-icu\"", "text", texts),
        new Case(p, "char(3)", "text", codes),
        new Case(p, "short_text", "text", codes),
        new Case(p, "size", "text", List.of("\"Large\"", "\"medium\"", "\"small\"")),
        new Case(p, "smallint", "integer", List.of("-32768", "0", "32767")),
        new Case(p, "integer", "integer", List.of("-2147483648", "0", "2147483647")),
        new Case(p, "bigint", "integer", List.of(SMALL, "-1", "0", LARGE)),
        new Case(p, "bigint", "decimal", List.of(SMALL, "-1", "0", LARGE)),
        new Case(p, "numeric(10,2)", "decimal", List.of("-99999999.99", "0.00", "0.10", "1.00")),
        new Case(p, "numeric", "decimal", List.of("-" + DIGITS, "0.10", "0.123", DIGITS)),
        new Case(p, "real", "decimal", List.of("-1.5", "0", "0.1", "123456")),
        new Case(p, "double precision", "decimal", List.of("-1.5", "0", "0.1", "1E+23", "1E+100")),
        new Case(p, "boolean", "boolean", truths),
        new Case(p, "uuid", "uuid", uuids),
        new Case(p, "timestamptz", "timestamp", times),
        new Case(p, "timestamp", "timestamp", times),
        new Case(p, "timestamp(3)", "timestamp", times),
        new Case(p, "date", "date", dates),
        new Case(s, "TEXT", "text", texts),
        new Case(s, "VARCHAR(3) COLLATE NOCASE", "text", texts),
        new Case(s, "CHAR(3)", "text", codes),
        new Case(s, "BIGINT", "integer", List.of(SMALL, "-1", "0", LARGE)),
        new Case(s, "INTEGER", "decimal", List.of("-999999999999999", "0", "999999999999999")),
        new Case(s, "NUMERIC(10,2)", "decimal", List.of("-99999999.99", "0", "0.1", "1")),
        new Case(s, "REAL", "decimal", List.of("-1.5", "0.0", "0.1")),
        new Case(s, "DOUBLE", "decimal", List.of("0.3", "9000000000000.01", "999999999999999")),
        new Case(s, "BOOLEAN", "boolean", truths),
        new Case(s, "TEXT", "uuid", uuids),
        new Case(s, "DATETIME", "timestamp", times),
        new Case(s, "TEXT", "timestamp", times),
        new Case(s, "DATE", "date", dates),
        new Case(s, "TEXT", "date", dates));
  }

  @ParameterizedTest
  @MethodSource("sortable")
  void values_ofEachType_areCreatedListedAndSorted(Case one) {
    try (Database database = open(one.store(), one.sql())) {
      ListingStore listing = listing(database, one.type(), List.of("v"), SortOrder.CODE_POINTS);
      List<Integer> shuffled = new ArrayList<>();
      for (int id = 0; id < one.values().size(); id++) {
        shuffled.add(id);
      }
      Collections.shuffle(shuffled, new Random(5));
      create(database, listing, 99, "null");
      for (int id : shuffled) {
        String value = one.values().get(id);
        assertThat(create(database, listing, id, value))
            .as("created")
            .isEqualTo(String.format(Locale.ROOT, "{\"id\":%d,\"v\":%s}", id, value));
        assertThat(
                JsonAnswer.text(
                    json -> listing.find(Calls.scope(listing.listing()), (long) id, () -> json)))
            .isEqualTo(String.format(Locale.ROOT, "{\"id\":%d,\"v\":%s}", id, value));
      }
      List<String> ascending = new ArrayList<>(List.of("null"));
      ascending.addAll(one.values());
      assertThat(values(listing, Sort.Order.asc("v"))).isEqualTo(ascending);
      assertThat(values(listing, Sort.Order.desc("v"))).isEqualTo(ascending.reversed());
    }
  }

  static Stream<Arguments> exactJson() {
    List<String> texts =
        List.of(
            "{ \"b\" : 1.50,\n \"a\":[ ], \"a\":1e-7 }",
            "\"\\u00e9\\/\"",
            "[1,[2,[3,{\"x\":null}]]]",
            "[0." + "12".repeat(600) + "]",
            "12345678901234567890.12345678901234567890",
            "true",
            "\"]},\"");
    List<String> normalized =
        List.of(
            "{\"a\": 0.0000001, \"b\": 1.50}",
            "\"é/\"",
            "[1, [2, [3, {\"x\": null}]]]",
            "[0." + "12".repeat(600) + "]",
            "12345678901234567890.12345678901234567890",
            "true",
            "\"]},\"");
    return Stream.of(
        Arguments.of(TestStore.POSTGRESQL, "json", texts, texts),
        Arguments.of(TestStore.POSTGRESQL, "jsonb", texts, normalized),
        Arguments.of(TestStore.SQLITE, "TEXT", texts, texts),
        // A column declared as JSON would change the number.
        Arguments.of(TestStore.SQLITE, "JSON", withoutNumber(texts), withoutNumber(texts)));
  }

  private static List<String> withoutNumber(List<String> texts) {
    return texts.stream().filter(text -> !Character.isDigit(text.charAt(0))).toList();
  }

  @ParameterizedTest
  @MethodSource
  void exactJson(TestStore store, String sql, List<String> given, List<String> served) {
    try (Database database = open(store, sql)) {
      ListingStore listing = listing(database, "json", List.of(), SortOrder.CODE_POINTS);
      for (int id = 0; id < given.size(); id++) {
        assertThat(create(database, listing, id, given.get(id)))
            .isEqualTo(String.format(Locale.ROOT, "{\"id\":%d,\"v\":%s}", id, served.get(id)));
      }
      create(database, listing, 99, "null");
      List<String> all = new ArrayList<>(served);
      all.add("null");
      assertThat(values(listing, Sort.Order.asc("id"))).isEqualTo(all);
    }
  }

  /** Another program may store values that are longer or deeper than those of a request. */
  @ParameterizedTest
  @EnumSource
  void page_withLongAndDeepJson_isServed(TestStore store) throws Exception {
    List<String> stored =
        List.of(
            "9".repeat(3_000),
            "[".repeat(1_000) + "]".repeat(1_000),
            "{\"" + "n".repeat(60_000) + "\":1}");
    try (Database database = open(store, store == TestStore.SQLITE ? "TEXT" : "json")) {
      ListingStore listing = listing(database, "json", List.of(), SortOrder.CODE_POINTS);
      for (int id = 0; id < stored.size(); id++) {
        store.run(directory, "INSERT INTO things VALUES (" + id + ", '" + stored.get(id) + "')");
      }
      assertThat(values(listing, Sort.Order.asc("id"))).isEqualTo(stored);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "date, '\"2026-02-30\"', must be a date such as 2026-11-20",
    "date, '\"2026-2-3\"', must be a date such as 2026-11-20",
    "date, '\"0000-01-01\"', must be a date such as 2026-11-20",
    "date, 20261120, must be a date such as 2026-11-20",
    "json, '\"\\u0000\"', must be a JSON value whose texts have no U+0000",
    "json, '{\"\\ud800\": 1}', must be a JSON value whose texts have no U+0000",
  })
  void create_withAValueOutsideTheType_isRefused(String type, String value, String problem) {
    try (Database database = open(TestStore.SQLITE, "TEXT")) {
      ListingStore listing = listing(database, type, List.of(), SortOrder.CODE_POINTS);
      assertThatThrownBy(() -> create(database, listing, 1, value))
          .isInstanceOf(DeniedException.class)
          .hasMessageContaining("v " + problem);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "POSTGRESQL, timestamptz(0), timestamp, '\"2026-11-20T18:35:30.6Z\"',"
        + " have no fraction of a second",
    "POSTGRESQL, timestamp(2), timestamp, '\"2026-11-20T18:35:30.123Z\"',"
        + " have at most 2 digits after the point of the seconds",
    "POSTGRESQL, whole_second, timestamp, '\"2026-11-20T18:35:30.6Z\"',"
        + " have no fraction of a second",
    "POSTGRESQL, real, decimal, 12345678.9, be a number that single precision can store unchanged",
    "POSTGRESQL, double precision, decimal, 12345678901234567.89, be a number that double precision",
    "POSTGRESQL, 'numeric(5,2)', decimal, 1.234, have at most 2 digits after the point",
    "POSTGRESQL, integer, decimal, 1.5, have at most 0 digits after the point",
    "POSTGRESQL, char(3), text, '\"ab \"', not end with a space",
    "SQLITE, JSON, json, 1.10, not be a number outside an object or array",
    "SQLITE, JSON, json, -1, not be a number outside an object or array",
  })
  void create_withAValueThatTheColumnWouldChange_isRefused(
      TestStore store, String sql, String type, String value, String problem) {
    try (Database database = open(store, sql)) {
      ListingStore listing = listing(database, type, List.of(), SortOrder.CODE_POINTS);
      assertThatThrownBy(() -> create(database, listing, 1, value))
          .isInstanceOf(DeniedException.class)
          .hasMessageContaining("v must " + problem);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "timestamptz(0), timestamp, '\"2026-11-20T18:35:30.000Z\"'",
    "timestamp(2), timestamp, '\"2026-11-20T18:35:30.120Z\"'",
    "char(3), text, '\" ab\"'",
  })
  void create_withAValueWithinTheLimitsOfTheColumn_keepsIt(String sql, String type, String value) {
    try (Database database = open(TestStore.POSTGRESQL, sql)) {
      ListingStore listing = listing(database, type, List.of(), SortOrder.CODE_POINTS);
      assertThat(create(database, listing, 1, value))
          .isEqualTo(String.format(Locale.ROOT, "{\"id\":1,\"v\":%s}", value));
    }
  }

  /** PostgreSQL would write 131 kilobytes for each of these numbers. */
  @ParameterizedTest
  @ValueSource(
      strings = {"1e131071", "{\"a\":[1e101]}", "[-1E-101]", "0e-16000", "[1e99999999999]"})
  void create_ofJsonWithAHugeExponent_isRefused(String value) {
    try (Database database = open(TestStore.POSTGRESQL, "jsonb")) {
      ListingStore listing = listing(database, "json", List.of(), SortOrder.CODE_POINTS);
      assertThatThrownBy(() -> create(database, listing, 1, value))
          .isInstanceOf(DeniedException.class)
          .hasMessageContaining("have an exponent of -100 to 100");
      assertThat(create(database, listing, 2, "[1e100,1E-100]")).contains("1" + "0".repeat(100));
    }
  }

  @ParameterizedTest
  @CsvSource({"SQLITE, TEXT", "SQLITE, JSON", "POSTGRESQL, jsonb"})
  void create_ofLongJson_isAccepted(TestStore store, String sql) {
    try (Database database = open(store, sql)) {
      ListingStore listing = listing(database, "json", List.of(), SortOrder.CODE_POINTS);
      String value = '"' + "x".repeat(20_000) + '"';
      assertThat(create(database, listing, 1, value)).contains(value);
    }
  }

  @Test
  void create_withALabelThatTheEnumLacks_isRefusedWithTheLabels() {
    try (Database database = open(TestStore.POSTGRESQL, "size")) {
      ListingStore listing = listing(database, "text", List.of(), SortOrder.CODE_POINTS);
      assertThatThrownBy(() -> create(database, listing, 1, "\"huge\""))
          .isInstanceOf(DeniedException.class)
          .hasMessageContaining("v must be one of small, medium, Large");
    }
  }

  @Test
  void page_inTheOrderOfThePostgresqlDatabase_followsCollationEnumAndNulls() {
    try (Database database = open(TestStore.POSTGRESQL, "text COLLATE \"en-x-icu\"")) {
      ListingStore listing = listing(database, "text", List.of("v"), SortOrder.DATABASE);
      fill(database, listing, "\"b\"", "\"A\"", "null", "\"a\"", "\"B\"");
      assertThat(values(listing, Sort.Order.asc("v")))
          .containsExactly("\"a\"", "\"A\"", "\"b\"", "\"B\"", "null");
      assertThat(values(listing, Sort.Order.desc("v")))
          .containsExactly("null", "\"B\"", "\"b\"", "\"A\"", "\"a\"");
      database.write(
          sql -> sql.sql("ALTER TABLE public.things DROP v, ADD v public.size").update());
      ListingStore sizes = listing(database, "text", List.of("v"), SortOrder.DATABASE);
      database.write(sql -> sql.sql("UPDATE public.things SET v = 'small' WHERE id = 3").update());
      database.write(sql -> sql.sql("UPDATE public.things SET v = 'Large' WHERE id = 1").update());
      database.write(sql -> sql.sql("UPDATE public.things SET v = 'medium' WHERE id = 2").update());
      assertThat(values(sizes, Sort.Order.asc("v")).subList(0, 3))
          .containsExactly("\"small\"", "\"medium\"", "\"Large\"");
    }
  }

  @Test
  void page_inTheOrderOfTheSqliteDatabase_followsTheCollation() {
    try (Database database = open(TestStore.SQLITE, "TEXT COLLATE NOCASE")) {
      ListingStore listing = listing(database, "text", List.of("v"), SortOrder.DATABASE);
      fill(database, listing, "\"b\"", "\"C\"", "null", "\"a\"");
      assertThat(values(listing, Sort.Order.asc("v")))
          .containsExactly("null", "\"a\"", "\"b\"", "\"C\"");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "text[], text, 'is text[], an array, which no type can serve: serve a view that converts it,"
        + " for example with to_jsonb(\"v\")'",
    "words, text, 'is public.words, an array, which no type can serve: serve a view that converts it,"
        + " for example with to_jsonb(\"v\")'",
    "money, decimal, 'is money, which no type can serve: serve a view that converts it, for"
        + " example with \"v\"::numeric'",
    "interval, text, 'is interval, which no type can serve: serve a view that converts it, for"
        + " example with \"v\"::text'",
    "integer, text, 'is integer, which is not compatible with type text'",
    "size, uuid, 'is public.size, which is not compatible with type uuid'",
  })
  void check_ofATypeThatCannotBeServed_namesTheType(String sql, String type, String problem) {
    try (Database database = open(TestStore.POSTGRESQL, sql)) {
      assertThatThrownBy(() -> listing(database, type, List.of(), SortOrder.CODE_POINTS))
          .isInstanceOf(ListingException.class)
          .hasMessageEndingWith("field v: column v " + problem);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "sum(id), decimal, 'declares no type: serve a view that converts it, for example with"
        + " CAST(\"v\" AS TEXT)'",
    "CAST(id AS BLOB), text, 'is BLOB, which no type can serve: serve a view that converts it,"
        + " for example with CAST(\"v\" AS TEXT)'",
  })
  void check_ofAnExpressionInASqliteView_saysHowToServeIt(
      String expression, String type, String problem) {
    try (Database database = open(TestStore.SQLITE, "TEXT")) {
      assertThatThrownBy(() -> computed(database, expression, type))
          .isInstanceOf(ListingException.class)
          .hasMessageEndingWith("field v: column v " + problem);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "CAST('1.5' AS NUMERIC), decimal, 1.5",
    "CAST('15' AS NUMERIC), integer, 15",
    "CAST('15' AS INTEGER), integer, 15",
    "CAST('1' AS INTEGER), boolean, true",
    "CAST('1.5' AS REAL), decimal, 1.5",
    "CAST(15 AS TEXT), text, '\"15\"'",
  })
  void find_ofACastInASqliteView_isServed(String expression, String type, String value) {
    try (Database database = open(TestStore.SQLITE, "TEXT")) {
      database.write(sql -> sql.sql("INSERT INTO things VALUES (1, '1')").update());
      ListingStore listing =
          new ListingStore(computed(database, expression, type), database, new Totals());
      assertThat(
              JsonAnswer.text(json -> listing.find(Calls.scope(listing.listing()), 1L, () -> json)))
          .isEqualTo(String.format(Locale.ROOT, "{\"id\":1,\"v\":%s}", value));
    }
  }

  private static Listing computed(Database database, String expression, String type) {
    database.write(
        sql ->
            sql.sql(
                    String.format(
                        Locale.ROOT,
                        "CREATE VIEW computed AS SELECT id, %s AS v FROM things",
                        expression))
                .update());
    Map<String, FieldProperties> fields = new LinkedHashMap<>();
    fields.put("id", FieldProperties.of("integer"));
    fields.put("v", FieldProperties.of(type));
    ListingProperties properties =
        ListingProperties.at("/lab/v1/computed")
            .table("computed")
            .key("id")
            .unique(ListingProperties.Unique.ASSUMED)
            .fields(fields)
            .build();
    return Definitions.check(List.of(properties), database).all().getFirst();
  }

  @ParameterizedTest
  @EnumSource
  void check_ofAJsonSort_isRefused(TestStore store) {
    try (Database database = open(store, store == TestStore.SQLITE ? "TEXT" : "jsonb")) {
      assertThatThrownBy(() -> listing(database, "json", List.of("v"), SortOrder.CODE_POINTS))
          .hasMessageEndingWith("sortable must not contain v, because a JSON value has no order");
    }
  }

  @ParameterizedTest
  @EnumSource
  void create_intoAComputedColumn_isLeftToTheDatabase(TestStore store) {
    try (Database database = open(store, "integer GENERATED ALWAYS AS (id * 2) STORED")) {
      ListingStore listing = listing(database, "integer", List.of(), SortOrder.CODE_POINTS);
      assertThatThrownBy(() -> create(database, listing, 4, "1"))
          .hasMessageContaining("v is generated by the service; remove it");
      assertThat(created(database, listing, "{\"id\":4}")).isEqualTo("{\"id\":4,\"v\":8}");
    }
  }

  @Test
  void find_byAPaddedKey_findsTheRecord() {
    TestStore store = TestStore.POSTGRESQL;
    try (Database database = store.open(directory)) {
      database.write(
          sql -> sql.sql("CREATE TABLE things (id char(5) PRIMARY KEY, v integer)").update());
      ListingStore listing = listing(database, "text", "integer", List.of(), SortOrder.CODE_POINTS);
      assertThat(created(database, listing, "{\"id\":\"EUR\",\"v\":1}"))
          .isEqualTo("{\"id\":\"EUR\",\"v\":1}");
      assertThat(
              JsonAnswer.text(
                  json -> listing.find(Calls.scope(listing.listing()), "EUR", () -> json)))
          .isEqualTo("{\"id\":\"EUR\",\"v\":1}");
    }
  }

  private Database open(TestStore store, String type) {
    Database database = store.open(directory);
    database.write(
        sql -> {
          if (store == TestStore.POSTGRESQL) {
            sql.sql("SET LOCAL search_path TO public").update();
            sql.sql("CREATE TYPE size AS ENUM ('small', 'medium', 'Large')").update();
            sql.sql("CREATE DOMAIN word AS varchar(3)").update();
            sql.sql("CREATE DOMAIN words AS text[]").update();
            sql.sql("CREATE DOMAIN whole_second AS timestamptz(0)").update();
            sql.sql("CREATE DOMAIN short_text AS word CHECK (value <> 'no')").update();
          }
          sql.sql(
                  String.format(
                      Locale.ROOT,
                      "CREATE TABLE things (id integer NOT NULL PRIMARY KEY, v %s)",
                      type))
              .update();
          return type;
        });
    return database;
  }

  private final Map<ListingStore, Listing> listings = new LinkedHashMap<>();

  private ListingStore listing(
      Database database, String type, List<String> sortable, SortOrder order) {
    return listing(database, "integer", type, sortable, order);
  }

  private ListingStore listing(
      Database database, String key, String type, List<String> sortable, SortOrder order) {
    Map<String, FieldProperties> fields = new LinkedHashMap<>();
    fields.put("id", FieldProperties.of(key));
    fields.put("v", FieldProperties.of(type));
    List<String> sorts = new ArrayList<>(sortable);
    sorts.add("id");
    ListingProperties properties =
        ListingProperties.at("/lab/v1/things")
            .table("things")
            .key("id")
            .fields(fields)
            .sortable(sorts)
            .order(order)
            .create(true)
            .build();
    Listing listing = Definitions.check(List.of(properties), database).all().getFirst();
    ListingStore store = new ListingStore(listing, database, new Totals());
    listings.put(store, listing);
    return store;
  }

  private void fill(Database database, ListingStore listing, String... values) {
    for (int id = 0; id < values.length; id++) {
      create(database, listing, id, values[id]);
    }
  }

  /** Creates a record as a partner does, and returns the answer. */
  private String create(Database database, ListingStore listing, int id, String value) {
    return created(
        database, listing, String.format(Locale.ROOT, "{\"id\":%d,\"v\":%s}", id, value));
  }

  private String created(Database database, ListingStore listing, String body) {
    RecordReader reader = new RecordReader(listings.get(listing).fields());
    Map<Field, Object> values =
        reader.read(body.getBytes(StandardCharsets.UTF_8), Calls.scope(listing.listing()));
    return database.write(
        sql ->
            JsonAnswer.text(
                json -> listing.insert(Calls.scope(listing.listing()), sql, values, json)));
  }

  /** Returns the members {@code v} of all records in this order. */
  private static List<String> values(ListingStore listing, Sort.Order order) {
    String page =
        JsonAnswer.text(
            json -> {
              json.writeStartArray();
              listing.page(
                  Calls.scope(listing.listing()),
                  listing.requestedPage(
                      PageRequest.ofPage(0, 100).withSort(Sort.by(order)), Filters.NONE),
                  () -> json);
              json.writeEndArray();
            });
    List<String> values = new ArrayList<>();
    for (String record :
        page.substring(1, page.length() - 1).split("(?:^|,)\\{\"id\":\\d+,\"v\":")) {
      if (!record.isEmpty()) {
        values.add(record.substring(0, record.length() - 1));
      }
    }
    return values;
  }
}
