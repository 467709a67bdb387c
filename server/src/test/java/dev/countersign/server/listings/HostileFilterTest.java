package dev.countersign.server.listings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.countersign.protocol.Reason;
import dev.countersign.server.access.outcome.DeniedException;
import dev.countersign.server.listings.ListingProperties.FieldProperties;
import dev.countersign.server.store.Database;
import dev.countersign.server.store.TestStore;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.mock.web.MockHttpServletResponse;

/** Queries made of random pieces: each finds a page, or is refused for a parameter. */
class HostileFilterTest {
  private static final List<String> NAMES =
      List.of(
          "id",
          "note",
          "price",
          "ratio",
          "part",
          "seen",
          "day",
          "fresh",
          "link",
          "kind",
          "id.gte",
          "note.gt",
          "note.lte",
          "price.lt",
          "price.gte",
          "ratio.gte",
          "part.lte",
          "seen.gte",
          "seen.lt",
          "day.gt",
          "kind.gte",
          "link.gt",
          "fresh.lt",
          "size",
          "sort",
          "%69d",
          "id%2Egt");
  private static final List<String> VALUES =
      List.of(
          "",
          "0",
          "1",
          "-1",
          "9223372036854775807",
          "-9223372036854775808",
          "99999999999999999999",
          "1.5",
          "-0.0",
          "1e100",
          "1e-100",
          "1E400",
          "1e9999",
          "9".repeat(400),
          "0." + "1".repeat(60),
          "NaN",
          "Infinity",
          "true",
          "false",
          "old",
          "new",
          "2026-11-20",
          "2026-02-30",
          "0001-01-01",
          "9999-12-31",
          "2026-11-20T18:35:30Z",
          "0001-01-01T00:00:00Z",
          "9999-12-31T23:59:59.999Z",
          "2026-11-20T18:35:30.123456Z",
          "2026-11-20T18:35:30%2B14:00",
          "-999999999-01-01",
          "1f0e8c9a-3b5d-4c7e-9f21-6a8b0c2d4e6f",
          "%27",
          "%22",
          "%5C",
          "%25",
          "_",
          "{a,b}",
          "%7Ba%7D",
          "%00",
          "%FF",
          "%ED%A0%80",
          "%F0%9F%98%80",
          "%C3%A4",
          "+",
          ",",
          ",,",
          "%2C",
          "[",
          "]",
          "$1",
          ":x",
          "?",
          "--",
          "%0A",
          "x".repeat(3000));

  @TempDir Path directory;

  @ParameterizedTest
  @EnumSource
  void page_randomPieces_isAPageOrRefused(TestStore store) throws Exception {
    check(store, 400);
  }

  @Tag("full")
  @Timeout(value = 20, unit = TimeUnit.MINUTES)
  @ParameterizedTest
  @EnumSource
  void page_manyRandomPieces_isAPageOrRefused(TestStore store) throws Exception {
    check(store, 20_000);
  }

  @Test
  void fuzzTarget_mutatedSeeds_findsNothing() throws Exception {
    fuzz(300);
  }

  @Tag("full")
  @Timeout(value = 20, unit = TimeUnit.MINUTES)
  @Test
  void fuzzTarget_manyMutatedSeeds_findsNothing() throws Exception {
    fuzz(20_000);
  }

  /** Runs the fuzz target on its seeds, and on as many mutations of them, the same in each run. */
  private static void fuzz(int mutations) throws IOException {
    Random random = new Random(mutations);
    List<byte[]> seeds = seeds();
    seeds.forEach(FilterParserFuzz::fuzzerTestOneInput);
    for (int n = 0; n < mutations; n++) {
      byte[] mutated = pick(random, seeds);
      for (int changes = 1 + random.nextInt(4); changes > 0; changes--) {
        mutated = mutated(random, mutated, pick(random, seeds));
      }
      byte[] input = mutated;
      assertThatCode(() -> FilterParserFuzz.fuzzerTestOneInput(input))
          .as("mutation %s: %s", n, HexFormat.of().formatHex(input))
          .doesNotThrowAnyException();
    }
  }

  private static List<byte[]> seeds() throws IOException {
    List<byte[]> seeds = new ArrayList<>();
    try (Stream<Path> files = Files.list(Path.of("src/test/fuzz/FilterParser"))) {
      for (Path file : files.sorted().toList()) {
        seeds.add(Files.readAllBytes(file));
      }
    }
    assertThat(seeds).isNotEmpty();
    return seeds;
  }

  /** Replaces a part of an input by nothing, a random byte, or a part of another input. */
  private static byte[] mutated(Random random, byte[] input, byte[] other) {
    int from = random.nextInt(input.length + 1);
    int to = Math.min(input.length, from + random.nextInt(4));
    byte[] part =
        switch (random.nextInt(3)) {
          case 0 -> new byte[0];
          case 1 -> new byte[] {(byte) random.nextInt(256)};
          default -> {
            int start = random.nextInt(other.length + 1);
            int end = start + random.nextInt(other.length - start + 1);
            yield Arrays.copyOfRange(other, start, end);
          }
        };
    ByteArrayOutputStream result = new ByteArrayOutputStream();
    result.write(input, 0, from);
    result.writeBytes(part);
    result.write(input, to, input.length - to);
    return result.toByteArray();
  }

  private void check(TestStore store, int queries) throws Exception {
    Random random = new Random(queries);
    int pages = 0;
    try (Database database = store.open(directory)) {
      ListingBench things = things(database, store, directory);
      for (int n = 0; n < queries; n++) {
        String query = query(random);
        try {
          MockHttpServletResponse answer = things.get(Map.of(), "?" + query);
          assertThat(answer.getStatus()).as(query).isEqualTo(200);
          pages++;
        } catch (DeniedException refused) {
          assertThat(refused.denial().reason())
              .as(query)
              .isIn(Reason.PARAMETER_INVALID, Reason.PARAMETER_UNKNOWN);
          assertThat(refused.denial().detail())
              .as(query)
              .hasSizeLessThan(1000)
              .doesNotContain("\n");
        }
      }
    }
    assertThat(pages).as("queries that found a page").isBetween(queries / 50, queries * 9 / 10);
  }

  private static String query(Random random) {
    StringBuilder query = new StringBuilder();
    for (int pairs = 1 + random.nextInt(3); pairs > 0; pairs--) {
      query.append(query.isEmpty() ? "" : "&").append(pick(random, NAMES)).append('=');
      for (int pieces = random.nextInt(8) == 0 ? 3 : 1; pieces > 0; pieces--) {
        query.append(pick(random, VALUES));
      }
    }
    return query.toString();
  }

  private static <T> T pick(Random random, List<T> from) {
    return from.get(random.nextInt(from.size()));
  }

  /** Two records with a field of each type, of which one is empty, and filters by each. */
  static ListingBench things(Database database, TestStore store, Path directory) throws Exception {
    boolean postgresql = store == TestStore.POSTGRESQL;
    store.run(
        directory,
        String.format(
            Locale.ROOT,
            """
            CREATE TABLE things (id %s NOT NULL PRIMARY KEY, note char(5), price numeric(10, 2),
              ratio %s, part real, seen %s, day date, fresh boolean, link %s, kind text)
            """,
            postgresql ? "smallint" : "integer",
            postgresql ? "double precision" : "double",
            "timestamp",
            postgresql ? "uuid" : "text"),
        String.format(
            Locale.ROOT,
            """
            INSERT INTO things VALUES
              (1, 'a', 1.5, 1.5, 1.1, '2026-11-20 18:35:30', '2026-11-20', %s,
               '1f0e8c9a-3b5d-4c7e-9f21-6a8b0c2d4e6f', 'old'),
              (2, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL)
            """,
            postgresql ? "true" : "1"));
    Map<String, FieldProperties> fields = new LinkedHashMap<>();
    fields.put("id", FieldProperties.of("integer"));
    fields.put("note", FieldProperties.of("text"));
    fields.put("price", FieldProperties.of("decimal"));
    fields.put("ratio", FieldProperties.of("decimal"));
    fields.put("part", FieldProperties.of("decimal"));
    fields.put("seen", FieldProperties.of("timestamp"));
    fields.put("day", FieldProperties.of("date"));
    fields.put("fresh", FieldProperties.of("boolean"));
    fields.put("link", FieldProperties.of("uuid"));
    fields.put(
        "kind",
        new FieldProperties(null, "text", null, null, List.of("old", "new"), null, false, null));
    return new ListingBench(
        database,
        ListingProperties.at("/lab/v1/things")
            .table("things")
            .key("id")
            .fields(fields)
            .sortable(List.of("note", "price"))
            .filterable(List.copyOf(fields.keySet()))
            .build());
  }
}
