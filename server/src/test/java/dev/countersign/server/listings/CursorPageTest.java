package dev.countersign.server.listings;

import static dev.countersign.server.listings.ListingBench.customers;
import static dev.countersign.server.listings.ListingBench.everyone;
import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.pagination.PageLinks;
import dev.countersign.protocol.Reason;
import dev.countersign.server.access.directory.AttributeValue;
import dev.countersign.server.access.outcome.Denial;
import dev.countersign.server.access.outcome.DeniedException;
import dev.countersign.server.listings.ListingProperties.FieldProperties;
import dev.countersign.server.store.Database;
import dev.countersign.server.store.TestStore;
import dev.countersign.server.tables.SortOrder;
import dev.countersign.testing.TestThreads;
import dev.countersign.testing.Waits;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.mock.web.MockHttpServletResponse;
import tools.jackson.databind.JsonNode;

/** Pages by cursor: tokens of all kinds, and lists that change. */
class CursorPageTest {
  private static final Map<String, AttributeValue> ACME = customers("acme");
  private static final List<String> SORTABLE =
      List.of("note", "amount", "ratio", "part", "happened", "day", "active", "link", "kind");
  private static final int HEADER = 1 + 8 + Long.BYTES + 1;

  @TempDir Path directory;

  private ListingBench things(Database database, TestStore store) throws Exception {
    return things(database, store, SortOrder.CODE_POINTS, directory);
  }

  private static ListingBench things(
      Database database, TestStore store, SortOrder order, Path folder) throws Exception {
    boolean postgresql = store == TestStore.POSTGRESQL;
    List<String> create = new ArrayList<>();
    if (postgresql) {
      create.add("CREATE TYPE kind AS ENUM ('small', 'large')");
    }
    create.add(
        "CREATE TABLE things (id bigint NOT NULL PRIMARY KEY, customer_id text NOT NULL, note text, amount"
            + " numeric, ratio "
            + (postgresql ? "float8" : "real")
            + ", part integer, happened "
            + (postgresql ? "timestamptz" : "text")
            + ", day "
            + (postgresql ? "date" : "text")
            + ", active boolean, link "
            + (postgresql ? "uuid" : "text")
            + ", kind "
            + (postgresql ? "kind" : "text")
            + ")");
    for (int id = 1; id <= 9; id++) {
      create.add(
          "INSERT INTO things (id, customer_id, note, amount, ratio, part, happened, day, active,"
              + " link, kind) VALUES ("
              + id
              + ", '"
              + (id % 3 == 0 ? "globex" : "acme")
              + "', "
              + (id == 5
                  ? "NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL"
                  : "'n"
                      + id % 4
                      + "', "
                      + id % 4
                      + ".5, "
                      + id
                      + ".25, "
                      + id % 2
                      + ", '2026-11-2"
                      + id % 3
                      + "T00:00:00.000Z', '2026-11-2"
                      + id % 3
                      + "', "
                      + (postgresql ? id % 2 == 0 : id % 2)
                      + ", '1f0e8c9a-3b5d-4c7e-9f21-6a8b0c2d4e6"
                      + id % 2
                      + "', '"
                      + (id % 2 == 0 ? "small" : "large")
                      + "'")
              + ")");
    }
    store.run(folder, create.toArray(String[]::new));
    Map<String, FieldProperties> fields = new LinkedHashMap<>();
    fields.put("id", FieldProperties.of("integer"));
    fields.put(
        "customerId",
        new FieldProperties("customer_id", "text", null, null, List.of(), null, false, null));
    List<String> types =
        List.of(
            "text",
            "decimal",
            "decimal",
            "integer",
            "timestamp",
            "date",
            "boolean",
            "uuid",
            "text");
    for (int n = 0; n < SORTABLE.size(); n++) {
      fields.put(SORTABLE.get(n), FieldProperties.of(types.get(n)));
    }
    return new ListingBench(
        database,
        ListingProperties.at("/lab/v1/things")
            .table("things")
            .key("id")
            .fields(fields)
            .sortable(SORTABLE)
            .filterable(List.of("note"))
            .scope(Map.of("customerId", "customerId"))
            .order(order)
            .build());
  }

  /** The query of the next page with its question mark; null if there is none. */
  private static String next(MockHttpServletResponse answer) {
    return ListingBench.link(answer, "next");
  }

  private static String token(ListingBench bench, String query) {
    return next(bench.get(ACME, query)).replaceFirst(".*[?&]after=([^&]*).*", "$1");
  }

  private static List<Integer> walk(
      ListingBench bench, Map<String, AttributeValue> client, String query) {
    List<Integer> ids = new ArrayList<>();
    for (String at = query; at != null; ) {
      MockHttpServletResponse answer = bench.get(client, at);
      ListingBench.json(answer).get("content").forEach(row -> ids.add(row.get("id").asInt()));
      at = next(answer);
      assertThat(ids).as("a walk that ends").hasSizeLessThan(1_000);
    }
    return ids;
  }

  private static List<Integer> byNumber(ListingBench bench, String query) {
    List<Integer> ids = new ArrayList<>();
    bench.page(everyone(), query).get("content").forEach(row -> ids.add(row.get("id").asInt()));
    return ids;
  }

  @ParameterizedTest
  @EnumSource
  void walk_byEveryTypeInBothOrders_isThatByNumber(TestStore store) throws Exception {
    for (SortOrder order : SortOrder.values()) {
      Path folder = directory.resolve(order.name());
      try (Database database = store.open(folder)) {
        ListingBench bench = things(database, store, order, folder);
        for (String first : SORTABLE) {
          for (String second : List.of("", "&sort=part", "&sort=part,desc")) {
            for (String direction : List.of("asc", "desc")) {
              if (first.equals("part") && !second.isEmpty()) {
                continue;
              }
              String sort = "sort=" + first + "," + direction + second;
              assertThat(walk(bench, everyone(), "?size=2&after=&" + sort))
                  .as("%s in %s", sort, order)
                  .isEqualTo(byNumber(bench, "?size=100&" + sort));
            }
          }
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void token_ofAnotherListSortOrFilter_isRefused(TestStore store) throws Exception {
    try (Database database = store.open(directory)) {
      ListingBench bench = things(database, store);
      String token = token(bench, "?size=2&sort=note&after=");
      for (String other :
          List.of(
              "", "sort=note,desc", "sort=amount", "sort=note&sort=amount", "sort=note&note=n1")) {
        assertRefused(bench, "?size=2&" + other + "&after=" + token, "same list, sort and filters");
      }
      assertThat(bench.get(ACME, "?size=3&sort=note,asc&after=" + token).getStatus())
          .as("another size, and the direction written out")
          .isEqualTo(200);
      assertRefused(bench, "?page=1&after=" + token, "without page and offset");
      assertRefused(bench, "?offset=1&after=" + token, "without page and offset");
      assertRefused(bench, "?after=&after=" + token, "once");
    }
  }

  private static void assertRefused(ListingBench bench, String query, String rule) {
    Denial refused = bench.refusal(ACME, "GET", query, "");
    assertThat(refused.reason()).as(query).isEqualTo(Reason.PARAMETER_INVALID);
    assertThat(refused.detail()).as(query).startsWith("after must be ").contains(rule);
  }

  /** Only keys that a record shares with another one, or does not have, may be skipped. */
  @ParameterizedTest
  @EnumSource
  void walk_byAKeyThatIsOnlyAssumedToBeUnique_seesEachOtherRecordOnce(TestStore store)
      throws Exception {
    try (Database database = store.open(directory)) {
      store.run(
          directory,
          "CREATE TABLE loose (id bigint, note text)",
          "INSERT INTO loose (id, note) VALUES (NULL, 'a'), (NULL, 'b'), (1, 'a'), (2, NULL),"
              + " (2, 'b'), (3, 'a'), (4, NULL), (5, 'b')");
      ListingBench bench =
          new ListingBench(
              database,
              ListingProperties.at("/lab/v1/loose")
                  .table("loose")
                  .key("id")
                  .unique(ListingProperties.Unique.ASSUMED)
                  .fields(
                      Map.of(
                          "id", FieldProperties.of("integer"), "note", FieldProperties.of("text")))
                  .sortable(List.of("id", "note"))
                  .build());
      for (String sort : List.of("", "&sort=id,desc", "&sort=note", "&sort=note,desc")) {
        for (int size = 1; size <= 3; size++) {
          String page = "size=" + size + sort;
          assertThat(rows(bench, "?after=&" + page))
              .as(page)
              .doesNotHaveDuplicates()
              .contains("1 a", "3 a", "4 ", "5 b");
          String second =
              ListingBench.link(bench.get(ACME, "?page=0&" + page), PageLinks.CURSOR_RELATION);
          assertThat(rows(bench, second)).as(second).doesNotHaveDuplicates();
        }
      }
    }
  }

  private static List<String> rows(ListingBench bench, String query) {
    List<String> rows = new ArrayList<>();
    for (String at = query; at != null; ) {
      MockHttpServletResponse answer = bench.get(ACME, at);
      ListingBench.json(answer)
          .get("content")
          .forEach(row -> rows.add(row.get("id").asString() + " " + row.get("note").asString()));
      at = next(answer);
      assertThat(rows).as("a walk that ends").hasSizeLessThan(100);
    }
    return rows;
  }

  /** No cursor can hold such a text, so the walk ends with an error instead of going in circles. */
  @Test
  void walk_byATextThatIsNotUtf8_isRefused() throws Exception {
    TestStore store = TestStore.SQLITE;
    try (Database database = store.open(directory)) {
      ListingBench bench = things(database, store);
      store.run(directory, "UPDATE things SET note = CAST(x'4DE931' AS TEXT) WHERE id <> 5");
      assertThat(bench.get(ACME, "?size=2&sort=note").getHeader("Link"))
          .contains("rel=\"next\"")
          .doesNotContain("after");
      Denial refused = bench.refusal(ACME, "GET", "?size=2&sort=note&after=", "");
      assertThat(refused.reason()).isEqualTo(Reason.INTERNAL_ERROR);
      assertThat(refused.detail()).contains("a value in note that");
      store.run(directory, "UPDATE things SET note = 'M\uFFFD' WHERE id <> 5");
      assertThat(walk(bench, ACME, "?size=2&sort=note&after=")).containsExactly(5, 1, 2, 4, 7, 8);
    }
  }

  @ParameterizedTest
  @EnumSource
  void links_thatAreTooLong_loseTheCursorOfANumberedPageAndTheFirstOfAWalk(TestStore store)
      throws Exception {
    try (Database database = store.open(directory)) {
      ListingBench bench = things(database, store);
      store.run(directory, "UPDATE things SET note = id || '" + "z".repeat(900) + "'");
      String filter = "&note.gte=" + "0".repeat(1_000);
      String numbered = bench.get(ACME, "?size=2&sort=note&page=0" + filter).getHeader("Link");
      assertThat(numbered).contains("rels/after").hasSizeLessThan(6 * 1024);
      String longer = "&note.gte=" + "0".repeat(1_300);
      assertThat(bench.get(ACME, "?size=2&sort=note&page=0" + longer).getHeader("Link"))
          .contains("rel=\"next\"")
          .doesNotContain("rels/after");
      String longest = "&note.gte=" + "0".repeat(5_000);
      assertThat(bench.get(ACME, "?size=2&sort=note&after=" + longest).getHeader("Link"))
          .contains("rel=\"next\"")
          .doesNotContain("first");
      assertThat(walk(bench, ACME, "?size=2&sort=note&after=" + longest)).hasSize(6);
    }
  }

  @ParameterizedTest
  @EnumSource
  void token_ofAnotherClient_showsOnlyTheCallersRecords(TestStore store) throws Exception {
    try (Database database = store.open(directory)) {
      ListingBench bench = things(database, store);
      String token = token(bench, "?size=2&after=");
      assertThat(walk(bench, customers("globex"), "?size=2&after=" + token))
          .isSubsetOf(3, 6, 9)
          .isNotEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource
  void token_withEveryByteChanged_isRefused(TestStore store) throws Exception {
    try (Database database = store.open(directory)) {
      ListingBench bench = things(database, store);
      byte[] genuine =
          Base64.getUrlDecoder().decode(token(bench, "?size=2&sort=note&sort=amount&after="));
      for (int at = 0; at < genuine.length; at++) {
        byte[] changed = genuine.clone();
        changed[at] ^= 1;
        String query = "?size=2&sort=note&sort=amount&after=" + encoded(changed);
        assertThat(bench.refusal(ACME, "GET", query, "").reason())
            .as(query)
            .isEqualTo(Reason.PARAMETER_INVALID);
      }
    }
  }

  private static String encoded(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  /** A token with a right checksum for the list of a genuine one. */
  private static String forged(byte[] genuine, long passed, List<byte[]> values)
      throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.write(genuine, 0, HEADER - Long.BYTES - 1);
    out.writeLong(passed);
    out.writeByte(values.size());
    for (byte[] value : values) {
      out.write(value);
    }
    CRC32C checksum = new CRC32C();
    checksum.update(bytes.toByteArray());
    out.writeInt((int) checksum.getValue());
    return encoded(bytes.toByteArray());
  }

  private static byte[] text(byte[] bytes) {
    return ByteBuffer.allocate(5 + bytes.length)
        .put((byte) 1)
        .putInt(bytes.length)
        .put(bytes)
        .array();
  }

  private static byte[] text(String text) {
    return text(text.getBytes(StandardCharsets.UTF_8));
  }

  private static byte[] integer(long value) {
    return ByteBuffer.allocate(9).put((byte) 2).putLong(value).array();
  }

  private static byte[] real(double value) {
    return ByteBuffer.allocate(9).put((byte) 3).putDouble(value).array();
  }

  private static List<byte[]> hostileValues() {
    List<byte[]> values = new ArrayList<>();
    values.add(new byte[] {0});
    for (String text :
        List.of(
            "",
            "a\u0000b",
            "'; DROP TABLE things; --",
            "1e400",
            "-1e400",
            "NaN",
            "Infinity",
            "infinity",
            "99999999999999999999",
            "10000-01-01 00:00:00+00",
            "294277-01-01",
            "0000-00-00",
            "2026-13-40",
            "true",
            "maybe",
            "huge",
            "x".repeat(1_000),
            "\uFFFF😀",
            "1f0e8c9a-3b5d-4c7e-9f21-6a8b0c2d4e6f")) {
      values.add(text(text));
    }
    values.add(text(new byte[] {(byte) 0xED, (byte) 0xA0, (byte) 0x80}));
    values.add(text(new byte[] {(byte) 0xFF}));
    for (long number : new long[] {0, -1, Long.MIN_VALUE, Long.MAX_VALUE}) {
      values.add(integer(number));
    }
    for (double number : new double[] {0, -0.0, 1e308, Double.NaN, Double.NEGATIVE_INFINITY}) {
      values.add(real(number));
    }
    values.add(new byte[] {4, 0, 0, 0, 2, 1, 2});
    values.add(new byte[] {4, 127, -1, -1, -1, 1, 2});
    values.add(new byte[] {9});
    return values;
  }

  @ParameterizedTest
  @EnumSource
  void forgedToken_ofAnyValues_isRefusedOrShowsOwnRecords(TestStore store) throws Exception {
    try (Database database = store.open(directory)) {
      ListingBench bench = things(database, store);
      int served = 0;
      for (String sort : SORTABLE) {
        String query = "?size=2&sort=" + sort + "&after=";
        byte[] genuine = Base64.getUrlDecoder().decode(token(bench, query));
        byte[] key = store == TestStore.POSTGRESQL ? text("1") : integer(1);
        for (byte[] value : hostileValues()) {
          served += assertSafe(bench, query + forged(genuine, 2, List.of(value, key)));
          served += assertSafe(bench, query + forged(genuine, 2, List.of(key, value)));
          served += assertSafe(bench, query + forged(genuine, 2, List.of(value)));
          served += assertSafe(bench, query + forged(genuine, 2, List.of(value, value, value)));
        }
        for (long passed : new long[] {-1, 0, (1L << 53) - 1, 1L << 53, Long.MAX_VALUE}) {
          served += assertSafe(bench, query + forged(genuine, passed, List.of(key, key)));
        }
        served += assertSafe(bench, query + forged(genuine, 2, List.of()));
      }
      assertThat(served).as("tokens that found a page").isPositive();
    }
  }

  /** Returns 1 if the query finds a page, which shows only records of the client. */
  private static int assertSafe(ListingBench bench, String query) {
    try {
      JsonNode page = bench.page(ACME, query);
      page.get("content")
          .forEach(row -> assertThat(row.get("customerId").asString()).as(query).isEqualTo("acme"));
      return 1;
    } catch (DeniedException refused) {
      assertThat(refused.denial().reason()).as(query).isEqualTo(Reason.PARAMETER_INVALID);
      return 0;
    }
  }

  @ParameterizedTest
  @EnumSource
  void token_ofALongValue_looksItsRecordUp(TestStore store) throws Exception {
    try (Database database = store.open(directory)) {
      ListingBench bench = things(database, store);
      String long1 = "z".repeat(1_500);
      store.run(directory, "UPDATE things SET note = '" + long1 + "' || id WHERE id <> 5");
      String sort = "?size=2&sort=note&after=";
      assertThat(walk(bench, ACME, sort)).containsExactly(5, 1, 2, 4, 7, 8);
      String token = token(bench, sort);
      assertThat(token).hasSizeLessThan(100);
      store.run(directory, "DELETE FROM things WHERE id = 1");
      Denial gone = bench.refusal(ACME, "GET", sort + token, "");
      assertThat(gone.reason()).isEqualTo(Reason.PARAMETER_INVALID);
      assertThat(gone.detail()).contains("a record that is still there");
    }
  }

  @ParameterizedTest
  @EnumSource
  void cursor_whateverIsInsertedOrDeletedBefore_namesTheSamePlace(TestStore store)
      throws Exception {
    try (Database database = store.open(directory)) {
      ListingBench bench = things(database, store);
      String token = token(bench, "?size=2&after=");
      store.run(
          directory,
          "DELETE FROM things WHERE id IN (1, 2)",
          "INSERT INTO things (id, customer_id) VALUES (-1, 'acme'), (0, 'acme')");
      JsonNode page = bench.page(ACME, "?size=2&after=" + token);
      assertThat(page.get("content").get(0).get("id").asInt()).isEqualTo(4);
      assertThat(page.get("pageable").get("offset").asInt()).isEqualTo(2);
      assertThat(page.get("first").asBoolean()).isFalse();
    }
  }

  @ParameterizedTest
  @EnumSource
  void walk_beneathFourWriters_seesEachSteadyRecordOnce(TestStore store) throws Exception {
    walkBeneathWriters(store, 2);
  }

  @Tag("full")
  @ParameterizedTest
  @EnumSource
  void walk_oftenBeneathFourWriters_seesEachSteadyRecordOnce(TestStore store) throws Exception {
    walkBeneathWriters(store, 20);
  }

  /** The records with even ids stay as they are; writers change, delete and insert the others. */
  private void walkBeneathWriters(TestStore store, int runs) throws Exception {
    try (Database database = store.open(directory)) {
      ListingBench bench = things(database, store);
      String table = store == TestStore.POSTGRESQL ? "public.things" : "things";
      database.write(sql -> sql.sql("DELETE FROM " + table).update());
      List<Integer> steady = new ArrayList<>();
      for (int id = 2; id <= 400; id += 2) {
        insert(database, table, id, "n" + id % 7);
        steady.add(id);
      }
      AtomicBoolean isOver = new AtomicBoolean();
      try (TestThreads threads = TestThreads.of(4)) {
        List<Future<Integer>> writers = new ArrayList<>();
        for (int writer = 0; writer < 4; writer++) {
          Random random = new Random(writer);
          writers.add(threads.submit(() -> writeUntil(isOver, database, table, random)));
        }
        try {
          for (int run = 0; run < runs; run++) {
            String sort = run % 2 == 0 ? "sort=note" : "sort=note,desc&sort=amount";
            List<Integer> seen =
                walk(bench, ACME, "?size=7&totals=none&" + sort + "&after=").stream()
                    .filter(id -> id % 2 == 0)
                    .sorted()
                    .toList();
            assertThat(seen).as("run %s", run).isEqualTo(steady);
          }
        } finally {
          isOver.set(true);
        }
        for (Future<Integer> writer : writers) {
          assertThat(Waits.forResult(writer)).as("writes").isPositive();
        }
      }
    }
  }

  private static int writeUntil(
      AtomicBoolean isOver, Database database, String table, Random random) {
    int writes = 0;
    while (!isOver.get()) {
      write(database, table, random);
      writes++;
    }
    return writes;
  }

  private static void write(Database database, String table, Random random) {
    int id = 2 * random.nextInt(200) + 1;
    String note = random.nextInt(5) == 0 ? null : "n" + random.nextInt(9);
    switch (random.nextInt(3)) {
      case 0 ->
          database.write(
              sql -> sql.sql("DELETE FROM " + table + " WHERE id = ?").param(id).update());
      case 1 ->
          database.write(
              sql ->
                  sql.sql("UPDATE " + table + " SET note = ? WHERE id = ?")
                      .params(Arrays.asList(note, id))
                      .update());
      default -> insert(database, table, id, note);
    }
  }

  private static void insert(Database database, String table, int id, String note) {
    database.write(
        sql ->
            sql.sql(
                    "INSERT INTO "
                        + table
                        + " (id, customer_id, note) VALUES (?, 'acme', ?)"
                        + " ON CONFLICT DO NOTHING")
                .params(Arrays.asList(id, note))
                .update());
  }
}
