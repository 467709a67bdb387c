package dev.countersign.server.listings;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.pagination.PageRequest;
import dev.countersign.pagination.Sort;
import dev.countersign.server.demo.WalletSeed;
import dev.countersign.server.listings.totals.Totals;
import dev.countersign.server.store.Database;
import dev.countersign.server.store.TestStore;
import dev.countersign.server.tables.TableDialect;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ListingStoreTest {
  private static final List<String> SORTABLE =
      List.of("id", "label", "amount", "active", "happened", "link");

  @TempDir Path directory;

  /** A row in the naive reference. */
  private record Sample(
      long id, String label, BigDecimal amount, Boolean active, Instant happened, UUID link) {

    Comparable<?> of(String field) {
      return switch (field) {
        case "id" -> id;
        // Code points, not UTF-16 units: this is the order of UTF-8 bytes.
        case "label" -> label == null ? null : codePoints(label);
        case "amount" -> amount;
        case "active" -> active;
        case "happened" -> happened;
        default -> link == null ? null : link.toString();
      };
    }

    private static String codePoints(String text) {
      return text.codePoints()
          .mapToObj(c -> String.format(Locale.ROOT, "%08x", c))
          .collect(Collectors.joining());
    }
  }

  @ParameterizedTest
  @EnumSource
  void page_everySortAndSize_walksAsTheReference(TestStore store) {
    try (Database database = store.open(directory)) {
      List<Sample> samples = fill(database, store, 137);
      ListingStore listing = samples(database);
      Random random = new Random(7);
      for (Sort sort : sorts(random)) {
        List<Long> expected = samples.stream().sorted(reference(sort)).map(Sample::id).toList();
        for (int size : List.of(1, 7, 50, 100)) {
          assertThat(walk(listing, sort, size, 137)).as("%s by %s", sort, size).isEqualTo(expected);
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void page_nulls_comeFirstUpwardsAndLastDownwards(TestStore store) {
    try (Database database = store.open(directory)) {
      createSamples(database, store);
      insert(database, new Sample(1, "b", null, null, null, null));
      insert(database, new Sample(2, null, null, null, null, null));
      insert(database, new Sample(3, "a", null, null, null, null));
      ListingStore listing = samples(database);
      assertThat(walk(listing, Sort.by(Sort.Order.asc("label")), 10, 3))
          .containsExactly(2L, 3L, 1L);
      assertThat(walk(listing, Sort.by(Sort.Order.desc("label")), 10, 3))
          .containsExactly(1L, 3L, 2L);
    }
  }

  @ParameterizedTest
  @EnumSource
  void page_text_isOrderedByCodePoints(TestStore store) {
    List<String> ordered = List.of("", "A", "B", "Z", "a", "b", "ä", "\uFFFD", "😀");
    try (Database database = store.open(directory)) {
      createSamples(database, store);
      List<Integer> ids = new ArrayList<>(List.of(0, 1, 2, 3, 4, 5, 6, 7, 8));
      Collections.shuffle(ids, new Random(3));
      ids.forEach(id -> insert(database, new Sample(id, ordered.get(id), null, null, null, null)));
      assertThat(walk(samples(database), Sort.by(Sort.Order.asc("label")), 4, 9))
          .containsExactly(0L, 1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L);
    }
  }

  @ParameterizedTest
  @EnumSource
  void page_pastTheEnd_isEmptyWithTheTotal(TestStore store) {
    try (Database database = store.open(directory)) {
      fill(database, store, 5);
      String[] json = new String[1];
      ListingStore.WrittenPage written =
          page(samples(database), PageRequest.ofOffset(PageRequest.MAXIMUM_OFFSET, 20), json);
      assertThat(written)
          .isEqualTo(new ListingStore.WrittenPage(0, OptionalLong.of(5), false, Optional.empty()));
      assertThat(json[0]).isEqualTo("[]");
    }
  }

  @ParameterizedTest
  @EnumSource
  void find_everyType_isWrittenAsItsJson(TestStore store) {
    try (Database database = store.open(directory)) {
      createSamples(database, store);
      UUID link = UUID.fromString("1f0e8c9a-3b5d-4c7e-9f21-6a8b0c2d4e6f");
      Instant time = Instant.parse("2026-11-20T18:35:30Z");
      insert(database, new Sample(-1, "\"ü\n", new BigDecimal("12.5"), true, time, link));
      insert(database, new Sample(2, null, null, null, null, null));
      ListingStore listing = samples(database);
      assertThat(find(listing, -1L))
          .isEqualTo(
              """
              {"id":-1,"label":"\\"ü\\n","amount":12.5,"active":true,\
              "happened":"2026-11-20T18:35:30.000Z","link":"1f0e8c9a-3b5d-4c7e-9f21-6a8b0c2d4e6f"}""");
      assertThat(find(listing, 2L))
          .isEqualTo(
              """
              {"id":2,"label":null,"amount":null,"active":null,"happened":null,"link":null}""");
      assertThat(find(listing, 3L)).isEmpty();
    }
  }

  @Test
  void find_timestampOfAnotherForm_isWrittenAsRfc3339() {
    try (Database database = TestStore.SQLITE.open(directory)) {
      createSamples(database, TestStore.SQLITE);
      database.write(
          sql ->
              sql.sql("INSERT INTO samples (id, happened) VALUES (1, '2026-11-20 18:35:30')")
                  .update());
      assertThat(find(samples(database), 1L)).contains("\"happened\":\"2026-11-20T18:35:30.000Z\"");
    }
  }

  @ParameterizedTest
  @EnumSource
  void insert_wallet_returnsTheRowAndItsKey(TestStore store) {
    try (Database database = store.open(directory)) {
      Listing wallets =
          Definitions.check(List.of(Definitions.wallets()), database).all().getFirst();
      ListingStore listing = new ListingStore(wallets, database, new Totals());
      UUID id = UUID.randomUUID();
      Map<Field, Object> values = new LinkedHashMap<>();
      values.put(wallets.field("id"), id);
      values.put(wallets.field("name"), "Till");
      values.put(wallets.field("currencyCode"), "EUR");
      values.put(wallets.field("status"), "ACTIVE");
      values.put(wallets.field("createdAt"), Instant.parse("2026-11-20T18:35:30.123Z"));
      String[] key = new String[1];
      String json =
          database.write(
              sql ->
                  JsonAnswer.text(
                      out ->
                          key[0] =
                              listing.insert(Calls.scope(listing.listing()), sql, values, out)));
      assertThat(key[0]).isEqualTo(id.toString());
      assertThat(json)
          .isEqualTo(
              String.format(
                  Locale.ROOT,
                  """
                  {"id":"%s","name":"Till","currencyCode":"EUR","status":"ACTIVE",\
                  "createdAt":"2026-11-20T18:35:30.123Z"}""",
                  id));
      assertThat(find(listing, id)).isEqualTo(json);
    }
  }

  @ParameterizedTest
  @EnumSource
  void fill_emptyTable_isTheSameEverywhereAndHappensOnce(TestStore store) {
    try (Database database = store.open(directory)) {
      assertThat(new WalletSeed(database).fill(250)).isEqualTo(250);
      assertThat(new WalletSeed(database).fill(250)).isZero();
      ListingStore wallets =
          new ListingStore(
              Definitions.check(List.of(Definitions.wallets()), database).all().getFirst(),
              database,
              new Totals());
      String[] json = new String[1];
      PageRequest first = PageRequest.ofPage(0, 1).withSort(Sort.by(Sort.Order.asc("createdAt")));
      assertThat(page(wallets, first, json).total()).hasValue(250);
      // In a run with -Dtest.locale=ar-EG, the digits of a name are still these.
      assertThat(json[0]).contains(" 001\",\"currencyCode\":\"EUR\"").contains("2026-01-05T08:");
      int currencies =
          database.read(
              sql ->
                  sql.sql("SELECT count(DISTINCT currency_code) FROM wallets")
                      .query(Integer.class)
                      .single());
      assertThat(currencies).isEqualTo(6);
    }
  }

  private static List<Sort> sorts(Random random) {
    List<Sort> sorts = new ArrayList<>(List.of(Sort.unsorted()));
    for (String field : SORTABLE) {
      sorts.add(Sort.by(Sort.Order.asc(field)));
      sorts.add(Sort.by(Sort.Order.desc(field)));
    }
    for (int i = 0; i < 10; i++) {
      List<String> fields = new ArrayList<>(SORTABLE);
      Collections.shuffle(fields, random);
      sorts.add(
          new Sort(
              fields.subList(0, 3).stream()
                  .map(f -> random.nextBoolean() ? Sort.Order.asc(f) : Sort.Order.desc(f))
                  .toList()));
    }
    return sorts;
  }

  private static Comparator<Sample> reference(Sort sort) {
    Comparator<Sample> comparator = (a, b) -> 0;
    for (Sort.Order order : sort.orders()) {
      Comparator<Sample> one = by(sample -> sample.of(order.property()));
      comparator =
          comparator.thenComparing(order.direction() == Sort.Direction.ASC ? one : one.reversed());
    }
    boolean descending =
        !sort.orders().isEmpty() && sort.orders().getLast().direction() == Sort.Direction.DESC;
    Comparator<Sample> byKey = Comparator.comparing(Sample::id);
    return comparator.thenComparing(descending ? byKey.reversed() : byKey);
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  private static Comparator<Sample> by(Function<Sample, Comparable<?>> value) {
    Comparator<Comparable<?>> natural = (a, b) -> ((Comparable) a).compareTo(b);
    return Comparator.comparing(value, Comparator.nullsFirst(natural));
  }

  private static List<Long> walk(ListingStore listing, Sort sort, int size, int total) {
    List<Long> ids = new ArrayList<>();
    for (long number = 0; number * size < total; number++) {
      String[] json = new String[1];
      PageRequest request = PageRequest.ofPage(number, size).withSort(sort);
      ListingStore.WrittenPage written = page(listing, request, json);
      assertThat(written.total()).hasValue(total);
      for (String row : json[0].split("\\{\"id\":")) {
        if (!row.equals("[")) {
          ids.add(Long.valueOf(row.substring(0, row.indexOf(','))));
        }
      }
    }
    return ids;
  }

  private static ListingStore.WrittenPage page(
      ListingStore listing, PageRequest request, String[] written) {
    ListingStore.WrittenPage[] page = new ListingStore.WrittenPage[1];
    written[0] =
        JsonAnswer.text(
            json -> {
              json.writeStartArray();
              page[0] =
                  listing.page(
                      Calls.scope(listing.listing()),
                      listing.requestedPage(request, Filters.NONE),
                      () -> json);
              json.writeEndArray();
            });
    return page[0];
  }

  private static String find(ListingStore listing, Object key) {
    return JsonAnswer.text(json -> listing.find(Calls.scope(listing.listing()), key, () -> json));
  }

  private static ListingStore samples(Database database) {
    return new ListingStore(
        Definitions.check(List.of(Definitions.samples()), database).all().getFirst(),
        database,
        new Totals());
  }

  private static void createSamples(Database database, TestStore store) {
    String create = Definitions.samplesTable(store == TestStore.POSTGRESQL);
    database.write(sql -> sql.sql(create).update());
  }

  /** Rows with many equal values and many nulls. */
  private static List<Sample> fill(Database database, TestStore store, int count) {
    createSamples(database, store);
    Random random = new Random(11);
    List<Sample> samples = new ArrayList<>();
    for (int id = 1; id <= count; id++) {
      samples.add(
          new Sample(
              id,
              random.nextInt(4) == 0
                  ? null
                  : pick(random, "a", "B", "ä", "Z", "aa", "\uFFFD", "😀"),
              random.nextInt(4) == 0
                  ? null
                  : new BigDecimal(random.nextInt(9) - 4).scaleByPowerOfTen(-1),
              random.nextInt(3) == 0 ? null : random.nextBoolean(),
              random.nextInt(4) == 0
                  ? null
                  : Instant.ofEpochMilli(1700000000000L + random.nextInt(9) * 100),
              random.nextInt(4) == 0 ? null : new UUID(random.nextLong(), random.nextLong())));
    }
    Collections.shuffle(samples, random);
    samples.forEach(sample -> insert(database, sample));
    return samples;
  }

  private static String pick(Random random, String... values) {
    return values[random.nextInt(values.length)];
  }

  private static void insert(Database database, Sample sample) {
    database.write(
        sql ->
            sql.sql(
                    """
                    INSERT INTO samples (id, label, amount, active, happened, link)
                    VALUES (?, ?, ?, ?, ?, ?)
                    """)
                .param(sample.id())
                .param(sample.label())
                .param(TableDialect.of(database).bind(sample.amount()))
                .param(TableDialect.of(database).bind(sample.active()))
                .param(TableDialect.of(database).bind(sample.happened()))
                .param(TableDialect.of(database).bind(sample.link()))
                .update());
  }
}
