package dev.countersign.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import java.math.BigDecimal;
import java.net.URLDecoder;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Collections;
import java.util.Date;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

class FieldFilterTest {
  private static final Instant START = Instant.parse("2026-11-20T00:00:00Z");
  private static final Instant END = Instant.parse("2026-11-21T12:30:00.250Z");
  private static final String PAGE = "&size=100&offset=0";

  static final List<Arguments> VALUES =
      List.of(
          Arguments.of("ACTIVE", "ACTIVE"),
          Arguments.of("", ""),
          Arguments.of(7, "7"),
          Arguments.of(Long.MIN_VALUE, "-9223372036854775808"),
          Arguments.of(true, "true"),
          Arguments.of(
              UUID.fromString("1F0E8C9A-3b5d-4c7e-9f21-6a8b0c2d4e6f"),
              "1f0e8c9a-3b5d-4c7e-9f21-6a8b0c2d4e6f"),
          Arguments.of(START, "2026-11-20T00:00:00Z"),
          Arguments.of(END, "2026-11-21T12:30:00.250Z"),
          Arguments.of(Instant.parse("0001-01-01T00:00:00Z"), "0001-01-01T00:00:00Z"),
          Arguments.of(Instant.parse("9999-12-31T23:59:59.999Z"), "9999-12-31T23:59:59.999Z"),
          Arguments.of(LocalDate.of(33, 4, 3), "0033-04-03"),
          Arguments.of(new BigDecimal("-12345678901234567.89"), "-12345678901234567.89"),
          Arguments.of(new BigDecimal("1.10"), "1.1"),
          Arguments.of(new BigDecimal("1E+3"), "1000"),
          Arguments.of(new BigDecimal("1E-7"), "0.0000001"),
          Arguments.of(new BigDecimal("0E+2000000000"), "0"),
          Arguments.of(Instant.parse("2026-01-05T10:00:55.120345Z"), "2026-01-05T10:00:55.120345Z"),
          Arguments.of(new BigDecimal("9.99E+1000"), "999" + "0".repeat(998)));

  static final List<Arguments> WRONG_VALUES =
      List.of(
          Arguments.of(
              Instant.parse("2026-11-20T00:00:00.000000001Z"),
              "f: 2026-11-20T00:00:00.000000001Z: the service reads whole microseconds only;"
                  + " use truncatedTo(ChronoUnit.MICROS)"),
          Arguments.of(
              Instant.parse("9999-12-31T23:59:59.999Z").plusMillis(1),
              "f: +10000-01-01T00:00:00Z: the year must be 0 to 9999"),
          Arguments.of(Instant.MIN, "f: " + Instant.MIN + ": the year must be 0 to 9999"),
          Arguments.of(Instant.MAX, "f: " + Instant.MAX + ": the year must be 0 to 9999"),
          Arguments.of(LocalDate.MAX, "f: " + LocalDate.MAX + ": the year must be 1 to 9999"),
          Arguments.of(LocalDate.of(0, 12, 31), "f: 0000-12-31: the year must be 1 to 9999"),
          Arguments.of(
              new BigDecimal("1E+1001"),
              "f: 1E+1001: it must have at most 1,000 digits and an exponent of -1000 to 1000"),
          Arguments.of(
              new BigDecimal("1E-2147483647"),
              "f: 1E-2147483647: it must have at most 1,000 digits and an exponent of -1000 to"
                  + " 1000"),
          Arguments.of("\ud800", "\"?\" contains a lone surrogate, which UTF-8 cannot express"),
          Arguments.of(
              new Date(0),
              "a value of f must be a String, Integer, Long, BigDecimal, Boolean, UUID, Instant or"
                  + " LocalDate, was a java.util.Date"));

  private SignedServer server;

  @BeforeEach
  void start() throws Exception {
    server = SignedServer.replying(FieldFilterTest::reply);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  /** Serves those of the rows 1 to 45 that the filters on {@code id} leave. */
  private static Reply reply(ServedRequest request) {
    int least = request.query().contains("id.gte=") ? TestRows.parameter(request, "id.gte") : 1;
    int end = request.query().contains("id.lt=") ? TestRows.parameter(request, "id.lt") : 46;
    return TestRows.of(TestRows.ids(least, end - 1)).reply(request);
  }

  private PageWalk<JsonNode> list(String target) {
    return new RecordedWaits().client(server.uri()).build().list(target);
  }

  private FieldFilter<JsonNode> field() {
    return list("/rows").where("f");
  }

  private String query(PageWalk<JsonNode> walk) {
    assertThat(walk.stream()).isNotEmpty();
    return server.requests().get(server.requests().size() - 1).query();
  }

  @Test
  void filters_ofSeveralFields_areSentInOrder() {
    assertThat(
            query(
                list("/rows")
                    .where("status")
                    .in("ACTIVE", "FROZEN")
                    .where("bookedAt")
                    .from(START)
                    .before(END)
                    .where("currencyCode")
                    .is("EUR")))
        .isEqualTo(
            "status=ACTIVE&status=FROZEN&bookedAt.gte=2026-11-20T00%3A00%3A00Z"
                + "&bookedAt.lt=2026-11-21T12%3A30%3A00.250Z&currencyCode=EUR"
                + PAGE);
  }

  @Test
  void bounds_haveTheSuffixesOfTheInterface() {
    assertThat(query(field().from(1).upTo(2))).isEqualTo("f.gte=1&f.lte=2" + PAGE);
    assertThat(query(field().after(1).before(2))).isEqualTo("f.gt=1&f.lt=2" + PAGE);
    assertThat(query(field().upTo(2).where("f").from(1))).isEqualTo("f.lte=2&f.gte=1" + PAGE);
    assertThat(query(field().before(2))).isEqualTo("f.lt=2" + PAGE);
  }

  @Test
  void filters_onEveryPage_areKeptWithTheSortAndTheQuery() {
    List<ListPage<JsonNode>> pages =
        list("/rows?status=A%2fB&sort=id")
            .where("id")
            .from(5)
            .withSize(10)
            .where("id")
            .before(30)
            .withFetchAhead()
            .pageStream()
            .toList();

    String filters = "status=A%2fB&id.gte=5&id.lt=30&sort=id&size=10&offset=";
    assertThat(server.requests())
        .extracting(ServedRequest::query)
        .containsExactly(filters + 0, filters + 10, filters + 20);
    assertThat(pages).hasSize(3).allMatch(page -> page.totalElements().equals(OptionalLong.of(25)));
  }

  @Test
  void filters_resumedWalk_countsOffsetsInTheFilteredList() {
    PageWalk<JsonNode> walk = list("/rows").where("id").from(5).before(30).withSize(10);
    long resumeAt = walk.withLimit(13).pageStream().toList().get(1).nextOffset();

    assertThat(walk.fromOffset(resumeAt).stream().map(row -> row.path("id").asInt()))
        .isEqualTo(TestRows.ids(18, 29));
  }

  @ParameterizedTest
  @FieldSource("VALUES")
  void value_ofEachType_isSentAsTheInterfaceReadsIt(Object value, String sent) {
    String query = query(field().is(value));

    assertThat(URLDecoder.decode(query, UTF_8)).isEqualTo("f=" + sent + PAGE);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"a b", "a+b", "a,b", "a&b=c#d?e", "100%25", "';--", "%_*", "\0", "é \ud83d\ude00"})
  void text_withAnyCharacters_arrivesUnchanged(String text) {
    String query = query(field().in(text, "x"));

    assertThat(query).matches("[A-Za-z0-9%&=*._-]*");
    String first = query.substring("f=".length(), query.indexOf('&'));
    assertThat(URLDecoder.decode(first, UTF_8)).isEqualTo(text);
  }

  @Test
  void field_withAnyCharacters_isEncoded() {
    assertThat(query(list("/rows").where("a b+c").from(1))).isEqualTo("a%20b%2Bc.gte=1" + PAGE);
  }

  @Test
  void in_collectionOrArray_isTheSameAndLeavesOutRepeatedValues() {
    String[] array = {"A", "B", "A"};

    assertThat(query(field().in((Object[]) array))).isEqualTo("f=A&f=B" + PAGE);
    assertThat(query(field().in(List.of("A", "B")))).isEqualTo("f=A&f=B" + PAGE);
    assertThat(query(field().in(new BigDecimal("1.0"), 1))).isEqualTo("f=1" + PAGE);
  }

  @Test
  void in_noneOrMoreThan50_isRefused() {
    List<Integer> numbers = IntStream.rangeClosed(1, 51).boxed().toList();

    assertThat(query(field().in(numbers.subList(0, 50)))).contains("&f=50&");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> field().in(numbers))
        .withMessage("f must have 1 to 50 values, has 51");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> field().in())
        .withMessage("f must have 1 to 50 values, has 0");
    assertThatIllegalArgumentException().isThrownBy(() -> field().in(Set.of()));
  }

  @Test
  void filter_setTwice_isRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> field().from(1).where("f").from(2))
        .withMessage(
            "f.gte is given twice; give each bound once, and all values of a field together");
    assertThatIllegalArgumentException().isThrownBy(() -> field().is("A").where("f").in("B"));
    assertThat(query(field().is(1).where("f").from(1).where("ff").is(1)))
        .isEqualTo("f=1&f.gte=1&ff=1" + PAGE);
  }

  /** The service would find the records with either value. */
  @ParameterizedTest
  @ValueSource(strings = {"/rows?f=A", "/rows?x=1&f=A,B", "/rows?%66=A", "/rows?f"})
  void filter_alsoInTheTarget_isRefused(String target) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> list(target).where("f").is("B"))
        .withMessage("f is given twice; give each bound once, and all values of a field together");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> list("/rows?f.gte=1").where("f").from(2))
        .withMessageStartingWith("f.gte is given twice; ");
  }

  @Test
  void filter_ofTheTarget_isKeptBesideOthers() {
    assertThat(query(list("/rows?f.gte=1&ff=2").where("f").is(3).where("f").before(4)))
        .isEqualTo("f.gte=1&ff=2&f=3&f.lt=4" + PAGE);
  }

  @Test
  void walk_thatIsFiltered_staysAsItWas() {
    PageWalk<JsonNode> all = list("/rows");
    RangeWalk<JsonNode> open = all.where("id").from(40);
    PageWalk<JsonNode> range = open.before(42);

    assertThat(range.stream()).hasSize(2);
    assertThat(open.stream()).hasSize(6);
    assertThat(all.stream()).hasSize(45);
  }

  @ParameterizedTest
  @FieldSource("WRONG_VALUES")
  void value_thatCannotBeSent_isRefused(Object value, String message) {
    assertThatIllegalArgumentException().isThrownBy(() -> field().is(value)).withMessage(message);
    assertThatIllegalArgumentException().isThrownBy(() -> field().from(value));
    assertThatIllegalArgumentException().isThrownBy(() -> field().in(List.of("A", value)));
  }

  @Test
  void value_null_isRefused() {
    List<String> none = Collections.singletonList(null);

    assertThatNullPointerException().isThrownBy(() -> field().in(none));
    assertThatNullPointerException().isThrownBy(() -> field().is(null));
    assertThatNullPointerException().isThrownBy(() -> field().from(null));
  }

  @Test
  void range_ofATypeWithoutOrder_isRefused() {
    UUID id = new UUID(1, 2);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> field().from(true))
        .withMessage("f: true: a Boolean has no range; use is or in");
    Stream.<Runnable>of(
            () -> field().after(id),
            () -> field().upTo(id),
            () -> field().before(id),
            () -> field().from(1).before(id))
        .forEach(range -> assertThatIllegalArgumentException().isThrownBy(range::run));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'' | a field must have a name",
        "f.gte | \"f.gte\" is not a field, because it contains a dot",
        "page | page is a parameter for paging, not a field; use withSize, withSort",
        "size | size is a parameter for paging",
        "sort | sort is a parameter for paging",
        "offset | offset is a parameter for paging",
        "after | after is a parameter for paging",
        "totals | totals is a parameter for paging",
      })
  void where_wrongName_isRefused(String name, String message) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> list("/rows").where(name))
        .withMessageStartingWith(message);
  }
}
