package dev.countersign.server.listings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.countersign.protocol.Reason;
import dev.countersign.server.RawRequest;
import dev.countersign.server.access.TestCaller;
import dev.countersign.server.access.outcome.Denial;
import dev.countersign.server.access.outcome.DeniedException;
import dev.countersign.server.listings.totals.Totals;
import dev.countersign.server.store.Database;
import dev.countersign.server.store.TestStore;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.mock.web.MockHttpServletResponse;

class ListingRoutesTest {
  private static final String READ = "ledger:wallets:read";
  private static final String CREATE = "ledger:wallets:create";
  private static final String WALLETS = "/ledger/v1/wallets";
  private static final UUID ID = UUID.fromString("1f0e8c9a-3b5d-4c7e-9f21-6a8b0c2d4e6f");
  private static final String TILL =
      """
      {"id":"1f0e8c9a-3b5d-4c7e-9f21-6a8b0c2d4e6f","name":"Till","currencyCode":"EUR",\
      "status":"ACTIVE","createdAt":"2026-11-20T18:35:30.123Z"}""";

  @TempDir Path directory;
  private Database database;

  @BeforeEach
  void openStore() {
    database = TestStore.SQLITE.open(directory);
  }

  @AfterEach
  void closeStore() {
    database.close();
  }

  @Test
  void get_collection_isAnEnvelopeWithLinks() throws Exception {
    create("Till");
    MockHttpServletResponse answer = answer("GET", WALLETS + "?size=1&sort=name");
    assertThat(answer.getStatus()).isEqualTo(200);
    assertThat(answer.getContentType()).isEqualTo("application/json");
    assertThat(answer.getContentAsString())
        .isEqualTo(
            String.format(
                Locale.ROOT,
                """
                {"content":[%s],"pageable":{"pageNumber":0,"pageSize":1,"sort":{"empty":false,\
                "sorted":true,"unsorted":false},"offset":0,"paged":true,"unpaged":false},\
                "last":true,"first":true,"totalPages":1,"totalElements":1,"size":1,"number":0,\
                "sort":{"empty":false,"sorted":true,"unsorted":false},"numberOfElements":1,\
                "empty":false}""",
                TILL));
    assertThat(answer.getContentLength()).isEqualTo(answer.getContentAsByteArray().length);
    assertThat(answer.getHeader("Link"))
        .startsWith("<https://api.example.com/ledger/v1/wallets?size=1&sort=name&page=0>; rel=\"f");
  }

  @Test
  void get_collectionWithoutPageable_leavesItOut() throws Exception {
    var settings =
        new ListingSettings(
            new PaginationProperties(PaginationProperties.Pageable.OMIT),
            Clock.systemUTC(),
            UUID::randomUUID,
            new Totals());
    String json =
        answer(routes(Definitions.wallets(), settings), call("GET", WALLETS)).getContentAsString();
    assertThat(json).startsWith("{\"content\":[],\"last\":true,").doesNotContain("pageable");
  }

  @Test
  void head_hasTheHeadersOfGetAndNoBody() throws Exception {
    create("Till");
    MockHttpServletResponse get = answer("GET", WALLETS);
    MockHttpServletResponse head = answer("HEAD", WALLETS);
    assertThat(head.getContentAsByteArray()).isEmpty();
    assertThat(head.getContentLength()).isEqualTo(get.getContentLength());
    assertThat(head.getHeader("Link")).isEqualTo(get.getHeader("Link"));
    assertThat(answer("HEAD", WALLETS + "/" + ID).getContentLength()).isEqualTo(TILL.length());
  }

  @Test
  void post_wallet_isCreatedWithItsLocation() throws Exception {
    MockHttpServletResponse answer = create("Till");
    assertThat(answer.getStatus()).isEqualTo(201);
    assertThat(answer.getHeader("Location"))
        .isEqualTo("https://api.example.com/ledger/v1/wallets/" + ID);
    assertThat(answer.getContentAsString()).isEqualTo(TILL);
    assertThat(answer("GET", WALLETS + "/" + ID).getContentAsString()).isEqualTo(TILL);
    assertThat(answer("GET", WALLETS + "/" + ID.toString().toUpperCase(Locale.ROOT)))
        .extracting(MockHttpServletResponse::getStatus)
        .isEqualTo(200);
  }

  @Test
  void post_brokenRuleOfTheTable_isRefusedAndKeepsNothing() throws Exception {
    create("Till");
    assertThat(denial(post(body("Other"))).detail())
        .isEqualTo("another record already has a value that must be unique");
    assertThat(denial(post(body(""))).detail())
        .isEqualTo("a value violates a rule of the collection");
    assertThat(answer("GET", WALLETS).getContentAsString()).contains("\"totalElements\":1,");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "application/json",
        "application/json; charset=utf-8",
        "APPLICATION/JSON;charset=\"UTF-8\""
      })
  void post_jsonInUtf8_isTaken(String type) throws Exception {
    assertThat(answer(routes(), postAs(type)).getStatus()).isEqualTo(201);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "text/plain",
        "application/json; charset=latin1",
        "application/json; charset=utf-16",
        "application/problem+json",
        "application/*",
        "json",
        "application/json; charset=nonsense"
      })
  void post_otherMediaType_isRefused(String type) {
    assertThat(denial(postAs(type)).reason()).isEqualTo(Reason.MEDIA_TYPE_UNSUPPORTED);
  }

  @Test
  void post_withoutContentTypeOrBody_isRefused() {
    TestCaller.Call post = post(body("Till"));
    RawRequest bare = post.request().unsigned().without("Content-Type");
    TestCaller.Call request = new TestCaller.Call(post.caller(), post.request().unsigned(bare));
    assertThat(denial(request).reason()).isEqualTo(Reason.MEDIA_TYPE_UNSUPPORTED);
    assertThat(denial(post("")).reason()).isEqualTo(Reason.BODY_INVALID);
  }

  @ParameterizedTest
  @CsvSource(
      textBlock =
          """
          GET,    /ledger/v1/wallets?size=500,        PARAMETER_INVALID
          GET,    /ledger/v1/wallets?pagesize=5,      PARAMETER_UNKNOWN
          GET,    /ledger/v1/wallets?sort=status,     PARAMETER_INVALID
          GET,    /ledger/v1/wallets/x?a=1,           PARAMETER_UNKNOWN
          POST,   /ledger/v1/wallets?a=1,             PARAMETER_UNKNOWN
          GET,    /ledger/v1/wallets/x,               NOT_FOUND
          GET,    /ledger/v1/wallets/1f0e8c9a-3b5d-4c7e-9f21-6a8b0c2d4e60, NOT_FOUND
          PUT,    /ledger/v1/wallets,                 METHOD_NOT_ALLOWED
          DELETE, /ledger/v1/wallets/x,               METHOD_NOT_ALLOWED
          POST,   /ledger/v1/wallets/x,               METHOD_NOT_ALLOWED
          """)
  void request_thatNothingAnswers_isDenied(String method, String target, Reason reason) {
    assertThat(denial(call(method, target)).reason()).isEqualTo(reason);
  }

  @ParameterizedTest
  @CsvSource({"?a=1, a", "?&&b&c=1, b", "?&, the query", "?=x, the query"})
  void query_ofAnOperationWithoutParameters_saysWhatToRemove(String query, String removed) {
    Denial denial = denial(call("GET", "/ledger/v1/wallets/x" + query));
    assertThat(denial.reason()).isEqualTo(Reason.PARAMETER_UNKNOWN);
    assertThat(denial.detail())
        .isEqualTo("this operation has no query parameters; remove " + removed);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/ledger/v1/wallets/",
        "/ledger/v1/wallets/a/b",
        "/ledger/v1/wallets;a=1",
        "/ledger/v1/w%61llets",
        "//ledger/v1/wallets",
        "/Ledger/v1/wallets",
        "/",
        "/nothing"
      })
  void find_anotherPath_isNothing(String path) {
    assertThat(routes().find("GET", path)).isEmpty();
    assertThat(routes().find("PATCH", path)).isEmpty();
  }

  @Test
  void methodNotAllowed_namesThoseThatAre() {
    assertThat(denial(call("PUT", WALLETS)).headers()).containsEntry("Allow", "GET, HEAD, POST");
    assertThat(denial(call("PUT", WALLETS + "/x")).headers()).containsEntry("Allow", "GET, HEAD");
    ListingProperties w = Definitions.wallets();
    var readOnly = w.toBuilder().create(false).build();
    assertThat(denial(routes(readOnly, settings()), call("POST", WALLETS)).headers())
        .containsEntry("Allow", "GET, HEAD");
  }

  @Test
  void request_withoutThePermission_isDeniedBeforeAnythingElse() {
    assertThat(denial(Calls.signed("GET", WALLETS + "?size=x", "", CREATE)).reason())
        .isEqualTo(Reason.ROLE_MISSING);
    assertThat(denial(Calls.signed("POST", WALLETS, "junk", READ)).reason())
        .isEqualTo(Reason.ROLE_MISSING);
  }

  @Test
  void lifecycle_isOnEveryAnswer() throws Exception {
    ListingProperties w = Definitions.wallets();
    var leaving =
        w.toBuilder()
            .deprecated(Instant.parse("2026-12-01T00:00:00Z"))
            .sunset(Instant.parse("2027-06-01T00:00:00Z"))
            .build();
    ListingRoutes routes = routes(leaving, settings());
    assertThat(answer(routes, post(body("Till"))).getHeader("Deprecation"))
        .isEqualTo("@1796083200");
    assertThat(answer(routes, call("GET", WALLETS)).getHeader("Sunset"))
        .isEqualTo("Tue, 01 Jun 2027 00:00:00 GMT");
    for (TestCaller.Call refused :
        List.of(
            call("GET", WALLETS + "/x"),
            call("GET", WALLETS + "?size=0"),
            call("PUT", WALLETS),
            Calls.signed("GET", WALLETS, "", CREATE))) {
      MockHttpServletResponse response = refused.answerOrRefusal(routes);
      assertThat(response.getStatus()).isGreaterThanOrEqualTo(400);
      assertThat(response.getHeader("Deprecation")).isEqualTo("@1796083200");
      assertThat(response.getHeader("Sunset")).isEqualTo("Tue, 01 Jun 2027 00:00:00 GMT");
    }
  }

  @Test
  void table_gone_isAProblemOfItsOwn() {
    ListingRoutes routes = routes();
    database.write(sql -> sql.sql("DROP TABLE wallets").update());
    Denial denial = denial(routes, call("GET", WALLETS));
    assertThat(denial.reason()).isEqualTo(Reason.COLLECTION_UNAVAILABLE);
    assertThat(denial.detail()).doesNotContain("SELECT").doesNotContain("wallets");
    assertThat(denial.headers()).doesNotContainKey("Retry-After");
  }

  @Test
  void row_thatBreaksTheListing_isAProblemInsteadOfHalfAPage() {
    create("Till");
    database.write(sql -> sql.sql("PRAGMA ignore_check_constraints = ON").update());
    database.write(sql -> sql.sql("UPDATE wallets SET created_at = 'soon'").update());
    assertThat(denial(call("GET", WALLETS)).reason()).isEqualTo(Reason.INTERNAL_ERROR);
  }

  private MockHttpServletResponse create(String name) {
    return answer(routes(), post(body(name)));
  }

  private static String body(String name) {
    return "{\"name\":\"" + name + "\",\"currencyCode\":\"EUR\"}";
  }

  private static TestCaller.Call postAs(String type) {
    TestCaller.Call post = post(body("Till"));
    RawRequest typed = post.request().unsigned().with("Content-Type", type);
    return new TestCaller.Call(post.caller(), post.request().unsigned(typed));
  }

  private static TestCaller.Call post(String body) {
    return Calls.signed("POST", WALLETS, body, READ, CREATE);
  }

  private static TestCaller.Call call(String method, String target) {
    return Calls.signed(method, target, "", READ, CREATE);
  }

  private MockHttpServletResponse answer(String method, String target) {
    return answer(routes(), call(method, target));
  }

  private static MockHttpServletResponse answer(ListingRoutes routes, TestCaller.Call request) {
    return request.answer(routes);
  }

  private Denial denial(TestCaller.Call request) {
    return denial(routes(), request);
  }

  private static Denial denial(ListingRoutes routes, TestCaller.Call request) {
    DeniedException denied =
        catchThrowableOfType(DeniedException.class, () -> answer(routes, request));
    assertThat(denied).isNotNull();
    return denied.denial();
  }

  private ListingRoutes routes() {
    return routes(Definitions.wallets(), settings());
  }

  private ListingRoutes routes(ListingProperties definition, ListingSettings settings) {
    ListingCatalog listings = Definitions.check(List.of(definition), database);
    return new ListingRoutes(listings, database, Calls.replayGuard(database), settings);
  }

  private static ListingSettings settings() {
    return new ListingSettings(
        new PaginationProperties(PaginationProperties.Pageable.SEND),
        Clock.fixed(Instant.parse("2026-11-20T18:35:30.123456Z"), ZoneOffset.UTC),
        () -> ID,
        new Totals());
  }
}
