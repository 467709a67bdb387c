package dev.countersign.server.listings;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.protocol.Reason;
import dev.countersign.server.access.directory.AttributeValue;
import dev.countersign.server.access.outcome.Denial;
import dev.countersign.server.listings.ListingProperties.FieldProperties;
import dev.countersign.server.store.Database;
import dev.countersign.server.store.TestStore;
import dev.countersign.server.tables.SortOrder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class FilterTest {
  private static final Map<String, AttributeValue> CLIENT = Map.of();

  @TempDir Path directory;

  @ParameterizedTest
  @EnumSource
  void filter_everyType_findsExactlyItsRecords(TestStore store) throws Exception {
    try (Database database = store.open(directory)) {
      ListingBench things = things(database, store);
      Map<String, String> found = new LinkedHashMap<>();
      found.put("id=2", "2 of 1");
      found.put("id=1,3,99", "1 3 of 2");
      found.put("id=1&id=2,3", "1 2 3 of 3");
      found.put("id.gte=2", "2 3 4 of 3");
      found.put("id.gt=1&id.lt=4", "2 3 of 2");
      found.put("id.gt=3&id.lt=2", "of 0");
      found.put("id.lte=-9223372036854775808", "of 0");
      found.put("status=OPEN", "1 3 of 2");
      found.put("status=OPEN,CLOSED", "1 2 3 of 3");
      found.put("status=OPEN&id.gt=1", "3 of 1");
      found.put("note=a,b", "1 of 1");
      found.put("note=a,b&note=%C3%A4", "1 2 of 2");
      found.put("note=A,b", "of 0");
      found.put("note=", "3 of 1");
      found.put("note.gt=a", "1 2 of 2");
      found.put("note.gte=&note.lt=b", "1 3 of 2");
      found.put("amount=1.5", "1 of 1");
      found.put("amount=1.50&amount=15e-1&amount=-2", "1 2 of 2");
      found.put("amount.gte=-2&amount.lt=1.5", "2 3 of 2");
      found.put("amount.gt=1e1000", "of 0");
      found.put("amount.lt=-1e1000", "of 0");
      found.put("amount.gte=" + "9".repeat(1_000), "of 0");
      found.put("happened.gt=2026-11-20T18:35:29.999999Z", "1 2 3 of 3");
      found.put("happened.gte=2026-11-20T18:35:30.000001Z", "2 3 of 2");
      found.put("happened.lt=2026-11-20T18:35:30.000001Z", "1 of 1");
      found.put("happened.lte=2026-11-20T18:35:29.999999Z", "of 0");
      found.put("happened=2026-11-20T18:35:30.000001Z", "of 0");
      found.put("active=true", "1 of 1");
      found.put("active=true&active=false", "1 2 of 2");
      found.put("link=1F0E8C9A-3b5d-4c7e-9f21-6a8b0c2d4e6f", "1 of 1");
      found.put("happened=2026-11-20T18:35:30Z", "1 of 1");
      found.put("happened=2026-11-20t18:35:30z", "1 of 1");
      found.put("happened=2026-11-20T19:35:30%2B01:00&happened=2026-11-21T00:00:00Z", "1 2 of 2");
      found.put("happened.gt=2026-11-20T18:35:30Z", "2 3 of 2");
      found.put("happened.gte=2026-11-20T18:35:30Z&happened.lt=2026-11-21T00:00:00Z", "1 of 1");
      found.put("happened.lte=9999-12-31T23:59:59.999Z", "1 2 3 of 3");
      found.put("happened.gte=0001-01-01T00:00:00Z", "1 2 3 of 3");
      found.put("happened=0000-01-01T00:00:00Z&happened=2026-11-21T00:00:00Z", "2 of 1");
      found.put("happened.gte=0000-02-29T00:00:00Z", "1 2 3 of 3");
      found.put("day=2026-11-20", "1 of 1");
      found.put("day.gte=2026-11-20&day.lte=2026-12-01&sort=id,desc", "2 1 of 2");
      found.forEach(
          (query, ids) -> assertThat(things.ids(CLIENT, "?" + query)).as(query).isEqualTo(ids));
    }
  }

  @ParameterizedTest
  @EnumSource
  void filter_timestampsInSqlitesOwnForm_areComparedAsInstants(TestStore store) throws Exception {
    try (Database database = store.open(directory)) {
      ListingBench things = things(database, store);
      store.run(directory, "UPDATE things SET happened = '2026-11-20 18:35:30' WHERE id = 1");
      if (store == TestStore.POSTGRESQL) {
        store.run(directory, "UPDATE things SET happened = '2026-11-20 18:35:30Z' WHERE id = 1");
      }
      assertThat(things.ids(CLIENT, "?happened=2026-11-20T18:35:30Z")).isEqualTo("1 of 1");
      assertThat(
              things.ids(
                  CLIENT,
                  "?happened.gt=2026-11-20T18:35:29.999Z&happened.lt=2026-11-20T18:35:30.001Z"))
          .isEqualTo("1 of 1");
      assertThat(things.ids(CLIENT, "?happened.lt=2026-11-20T18:35:30Z")).isEqualTo("of 0");
    }
  }

  @ParameterizedTest
  @EnumSource
  void filter_orderOfTheDatabase_comparesInThatOrder(TestStore store) throws Exception {
    try (Database database = store.open(directory)) {
      create(store, store == TestStore.POSTGRESQL ? "COLLATE \"en-x-icu\"" : "COLLATE NOCASE");
      ListingBench things =
          new ListingBench(database, definition().order(SortOrder.DATABASE).build());
      store.run(directory, "UPDATE things SET note = 'B' WHERE id = 2");
      assertThat(things.ids(CLIENT, "?note.gt=a&sort=note")).isEqualTo("1 2 of 2");
      assertThat(things.ids(CLIENT, "?note=b")).isEqualTo("of 0");
      assertThat(things.ids(CLIENT, "?note=B")).isEqualTo("2 of 1");
    }
  }

  @ParameterizedTest
  @EnumSource
  void example_ofEveryType_isAccepted(TestStore store) throws Exception {
    try (Database database = store.open(directory)) {
      create(store, "");
      for (String field : definition().build().filterable()) {
        ListingBench things =
            new ListingBench(database, definition().filterable(List.of(field)).build());
        String example = things.listing.exampleFilters();
        assertThat(example).startsWith(field + "=").doesNotContain("&");
        assertThat(things.get(CLIENT, "?" + example).getStatus()).isEqualTo(200);
      }
      assertThat(new ListingBench(database, definition().build()).listing.exampleFilters())
          .isEqualTo("status=OPEN,CLOSED&id.gte=100");
      assertThat(
              new ListingBench(database, definition().filterable(List.of()).build())
                  .listing.exampleFilters())
          .isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource
  void filter_links_keepTheSpelling(TestStore store) throws Exception {
    try (Database database = store.open(directory)) {
      ListingBench things = things(database, store);
      assertThat(
              things
                  .get(CLIENT, "?status=OPEN%2CCLOSED&size=1&amount%2Egte=-2&page=1")
                  .getHeader("Link"))
          .contains(
              "/lab/v1/things?status=OPEN%2CCLOSED&size=1&amount%2Egte=-2&page=2>; rel=\"next\"",
              "/lab/v1/things?status=OPEN%2CCLOSED&size=1&amount%2Egte=-2&page=0>; rel=\"first\"");
    }
  }

  @ParameterizedTest
  @EnumSource
  void filter_wrongOnes_areNamedWithTheRule(TestStore store) throws Exception {
    try (Database database = store.open(directory)) {
      ListingBench things = things(database, store);
      Map<String, String> problems = new LinkedHashMap<>();
      problems.put("id=x", "id must be a 64-bit integer, was x");
      problems.put("id=1,,2", "id must be a 64-bit integer, was empty");
      problems.put("id.gte=9223372036854775808", "id.gte must be a 64-bit integer, was 9223");
      problems.put("id.gte=1&id.gte=2", "id.gte must be given once, was 1 and 2");
      problems.put("status=open", "status must be one of OPEN, CLOSED, was open");
      problems.put("status=OPEN,", "status must be one of OPEN, CLOSED, was empty");
      problems.put("active=1", "active must be true or false, was 1");
      problems.put("amount=" + "9".repeat(1_001), "amount must be a number of at most");
      problems.put("amount.lt=1e1001", "amount.lt must be a number of at most");
      problems.put("amount=NaN", "amount must be a number of at most");
      problems.put("happened=2026-11-20", "happened must be an RFC 3339 timestamp");
      problems.put(
          "happened.gt=2026-11-20T19:35:30+01:00",
          "happened.gt must be an RFC 3339 timestamp with at most six decimals, such as"
              + " 2026-11-20T18:35:30.5Z, with + written as %2B, was \"2026-11-20T19:35:30 01:00\"");
      problems.put("happened.gte=9999-12-31T23:59:59-01:00", "happened.gte must be an RFC 3339");
      problems.put("day.gt=2026-02-30", "day.gt must be a date");
      problems.put("link=x", "link must be a UUID");
      problems.put("note=%00", "note must be text without U+0000");
      problems.put("note=%ED%A0%80", "note must be percent-encoded UTF-8");
      problems.put("id=" + numbers(51), "id must have at most 50 values");
      problems.forEach(
          (query, problem) -> {
            Denial denial = things.refusal(CLIENT, "GET", "?" + query, "");
            assertThat(denial.reason()).as(query).isEqualTo(Reason.PARAMETER_INVALID);
            assertThat(denial.detail()).startsWith(problem).hasSizeLessThan(300);
          });
      assertThat(things.ids(CLIENT, "?id=" + numbers(50))).isEqualTo("1 2 3 4 of 4");
      for (String unknown : List.of("hidden=1", "active.gt=true", "link.gte=x", "id.GTE=1")) {
        Denial denial = things.refusal(CLIENT, "GET", "?" + unknown, "");
        assertThat(denial.reason()).isEqualTo(Reason.PARAMETER_UNKNOWN);
        assertThat(denial.detail())
            .contains(
                "page, size, sort, offset, totals, after, id, note, amount, active, happened");
      }
    }
  }

  private static String numbers(int count) {
    return IntStream.rangeClosed(1, count)
        .mapToObj(Integer::toString)
        .collect(Collectors.joining(","));
  }

  @ParameterizedTest
  @EnumSource
  void filter_hostileTexts_areValues(TestStore store) throws Exception {
    try (Database database = store.open(directory)) {
      ListingBench things = things(database, store);
      for (String text :
          List.of("' OR 1=1 --", "%", "_", "\\", "{a,b}", "\"", "😀", "x".repeat(100_000))) {
        String encoded = URLEncoder.encode(text, StandardCharsets.UTF_8);
        assertThat(things.ids(CLIENT, "?note=" + encoded + "&note=" + encoded)).isEqualTo("of 0");
        assertThat(things.ids(CLIENT, "?note=" + encoded + "&note=y&note.gte=" + encoded))
            .isEqualTo("of 0");
      }
    }
  }

  private ListingBench things(Database database, TestStore store) throws Exception {
    create(store, "");
    return new ListingBench(database, definition().build());
  }

  private void create(TestStore store, String collation) throws Exception {
    boolean postgresql = store == TestStore.POSTGRESQL;
    store.run(
        directory,
        "CREATE TABLE things (id integer NOT NULL PRIMARY KEY, note text "
            + collation
            + ", amount numeric(20, 2), active boolean, happened "
            + (postgresql ? "timestamptz" : "text")
            + ", day date, link "
            + (postgresql ? "uuid" : "text")
            + ", status text, hidden text)",
        String.format(
            Locale.ROOT,
            """
            INSERT INTO things VALUES
              (1, 'a,b', 1.5, %1$s, '2026-11-20T18:35:30.000Z', '2026-11-20',
               '1f0e8c9a-3b5d-4c7e-9f21-6a8b0c2d4e6f', 'OPEN', 'x'),
              (2, 'ä', -2, %2$s, '2026-11-21T00:00:00.000Z', '2026-12-01', NULL, 'CLOSED', 'x'),
              (3, '', 0, NULL, '2026-11-22T00:00:00.000Z', '2027-01-01', NULL, 'OPEN', 'x'),
              (4, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL)
            """,
            postgresql ? "true" : "1",
            postgresql ? "false" : "0"));
  }

  private static ListingProperties.Builder definition() {
    Map<String, FieldProperties> fields = new LinkedHashMap<>();
    fields.put("id", FieldProperties.of("integer"));
    fields.put("note", FieldProperties.of("text"));
    fields.put("amount", FieldProperties.of("decimal"));
    fields.put("active", FieldProperties.of("boolean"));
    fields.put("happened", FieldProperties.of("timestamp"));
    fields.put("day", FieldProperties.of("date"));
    fields.put("link", FieldProperties.of("uuid"));
    fields.put(
        "status",
        new FieldProperties(
            null, "text", null, null, List.of("OPEN", "CLOSED"), null, false, null));
    return ListingProperties.at("/lab/v1/things")
        .table("things")
        .key("id")
        .fields(fields)
        .sortable(List.of("id", "note"))
        .filterable(List.copyOf(fields.keySet()));
  }
}
