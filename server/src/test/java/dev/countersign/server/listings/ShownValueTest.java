package dev.countersign.server.listings;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.protocol.DecimalText;
import dev.countersign.server.access.directory.AttributeValue;
import dev.countersign.server.listings.ListingProperties.FieldProperties;
import dev.countersign.server.store.Database;
import dev.countersign.server.store.TestStore;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;

/** A filter accepts what an answer shows, and finds the record that shows it. */
class ShownValueTest {
  private static final Map<String, AttributeValue> CLIENT = Map.of();
  private static final int RANDOM_ROWS = 40;
  private static final JsonFactory JSON =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder().maxNumberLength(DecimalText.MAXIMUM_LENGTH).build())
          .build();

  private static final Pattern TOTAL = Pattern.compile("\"totalElements\":([0-9]+)");

  @TempDir Path directory;

  @ParameterizedTest
  @EnumSource
  void filter_byEveryShownValue_findsItsRecord(TestStore store) throws Exception {
    boolean isPostgresql = store == TestStore.POSTGRESQL;
    Map<String, String> types = isPostgresql ? postgresql() : sqlite();
    Map<String, List<String>> literals = isPostgresql ? inPostgresql() : inSqlite();
    try (Database database = store.open(directory)) {
      ListingBench things = things(store, database, types);
      List<String> inserts = new ArrayList<>();
      literals.forEach(
          (column, values) ->
              values.forEach(
                  value ->
                      inserts.add(
                          String.format(
                              Locale.ROOT,
                              "INSERT INTO things (id, \"%s\") VALUES (%d, %s)",
                              column,
                              inserts.size() + 1,
                              value))));
      store.run(directory, inserts.toArray(String[]::new));

      Map<String, Integer> tried = new TreeMap<>();
      for (int offset = 0; offset < inserts.size(); offset += 100) {
        String page = things.get(CLIENT, "?size=100&sort=id&offset=" + offset).getContentAsString();
        for (Map<String, String> record : records(page)) {
          String id = record.remove("id");
          for (Map.Entry<String, String> member : record.entrySet()) {
            String field = member.getKey();
            String shown = member.getValue();
            tried.merge(field, 1, Integer::sum);
            for (String operator : operators(field)) {
              String query = "?id=" + id + "&" + field + operator + "=" + encoded(shown);
              assertThat(total(things, query)).as(query).isEqualTo(1);
            }
            for (String operator : excluding(field)) {
              String query = "?id=" + id + "&" + field + operator + "=" + encoded(shown);
              assertThat(total(things, query)).as(query).isZero();
            }
          }
        }
      }
      literals.forEach(
          (column, values) -> assertThat(tried).as(column).containsEntry(column, values.size()));
    }
  }

  /** The driver reads the first few answers of a statement as text, and later ones in binary. */
  @Test
  void floatingPointNumber_readOften_alwaysHasTheSameText() throws Exception {
    try (Database database = TestStore.POSTGRESQL.open(directory)) {
      ListingBench things =
          things(
              TestStore.POSTGRESQL,
              database,
              Map.of("wide", "double precision decimal", "narrow", "real decimal"));
      TestStore.POSTGRESQL.run(
          directory,
          "INSERT INTO things (id, wide, narrow) VALUES (1, 3, 3), (2, 1e23, 1e10), (3, 0.1, 0.1)");
      Set<String> pages = new HashSet<>();
      for (int i = 0; i < 20; i++) {
        pages.add(things.get(CLIENT, "?size=3").getContentAsString());
      }
      assertThat(pages).hasSize(1);
      assertThat(pages.iterator().next()).contains(":3,", ":0.1,").doesNotContain("3.0");
    }
  }

  @ParameterizedTest
  @EnumSource
  void filter_besideAFloatingPointNumber_isNotRounded(TestStore store) throws Exception {
    boolean isPostgresql = store == TestStore.POSTGRESQL;
    Map<String, String> types =
        isPostgresql
            ? Map.of("wide", "double precision decimal", "narrow", "real decimal")
            : Map.of("wide", "REAL decimal");
    Map<String, Integer> totals = new LinkedHashMap<>();
    totals.put("=0.1", 1);
    totals.put("=0.10000000000000001", 0);
    totals.put(".gte=0.10000000000000001", 0);
    totals.put(".gt=0.10000000000000001", 0);
    totals.put(".lte=0.10000000000000001", 1);
    totals.put(".lt=0.10000000000000001", 1);
    totals.put(".gte=0.09999999999999999999", 1);
    totals.put(".gt=0.09999999999999999999", 1);
    totals.put(".lte=0.09999999999999999999", 0);
    totals.put(".lt=0.09999999999999999999", 0);
    totals.put("=1e400", 0);
    totals.put(".gte=1e400", 0);
    totals.put(".lte=1e400", 1);
    totals.put(".gt=-1e400", 1);
    totals.put(".lt=-1e400", 0);
    totals.put(".gt=1e-400", 1);
    totals.put(".lte=1e-400", 0);
    try (Database database = store.open(directory)) {
      ListingBench things = things(store, database, types);
      store.run(directory, "INSERT INTO things (id) VALUES (1), (2)");
      for (String field : types.keySet()) {
        store.run(directory, "UPDATE things SET " + field + " = 0.1 WHERE id = 1");
        for (Map.Entry<String, Integer> filter : totals.entrySet()) {
          String query = "?" + field + filter.getKey();
          assertThat(total(things, query)).as(query).isEqualTo(filter.getValue());
        }
        assertThat(total(things, "?" + field + "=0.10000000000000001&" + field + "=0.1"))
            .isEqualTo(1);
        String infinity = isPostgresql ? "'Infinity'" : "9e999";
        store.run(directory, "UPDATE things SET " + field + " = " + infinity + " WHERE id = 2");
        assertThat(total(things, "?" + field + "=1e400")).isZero();
        store.run(directory, "UPDATE things SET " + field + " = NULL");
      }
    }
  }

  private static int total(ListingBench things, String query) throws IOException {
    String page = things.get(CLIENT, query).getContentAsString();
    Matcher total = TOTAL.matcher(page);
    assertThat(total.find()).as(page).isTrue();
    return Integer.parseInt(total.group(1));
  }

  private static List<String> operators(String field) {
    return field.startsWith("link") || field.startsWith("flag")
        ? List.of("")
        : List.of("", ".gte", ".lte");
  }

  private static List<String> excluding(String field) {
    return operators(field).size() == 1 ? List.of() : List.of(".gt", ".lt");
  }

  private static String encoded(String shown) {
    return URLEncoder.encode(shown, StandardCharsets.UTF_8);
  }

  private static Map<String, String> postgresql() {
    Map<String, String> types = new LinkedHashMap<>();
    types.put("exact", "numeric decimal");
    types.put("scaled", "numeric(38,18) decimal");
    types.put("narrow", "real decimal");
    types.put("wide", "double precision decimal");
    types.put("whole", "bigint integer");
    types.put("wholeExact", "bigint decimal");
    types.put("at", "timestamptz timestamp");
    types.put("local", "timestamp timestamp");
    types.put("day", "date date");
    types.put("link", "uuid uuid");
    types.put("flag", "boolean boolean");
    types.put("note", "text text");
    types.put("padded", "char(8) text");
    return types;
  }

  private static Map<String, String> sqlite() {
    Map<String, String> types = new LinkedHashMap<>();
    types.put("exact", "NUMERIC decimal");
    types.put("wide", "REAL decimal");
    types.put("whole", "INTEGER integer");
    types.put("wholeExact", "INTEGER decimal");
    types.put("at", "DATETIME timestamp");
    types.put("atText", "TEXT timestamp");
    types.put("day", "DATE date");
    types.put("link", "TEXT uuid");
    types.put("linkTyped", "UUID uuid");
    types.put("flag", "BOOLEAN boolean");
    types.put("note", "TEXT text");
    types.put("loose", "TEXT COLLATE NOCASE text");
    return types;
  }

  private static Map<String, List<String>> inPostgresql() {
    Random random = new Random(9421);
    Map<String, List<String>> values = new LinkedHashMap<>();
    values.put(
        "exact",
        with(
            random,
            r -> new BigDecimal(new BigInteger(160, r), r.nextInt(60)).toPlainString(),
            "0",
            "0.000",
            "12345678901234567890123456789012345678901",
            "-0.000000000000000000000000000000000000000000001",
            "1e-1000",
            "1e1000",
            "9".repeat(1_000)));
    values.put(
        "scaled",
        with(
            random,
            r -> new BigDecimal(BigInteger.valueOf(r.nextLong()), 18).toPlainString(),
            "0",
            "0.000000000000000001",
            "-99999999999999999999.999999999999999999"));
    values.put(
        "narrow",
        with(
            random,
            r -> "'" + Float.intBitsToFloat(0x00800000 + r.nextInt(0x7E000000)) + "'",
            "0.1",
            "16777217",
            "1e-45",
            "3.4028235e38"));
    List<String> doubles = doubles(random);
    values.put("wide", doubles);
    values.put("whole", longs(random));
    values.put("wholeExact", longs(random));
    List<String> instants =
        with(
            random,
            r ->
                String.format(
                    Locale.ROOT,
                    "'%04d-%02d-%02d %02d:%02d:%02d.%06d'",
                    1 + r.nextInt(9999),
                    1 + r.nextInt(12),
                    1 + r.nextInt(28),
                    r.nextInt(24),
                    r.nextInt(60),
                    r.nextInt(60),
                    r.nextInt(1_000_000)),
            "'2026-01-05 10:00:55.120345'",
            "'0001-01-01 00:00:00 BC'",
            "'9999-12-31 23:59:59.999999'");
    // The session's zone is that of the machine.
    values.put("at", instants.stream().map(v -> v.replaceAll("( BC)?'$", "Z$1'")).toList());
    values.put("local", instants);
    values.put("day", List.of("'0001-01-01'", "'2024-02-29'", "'9999-12-31'"));
    values.put("link", List.of("'1F0E8C9A-3B5D-4C7E-9F21-6A8B0C2D4E6F'", uuid(random)));
    values.put("flag", List.of("true", "false"));
    values.put("note", texts());
    values.put("padded", List.of("'ab'", "'ab,c'", "' ä'"));
    return values;
  }

  private static Map<String, List<String>> inSqlite() {
    Random random = new Random(9421);
    Map<String, List<String>> values = new LinkedHashMap<>();
    List<String> numbers = new ArrayList<>(doubles(random));
    numbers.addAll(longs(random));
    values.put("exact", numbers);
    values.put("wide", doubles(random));
    values.put("whole", longs(random));
    values.put("wholeExact", longs(random));
    List<String> instants =
        List.of(
            "'2026-01-05T10:00:55.120345Z'",
            "'2026-01-05 10:00:55.999999+05:30'",
            "'2026-01-05'",
            "'0000-01-01'",
            "'0000-01-02 00:00:00.5'",
            "'9999-12-31T23:59:59.999999Z'");
    values.put("at", instants);
    values.put("atText", instants);
    values.put("day", List.of("'0001-01-01'", "'2024-02-29'", "'9999-12-31'"));
    List<String> links =
        List.of(
            "'1F0E8C9A-3B5D-4C7E-9F21-6A8B0C2D4E6F'",
            "'1f0e8c9a-3b5d-4c7e-9f21-6a8b0c2d4e6f'",
            "'00000000-0000-0000-0000-000000000000'",
            uuid(random));
    values.put("link", links);
    values.put("linkTyped", links);
    values.put("flag", List.of("1", "0"));
    values.put("note", texts());
    values.put("loose", texts());
    return values;
  }

  private interface Literal {
    String next(Random random);
  }

  private static List<String> with(Random random, Literal literal, String... fixed) {
    List<String> values = new ArrayList<>(List.of(fixed));
    for (int i = 0; i < RANDOM_ROWS; i++) {
      values.add(literal.next(random));
    }
    return values;
  }

  private static List<String> doubles(Random random) {
    return with(
        random,
        r -> {
          double value = Double.longBitsToDouble(r.nextLong());
          return Double.isFinite(value) ? new BigDecimal(value).toString() : "0.5";
        },
        "0.0",
        "0.1",
        "0.30000000000000004",
        "9007199254740993.0",
        "1.7976931348623157e308",
        "1e-300",
        "1e23");
  }

  private static List<String> longs(Random random) {
    return with(
        random,
        r -> Long.toString(r.nextLong()),
        "0",
        "-1",
        "9007199254740993",
        "9223372036854775807",
        "-9223372036854775808");
  }

  private static String uuid(Random random) {
    return "'" + new UUID(random.nextLong(), random.nextLong()) + "'";
  }

  private static List<String> texts() {
    return List.of("''", "'a,b'", "'Ä😀'", "' x '", "'%+&='", "'1.0'", "'null'");
  }

  private ListingBench things(TestStore store, Database database, Map<String, String> types)
      throws Exception {
    StringBuilder columns = new StringBuilder("id integer NOT NULL PRIMARY KEY");
    Map<String, FieldProperties> fields = new LinkedHashMap<>();
    fields.put("id", FieldProperties.of("integer"));
    types.forEach(
        (name, type) -> {
          int end = type.lastIndexOf(' ');
          columns.append(", ").append('"').append(name).append("\" ").append(type, 0, end);
          fields.put(name, FieldProperties.of(type.substring(end + 1)));
        });
    store.run(directory, "CREATE TABLE things (" + columns + ")");
    return new ListingBench(
        database,
        ListingProperties.at("/lab/v1/things")
            .table("things")
            .key("id")
            .fields(fields)
            .sortable(List.of("id"))
            .filterable(List.copyOf(fields.keySet()))
            .build());
  }

  /** The members of the records that are not null, as they are written. */
  private static List<Map<String, String>> records(String page) {
    List<Map<String, String>> records = new ArrayList<>();
    try (JsonParser json = JSON.createParser(ObjectReadContext.empty(), page)) {
      assertThat(json.nextToken()).isEqualTo(JsonToken.START_OBJECT);
      assertThat(json.nextName()).isEqualTo("content");
      json.nextToken();
      while (json.nextToken() == JsonToken.START_OBJECT) {
        Map<String, String> record = new LinkedHashMap<>();
        while (json.nextToken() == JsonToken.PROPERTY_NAME) {
          String name = json.currentName();
          if (json.nextToken() != JsonToken.VALUE_NULL) {
            record.put(name, json.getString());
          }
        }
        records.add(record);
      }
    }
    return records;
  }

  /** A filter finds an upper-case UUID, but a scope compares bytes. */
  @Test
  void scope_ofAUuid_doesNotFindItInUpperCase() throws Exception {
    TestStore store = TestStore.SQLITE;
    UUID owner = UUID.fromString("1f0e8c9a-3b5d-4c7e-9f21-6a8b0c2d4e6f");
    try (Database database = store.open(directory)) {
      store.run(
          directory,
          "CREATE TABLE things (id integer NOT NULL PRIMARY KEY, owner TEXT)",
          "INSERT INTO things VALUES (1, '" + owner + "'), (2, upper('" + owner + "'))");
      ListingProperties.Builder definition =
          ListingProperties.at("/lab/v1/things")
              .table("things")
              .key("id")
              .fields(
                  Map.of("id", FieldProperties.of("integer"), "owner", FieldProperties.of("uuid")))
              .sortable(List.of("id"))
              .filterable(List.of("owner"));
      String query = "?sort=id&owner=" + owner;
      assertThat(new ListingBench(database, definition.build()).ids(CLIENT, query))
          .isEqualTo("1 2 of 2");
      ListingBench scoped =
          new ListingBench(database, definition.scope(Map.of("owner", "owner")).build());
      Map<String, AttributeValue> client =
          Map.of("owner", new AttributeValue.Values(List.of(owner)));
      assertThat(scoped.ids(client, query)).isEqualTo("1 of 1");
    }
  }

  @Test
  void zero_ofAScaledNumeric_isWrittenInDigits() throws Exception {
    TestStore store = TestStore.POSTGRESQL;
    try (Database database = store.open(directory)) {
      ListingBench things = things(store, database, Map.of("scaled", "numeric(38,18) decimal"));
      store.run(directory, "INSERT INTO things VALUES (1, 0), (2, 1e-18)");
      assertThat(things.get(CLIENT, "").getContentAsString())
          .contains("\"scaled\":0.000000000000000000}", "\"scaled\":0.000000000000000001}");
    }
  }
}
