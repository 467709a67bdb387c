package dev.countersign.server.listings;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.pagination.PageLinks;
import dev.countersign.server.access.directory.AttributeValue;
import dev.countersign.server.listings.ListingProperties.FieldProperties;
import dev.countersign.server.listings.totals.TotalsMode;
import dev.countersign.server.store.Database;
import dev.countersign.server.store.TestStore;
import java.math.BigDecimal;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.mock.web.MockHttpServletResponse;
import tools.jackson.databind.JsonNode;

/**
 * Pages of random tables, scopes, filters, sorts and sizes, compared with a reference that filters
 * and sorts the rows in memory.
 */
class ReferenceListTest {
  private static final int CASES_PER_TABLE = 20;
  private static final int MAX_ROWS = 60;
  private static final Pattern LINK =
      Pattern.compile("[&?](?:page|offset)=(\\d+)>; rel=\"(\\w+)\"");
  private static final List<String> TEXTS =
      Arrays.asList(
          null, "", "a", "A", "ä", "a\u0308", "z", "z ", " z", "Z", "😀", "\uFFFD", "%", "_", "'",
          "\"", "a,b", "\\", "{a}", "NULL", "1", "01");
  private static final List<Object> INTEGERS =
      Arrays.asList(null, 0L, 1L, -1L, 2L, Long.MAX_VALUE, Long.MIN_VALUE);
  private static final List<Object> DECIMALS =
      Arrays.asList(
          null,
          new BigDecimal("0"),
          new BigDecimal("1.5"),
          new BigDecimal("-2"),
          new BigDecimal("0.1"),
          new BigDecimal("100"),
          new BigDecimal("99.99"));
  private static final List<Object> TIMES =
      Arrays.asList(
          null,
          Instant.parse("2026-11-20T18:35:30Z"),
          Instant.parse("2026-11-20T18:35:30.001Z"),
          Instant.parse("2026-11-20T23:59:59.999Z"),
          Instant.parse("2026-11-21T00:00:00Z"),
          Instant.parse("0999-01-01T00:00:00Z"),
          Instant.parse("9999-12-31T23:59:59.999Z"));
  private static final List<Object> BOOLEANS = Arrays.asList(null, true, false);

  /** A field, the values that occur, and whether ranges are allowed. */
  private record Column(String name, String type, List<?> values, boolean hasRanges) {}

  private static final List<Column> COLUMNS =
      List.of(
          new Column("customerId", "text", TEXTS, true),
          new Column("branch", "integer", INTEGERS, true),
          new Column("note", "text", TEXTS, true),
          new Column("amount", "decimal", DECIMALS, true),
          new Column("happened", "timestamp", TIMES, true),
          new Column("active", "boolean", BOOLEANS, false));

  @TempDir Path directory;

  @ParameterizedTest
  @EnumSource
  void pages_aHundredRandomCases_equalTheReference(TestStore store) throws Exception {
    check(store, 5, 1);
    checkDeep(store, 1, 3);
  }

  @Tag("full")
  @Timeout(value = 20, unit = TimeUnit.MINUTES)
  @ParameterizedTest
  @EnumSource
  void pages_thousandsOfRandomCases_equalTheReference(TestStore store) throws Exception {
    check(store, 110, 2);
    checkDeep(store, 20, 4);
  }

  private void check(TestStore store, int tables, long seed) throws Exception {
    check(store, tables, seed, MAX_ROWS);
  }

  /** Tables with pages behind the first thousand records. */
  private void checkDeep(TestStore store, int tables, long seed) throws Exception {
    check(store, tables, seed, 80 * MAX_ROWS);
  }

  private void check(TestStore store, int tables, long seed, int rows) throws Exception {
    Random random = new Random(seed);
    try (Database database = store.open(directory)) {
      for (int table = 0; table < tables; table++) {
        Case base = new Case(random, store, "t" + seed + "x" + table, rows);
        base.create();
        base.listing = new ListingBench(database, base.definition());
        for (int n = 0; n < CASES_PER_TABLE; n++) {
          base.compare("seed " + seed + ", table " + table + ", case " + n);
        }
      }
    }
  }

  /** A row: the key, then a value for each column. */
  private record Row(Object id, Map<String, Object> values) {}

  private final class Case {
    private final Random random;
    private final TestStore store;
    private final String table;
    private final boolean textKey;
    private final boolean isDeep;
    private final List<String> scope;
    private final TotalsMode totals;
    private final List<Row> rows = new ArrayList<>();
    private ListingBench listing;

    Case(Random random, TestStore store, String table, int maxRows) {
      this.random = random;
      this.store = store;
      this.table = table;
      this.textKey = random.nextBoolean();
      this.scope = pick(List.of(List.of(), List.of("customerId"), List.of("customerId", "branch")));
      this.totals =
          pick(List.of(TotalsMode.EXACT, new TotalsMode(Duration.ofMinutes(1)), TotalsMode.NONE));
      List<Integer> ids = new ArrayList<>();
      this.isDeep = maxRows > MAX_ROWS;
      int count = isDeep ? maxRows / 2 + random.nextInt(maxRows / 2) : random.nextInt(maxRows);
      for (int id = 1; id <= count; id++) {
        ids.add(id);
      }
      Collections.shuffle(ids, random);
      for (int id : ids) {
        Map<String, Object> values = new LinkedHashMap<>();
        COLUMNS.forEach(column -> values.put(column.name(), pick(column.values())));
        rows.add(new Row(textKey ? "k" + id : (Object) (long) id, values));
      }
    }

    private <T> T pick(List<T> from) {
      return from.get(random.nextInt(from.size()));
    }

    private <T> T some(List<T> from) {
      T value = pick(from);
      return value == null ? some(from) : value;
    }

    void create() throws SQLException {
      boolean postgresql = store == TestStore.POSTGRESQL;
      String collation =
          postgresql
              ? pick(List.of("", " COLLATE \"en-x-icu\"", " COLLATE \"C\""))
              : pick(List.of("", " COLLATE NOCASE", " COLLATE RTRIM"));
      List<String> statements = new ArrayList<>();
      statements.add(
          String.format(
              Locale.ROOT,
              "CREATE TABLE %s (id %s NOT NULL PRIMARY KEY, customerid text%s, branch bigint,"
                  + " note text%s, amount numeric, happened %s, active boolean)",
              table,
              textKey ? "text" : "integer",
              collation,
              collation,
              postgresql ? "timestamptz" : "text"));
      for (Row row : rows) {
        statements.add(
            "INSERT INTO "
                + table
                + " VALUES ("
                + literal(row.id())
                + ", "
                + row.values().values().stream()
                    .map(this::literal)
                    .collect(Collectors.joining(", "))
                + ")");
      }
      if (random.nextBoolean()) {
        statements.add("CREATE INDEX " + table + "_scope ON " + table + " (customerid, note)");
      }
      store.run(directory, statements.toArray(String[]::new));
    }

    private String literal(Object value) {
      return switch (value) {
        case null -> "NULL";
        case Instant time ->
            "'"
                + (time.toEpochMilli() % 1000 == 0
                    ? time.toString().replace("Z", ".000Z")
                    : time.toString())
                + "'";
        case Boolean bool -> store == TestStore.POSTGRESQL ? bool.toString() : bool ? "1" : "0";
        case String text -> "'" + text.replace("'", "''") + "'";
        default -> value.toString();
      };
    }

    ListingProperties definition() {
      Map<String, FieldProperties> fields = new LinkedHashMap<>();
      fields.put("id", FieldProperties.of(textKey ? "text" : "integer"));
      COLUMNS.forEach(
          column ->
              fields.put(
                  column.name(),
                  new FieldProperties(
                      column.name().toLowerCase(Locale.ROOT),
                      column.type(),
                      null,
                      null,
                      List.of(),
                      null,
                      false,
                      null)));
      List<String> names = COLUMNS.stream().map(Column::name).toList();
      List<String> sortable = new ArrayList<>(names);
      sortable.add("id");
      return ListingProperties.at("/lab/v1/" + table)
          .table(table)
          .key("id")
          .fields(fields)
          .sortable(sortable)
          .filterable(names)
          .scope(scope.stream().collect(Collectors.toMap(name -> name, name -> name)))
          .totals(totals)
          .build();
    }

    void compare(String name) throws Exception {
      Map<String, AttributeValue> client = client();
      List<String> query = new ArrayList<>();
      Predicate<Row> listed = filters(query).and(row -> isInScope(row, client));
      Comparator<Row> order = order(query);
      List<String> ids = new ArrayList<>();
      rows.stream().filter(listed).sorted(order).forEach(row -> ids.add(row.id().toString()));
      Collections.shuffle(query.subList(0, sortsFrom(query)), random);
      int size = 1 + random.nextInt(isDeep ? 100 : 12);
      query.add("size=" + size);
      boolean leftOut = random.nextInt(3) == 0;
      if (leftOut) {
        query.add("totals=none");
      }
      boolean counted = !leftOut && totals.isCounted();
      boolean byOffset = random.nextBoolean();
      int least = isDeep && ids.size() > 1_000 ? 1_000 : 0;
      int offset =
          isDeep
              ? least + random.nextInt(ids.size() - least + 20)
              : random.nextInt(byOffset ? 30 : 5 * size);
      int position = byOffset ? offset : offset / size;
      offset = byOffset ? position : position * size;
      String before = "?" + String.join("&", query) + "&" + (byOffset ? "offset=" : "page=");
      MockHttpServletResponse answer = listing.get(client, before + position);
      JsonNode page = ListingBench.json(answer);
      List<String> given = new ArrayList<>();
      page.get("content").forEach(row -> given.add(row.get("id").asString()));
      String what = name + ": " + client + " " + before + position;
      int total = ids.size();
      assertThat(given)
          .as(what)
          .isEqualTo(ids.subList(Math.min(offset, total), Math.min(offset + size, total)));
      if (counted) {
        assertThat(page.get("totalElements").asInt()).as(what).isEqualTo(total);
        assertThat(page.get("totalPages").asInt()).as(what).isEqualTo((total + size - 1) / size);
      } else {
        assertThat(page.propertyNames()).as(what).doesNotContain("totalElements", "totalPages");
      }
      assertThat(page.get("last").asBoolean()).as(what).isEqualTo(offset + size >= total);
      assertThat(links(answer)).as(what).isEqualTo(links(offset, size, total, byOffset, counted));
      assertThat(answer.getHeader("Link")).as(what).contains("/lab/v1/" + table + before);
      String byCursor = ListingBench.link(answer, PageLinks.CURSOR_RELATION);
      assertThat(byCursor != null).as(what).isEqualTo(offset + size < total && offset < total);
      if (byCursor != null && isDeep) {
        int end = offset + size;
        List<String> next = new ArrayList<>();
        listing
            .page(client, byCursor)
            .get("content")
            .forEach(row -> next.add(row.get("id").asString()));
        assertThat(next).as(what).isEqualTo(ids.subList(end, Math.min(end + size, total)));
      } else if (byCursor != null) {
        walk(what, client, byCursor, ids, offset + size, counted);
      }
      if (random.nextInt(4) == 0 && !isDeep) {
        walk(what, client, "?" + String.join("&", query) + "&after=", ids, 0, counted);
      }
      rows.stream().limit(2).forEach(row -> compareOne(what, row, client));
    }

    /** Follows the cursors to the end of the list. */
    private void walk(
        String what,
        Map<String, AttributeValue> client,
        String from,
        List<String> ids,
        int passed,
        boolean counted)
        throws Exception {
      List<String> walked = new ArrayList<>();
      String next = from;
      while (next != null) {
        String step = what + " then " + next;
        MockHttpServletResponse answer = listing.get(client, next);
        JsonNode page = ListingBench.json(answer);
        int size = page.get("size").asInt();
        assertThat(page.get("pageable").get("offset").asInt())
            .as(step)
            .isEqualTo(passed + walked.size());
        assertThat(page.get("number").asInt()).as(step).isEqualTo((passed + walked.size()) / size);
        assertThat(page.get("first").asBoolean()).as(step).isEqualTo(passed + walked.size() == 0);
        page.get("content").forEach(row -> walked.add(row.get("id").asString()));
        assertThat(page.path("totalElements").asInt(-1))
            .as(step)
            .isEqualTo(counted ? ids.size() : -1);
        next = ListingBench.link(answer, "next");
        assertThat(next == null).as(step).isEqualTo(page.get("last").asBoolean());
        assertThat(answer.getHeader("Link")).as(step).doesNotContain("prev", "\"last\"");
        assertThat(walked.size()).as(step).isLessThanOrEqualTo(ids.size());
      }
      assertThat(walked).as(what).isEqualTo(ids.subList(passed, ids.size()));
    }

    private void compareOne(String what, Row row, Map<String, AttributeValue> client) {
      if (isInScope(row, client)) {
        assertThat(listing.get(client, "/" + row.id()).getStatus()).as(what).isEqualTo(200);
      } else {
        assertThat(listing.refusal(client, "GET", "/" + row.id(), "").reason().status())
            .as(what)
            .isEqualTo(404);
      }
    }

    private int sortsFrom(List<String> query) {
      int filters = 0;
      while (filters < query.size() && !query.get(filters).startsWith("sort=")) {
        filters++;
      }
      return filters;
    }

    private Map<String, AttributeValue> client() {
      return Map.of("customerId", value(TEXTS), "branch", value(INTEGERS));
    }

    private AttributeValue value(List<?> values) {
      int count = isDeep ? random.nextInt(2) * 3 * values.size() : random.nextInt(5);
      List<Object> some = new ArrayList<>();
      for (int n = 0; n < count; n++) {
        some.add(some(values));
      }
      return count == 0
          ? new AttributeValue.Everything()
          : new AttributeValue.Values(some.stream().distinct().toList());
    }

    private boolean isInScope(Row row, Map<String, AttributeValue> client) {
      return scope.stream()
          .allMatch(
              field ->
                  switch (client.get(field)) {
                    case AttributeValue.Everything all -> true;
                    case AttributeValue.Values some ->
                        row.values().get(field) != null
                            && some.values().contains(row.values().get(field));
                  });
    }

    /** Adds random filters to the query and returns the rows that satisfy them. */
    private Predicate<Row> filters(List<String> query) {
      Predicate<Row> all = row -> true;
      List<Column> columns = new ArrayList<>(COLUMNS);
      Collections.shuffle(columns, random);
      for (Column column : columns.subList(0, isDeep ? random.nextInt(4) / 3 : random.nextInt(3))) {
        all =
            all.and(
                column.hasRanges() && random.nextBoolean()
                    ? range(column, query)
                    : anyOf(column, query));
      }
      return all;
    }

    private Predicate<Row> anyOf(Column column, List<String> query) {
      List<Object> wanted = new ArrayList<>();
      for (int n = 0; n <= random.nextInt(4); n++) {
        Object value = some(column.values());
        wanted.add(value);
        query.add(column.name() + "=" + encoded(value));
      }
      return row ->
          wanted.stream().anyMatch(value -> value.equals(row.values().get(column.name())));
    }

    private Predicate<Row> range(Column column, List<String> query) {
      Predicate<Row> range = row -> true;
      List<String> operators = new ArrayList<>(List.of("gte", "gt", "lte", "lt"));
      Collections.shuffle(operators, random);
      for (String operator : operators.subList(0, 1 + random.nextInt(2))) {
        Object bound = some(column.values());
        query.add(column.name() + "." + operator + "=" + encoded(bound));
        range = range.and(row -> isInRange(row.values().get(column.name()), operator, bound));
      }
      return range;
    }

    private boolean isInRange(Object value, String operator, Object bound) {
      if (value == null) {
        return false;
      }
      int order = compareValues(value, bound);
      return switch (operator) {
        case "gte" -> order >= 0;
        case "gt" -> order > 0;
        case "lte" -> order <= 0;
        default -> order < 0;
      };
    }

    private Comparator<Row> order(List<String> query) {
      Comparator<Row> order = (one, other) -> 0;
      boolean descending = false;
      List<Column> columns = new ArrayList<>(COLUMNS);
      Collections.shuffle(columns, random);
      for (Column column : columns.subList(0, random.nextInt(3))) {
        descending = random.nextBoolean();
        query.add("sort=" + column.name() + (descending ? ",desc" : ""));
        Comparator<Row> by =
            Comparator.comparing(
                row -> row.values().get(column.name()),
                Comparator.nullsFirst(ReferenceListTest::compareValues));
        order = order.thenComparing(descending ? by.reversed() : by);
      }
      Comparator<Row> byKey = Comparator.comparing(Row::id, ReferenceListTest::compareValues);
      return order.thenComparing(descending ? byKey.reversed() : byKey);
    }
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  private static int compareValues(Object one, Object other) {
    return one instanceof String text
        ? Arrays.compareUnsigned(
            text.getBytes(StandardCharsets.UTF_8),
            ((String) other).getBytes(StandardCharsets.UTF_8))
        : ((Comparable) one).compareTo(other);
  }

  private static String encoded(Object value) {
    return URLEncoder.encode(Objects.toString(value), StandardCharsets.UTF_8);
  }

  private static Map<String, Integer> links(MockHttpServletResponse answer) {
    Map<String, Integer> links = new LinkedHashMap<>();
    Matcher link = LINK.matcher(Objects.requireNonNull(answer.getHeader("Link")));
    while (link.find()) {
      links.put(link.group(2), Integer.valueOf(link.group(1)));
    }
    return links;
  }

  private static Map<String, Integer> links(
      int offset, int size, int total, boolean byOffset, boolean counted) {
    int unit = byOffset ? 1 : size;
    int last = 0;
    for (int at = offset % size; at < total; at += size) {
      last = at;
    }
    Map<String, Integer> links = new LinkedHashMap<>();
    links.put("first", 0);
    if (offset > 0) {
      int before = counted ? Math.min(offset - size, last) : offset - size;
      links.put("prev", Math.max(0, before) / unit);
    }
    if (offset + size < total) {
      links.put("next", (offset + size) / unit);
    }
    if (counted) {
      links.put("last", last / unit);
    }
    return links;
  }
}
