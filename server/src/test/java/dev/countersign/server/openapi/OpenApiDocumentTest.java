package dev.countersign.server.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.protocol.Reason;
import dev.countersign.server.RawRequest;
import dev.countersign.server.RawResponse;
import dev.countersign.server.TestClient;
import dev.countersign.server.TestService;
import dev.countersign.server.store.Database;
import dev.countersign.server.store.StoreSettings;
import dev.countersign.signatures.keys.RsaPublicKeys;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.yaml.snakeyaml.Yaml;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The document matches the service: its responses are validated against it. */
class OpenApiDocumentTest {
  private static final String WALLETS = "/ledger/v1/wallets";
  private static final String THINGS = "/stock/v1.2/things";
  private static final String OWNED = "/stock/v1/owned";
  private static final String KEYS = "/integrations/v1/keys";
  private static final String SAVINGS = "{\"name\":\"Savings\",\"currencyCode\":\"EUR\"}";

  private static final String[] SETTINGS = {
    "countersign.roles.all=ledger:wallets:read,ledger:wallets:create,stock:things:read,"
        + "stock:things:create,stock:owned:read,integrations:keys:create",
    "countersign.roles.viewer=ledger:wallets:read",
    "countersign.access.body-limit=2KB",
    "countersign.listings[0].path=" + WALLETS,
    "countersign.listings[0].table=wallets",
    "countersign.listings[0].key=id",
    "countersign.listings[0].create=true",
    "countersign.listings[0].sortable=name,createdAt",
    "countersign.listings[0].fields.id.type=uuid",
    "countersign.listings[0].fields.id.generated=true",
    "countersign.listings[0].fields.name.type=text",
    "countersign.listings[0].fields.name.max=120",
    "countersign.listings[0].fields.currencyCode.type=text",
    "countersign.listings[0].fields.currencyCode.column=currency_code",
    "countersign.listings[0].fields.currencyCode.pattern=[A-Z0-9]{3,12}",
    "countersign.listings[0].fields.status.type=text",
    "countersign.listings[0].fields.status.one-of=ACTIVE,FROZEN,CLOSED",
    "countersign.listings[0].fields.status.default=ACTIVE",
    "countersign.listings[0].fields.createdAt.type=timestamp",
    "countersign.listings[0].fields.createdAt.column=created_at",
    "countersign.listings[0].fields.createdAt.generated=true",
    "countersign.listings[1].path=" + THINGS,
    "countersign.listings[1].table=things",
    "countersign.listings[1].key=id",
    "countersign.listings[1].create=true",
    "countersign.listings[1].deprecated=2026-01-01T00:00:00Z",
    "countersign.listings[1].sunset=2099-01-01T00:00:00Z",
    "countersign.listings[1].fields.id.type=integer",
    "countersign.listings[1].fields.code.type=text",
    "countersign.listings[1].fields.code.pattern=(?i)[a-z]+",
    "countersign.listings[1].fields.note.type=text",
    "countersign.listings[1].fields.note.one-of=old,new,0o17",
    "countersign.listings[1].fields.price.type=decimal",
    "countersign.listings[1].fields.price.default=0",
    "countersign.listings[1].fields.fresh.type=boolean",
    "countersign.listings[1].fields.seen.type=timestamp",
    "countersign.listings[1].fields.link.type=uuid",
    "countersign.listings[1].fields.extra.type=json",
    "countersign.listings[1].fields.extra.default=1e23",
    "countersign.listings[1].filterable=note,price,link",
    "countersign.attributes.branch.type=integer",
    "countersign.listings[2].path=" + OWNED,
    "countersign.listings[2].table=owned",
    "countersign.listings[2].key=id",
    "countersign.listings[2].create=true",
    "countersign.listings[2].fields.id.type=integer",
    "countersign.listings[2].fields.branch.type=integer",
    "countersign.listings[2].scope.branch=branch",
  };

  private static TestService service;
  private static TestClient client;
  private static TestClient viewer;
  private static String yaml;
  private static Map<String, Object> document;

  @BeforeAll
  static void start(@TempDir Path data) {
    try (Database database = Database.open(StoreSettings.embedded(data))) {
      database.write(
          sql ->
              sql.sql(
                      "CREATE TABLE things (id INTEGER NOT NULL PRIMARY KEY, code TEXT NOT NULL,"
                          + " note TEXT, price NUMERIC NOT NULL, fresh BOOLEAN, seen TEXT,"
                          + " link TEXT, extra TEXT)")
                  .update());
      database.write(
          sql ->
              sql.sql(
                      "CREATE TABLE owned (id INTEGER NOT NULL PRIMARY KEY, branch INTEGER NOT NULL)")
                  .update());
    }
    service = TestService.start(data, 3, SETTINGS);
    client = service.register("all", "127.0.0.1", "::1");
    viewer = service.register("viewer", "127.0.0.1", "::1");
    yaml =
        RawRequest.send(service.port(), "GET /openapi.yaml HTTP/1.1\r\nHost: localhost\r\n\r\n")
            .body();
    document = new Yaml().load(yaml);
  }

  @AfterAll
  static void stop() {
    service.close();
  }

  @Test
  void document_isOpenApi31WithEveryListing() {
    assertThat(document.get("openapi")).isEqualTo("3.1.0");
    assertThat(at("paths"))
        .containsOnlyKeys(
            WALLETS, WALLETS + "/{id}", THINGS, THINGS + "/{id}", OWNED, OWNED + "/{id}", KEYS);
    assertThat(at("paths", WALLETS)).containsOnlyKeys("get", "post");
    assertThat(document.get("servers").toString()).contains("url=/");
    assertThat(yaml).doesNotContain("&id0", "*id0");
  }

  @Test
  void references_allLeadSomewhere() {
    List<String> references = new ArrayList<>();
    collect(document, "$ref", references);

    assertThat(references).hasSizeGreaterThan(50);
    references.forEach(
        reference -> assertThat(SchemaCheck.resolve(document, reference)).isNotNull());
  }

  @Test
  void operationIds_areUnique() {
    List<String> ids = new ArrayList<>();
    collect(document, "operationId", ids);

    assertThat(ids)
        .doesNotHaveDuplicates()
        .contains("list.ledger.v1.wallets", "create.stock.v1.2.things", "rotateKey");
  }

  @Test
  void reasons_areAllOfTheCode() {
    assertThat(at("components", "schemas", "Problem", "properties", "reason").get("enum"))
        .isEqualTo(Arrays.stream(Reason.values()).map(Reason::word).toList());
  }

  @Test
  void pageParameters_areThoseOfTheListing() {
    List<Map<String, Object>> parameters = parameters(WALLETS, "get");

    assertThat(parameters.stream().map(p -> p.get("name")))
        .containsExactly(
            "page",
            "size",
            "sort",
            "offset",
            "after",
            "totals",
            "Date",
            "Signature-Input",
            "Signature");
    assertThat(parameters.get(1).get("schema").toString())
        .contains("minimum=1", "maximum=100", "default=20");
    assertThat(parameters.get(2).get("schema").toString())
        .contains("[createdAt, createdAt,asc, createdAt,desc, name, name,asc, name,desc]");
    assertThat(parameters(THINGS, "get").stream().map(p -> p.get("name")))
        .as("a listing without sortable fields")
        .doesNotContain("sort");
    assertThat(parameters(WALLETS, "post").stream().map(p -> p.get("name")))
        .containsExactly(
            "Content-Digest", "Date", "Signature-Input", "Signature", "Idempotency-Key");
  }

  @Test
  void largestPageAndOffset_areAccepted() {
    for (String name : List.of("page", "offset")) {
      Map<String, Object> parameter =
          parameters(WALLETS, "get").stream()
              .filter(p -> p.get("name").equals(name))
              .findFirst()
              .orElseThrow();
      Object maximum = ((Map<?, ?>) parameter.get("schema")).get("maximum");
      RawResponse answer = client.get(WALLETS + "?size=100&" + name + "=" + maximum).send();
      assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    }
  }

  @Test
  void errors_areDescribedWithTheirLimit() {
    assertThat(at("components", "schemas", "Problem", "properties", "errors"))
        .containsEntry("description", "Only with body_invalid: up to 50 problems of the body.");
  }

  @Test
  void filters_areParameters() {
    List<Map<String, Object>> parameters = parameters(THINGS, "get");

    assertThat(parameters.stream().map(p -> p.get("name")))
        .containsSubsequence(
            "offset",
            "note",
            "note.gte",
            "note.gt",
            "note.lte",
            "note.lt",
            "price",
            "price.gte",
            "price.gt",
            "price.lte",
            "price.lt",
            "link",
            "Date");
    Map<String, Object> note =
        parameters.stream().filter(p -> p.get("name").equals("note")).findFirst().orElseThrow();
    assertThat(note.get("schema").toString())
        .contains("type=array", "maxItems=50", "[old, new, 0o17]");
    assertThat(note.get("description").toString()).contains("Separate several values by commas");
  }

  @Test
  void scope_isDescribedWithoutItsValues() {
    for (String method : List.of("get", "post")) {
      assertThat(at("paths", OWNED, method).get("description").toString())
          .contains("Each client has access only to its own records: those whose branch has");
    }
    assertThat(at("components", "schemas", "stock.v1.owned.New").get("required").toString())
        .as("the service fills in the branch")
        .doesNotContain("branch");
  }

  @Test
  void createBodies_haveTheRulesOfTheFields() {
    Map<String, Object> wallet = at("components", "schemas", "ledger.v1.wallets.New");
    assertThat(wallet.get("required").toString())
        .contains("name", "currencyCode")
        .doesNotContain("status");
    assertThat(wallet.get("properties").toString())
        .contains(
            "maxLength=120",
            "^(?:[A-Z0-9]{3,12})$",
            "enum=[ACTIVE, FROZEN, CLOSED]",
            "default=ACTIVE")
        .doesNotContain("createdAt");

    Map<String, Object> thing = at("components", "schemas", "stock.v1.2.things.New", "properties");
    assertThat(thing.get("code").toString())
        .as("an expression that only RE2 interprets in this way")
        .contains("description=The whole text must match the RE2 expression (?i)[a-z]+.")
        .doesNotContain("pattern=");
    assertThat(thing.get("note").toString()).contains("[string, null]", "[old, new, 0o17, null]");
    assertThat(thing.get("price")).isEqualTo(Map.of("type", "number", "default", 0));
  }

  @Test
  void values_areReadAlikeByYaml11And12() {
    assertThat(yaml)
        .contains("- \"0o17\"\n", "default: 0\n", "default: 1" + "0".repeat(23) + "\n")
        .doesNotContain("!!");
  }

  @Test
  void deprecatedListing_saysSo() {
    assertThat(at("paths", THINGS, "get")).containsEntry("deprecated", true);
    assertThat(at("paths", THINGS, "get").get("description").toString())
        .contains("2026-01-01T00:00:00Z", "2099-01-01T00:00:00Z");
    assertThat(at("paths", THINGS, "get", "responses", "200", "headers"))
        .containsKeys("Deprecation", "Sunset");
    assertThat(at("paths", WALLETS, "get")).doesNotContainKey("deprecated");
  }

  // The responses of the service

  @Test
  void answers_ofTheWallets_areAsDescribed() {
    assertDescribed(WALLETS, "get", client.get(WALLETS + "?size=2&sort=name,desc").send(), 200);
    assertDescribed(WALLETS, "get", client.get(WALLETS + "?page=9").send(), 200);
    RawResponse created = client.post(WALLETS, SAVINGS).send();
    assertDescribed(WALLETS, "post", created, 201);
    String one = WALLETS + "/" + created.json().path("id").stringValue();
    assertDescribed(WALLETS + "/{id}", "get", client.get(one).send(), 200);
  }

  @Test
  void answers_withEveryType_areAsDescribed() {
    String full =
        "{\"id\":1,\"code\":\"a\",\"note\":\"new\",\"price\":2.50,\"fresh\":true,"
            + "\"seen\":\"2026-01-01T00:00:00Z\",\"link\":\"1f0e8c9a-3b5d-4c7e-9f21-6a8b0c2d4e6f\"}";
    String least = "{\"id\":2,\"code\":\"b\"}";

    assertDescribed(THINGS, "post", client.post(THINGS, full).send(), 201);
    assertDescribed(THINGS, "post", client.post(THINGS, least).send(), 201);
    assertDescribed(THINGS, "get", client.get(THINGS).send(), 200);
    assertDescribed(THINGS + "/{id}", "get", client.get(THINGS + "/2").send(), 200);
  }

  @Test
  void refusals_areAsDescribed() {
    assertDescribed(THINGS, "get", client.get(THINGS + "?price.gte=x").send(), 400);
    assertDescribed(OWNED, "get", client.get(OWNED).send(), 403);
    assertDescribed(WALLETS, "get", client.get(WALLETS + "?size=500").send(), 400);
    assertDescribed(
        WALLETS, "get", client.get(WALLETS).withTarget(WALLETS + "?page=1").send(), 401);
    assertDescribed(WALLETS, "get", client.get(WALLETS).without("Signature").send(), 401);
    assertDescribed(WALLETS, "post", viewer.post(WALLETS, SAVINGS).send(), 403);
    assertDescribed(WALLETS + "/{id}", "get", client.get(WALLETS + "/1").send(), 404);
    assertDescribed(
        WALLETS, "post", client.post(WALLETS, "{\"name\":\"" + "x".repeat(3_000)).send(), 413);
    RawRequest text = client.post(WALLETS, SAVINGS).with("Content-Type", "text/plain");
    assertDescribed(WALLETS, "post", text.send(), 415);
    assertDescribed(WALLETS, "post", client.post(WALLETS, "{}").send(), 422);
    assertDescribed(KEYS, "post", client.post(KEYS, "{}").send(), 422);
  }

  @Test
  void mismatch_ofAnIdempotencyKey_isAsDescribed() {
    client.signed("POST", WALLETS, SAVINGS).with("Idempotency-Key", "k").send();

    RawResponse answer =
        client.signed("POST", WALLETS, SAVINGS + " ").with("Idempotency-Key", "k").send();

    assertDescribed(WALLETS, "post", answer, 422);
  }

  @Test
  void refusals_ofAReadWithABody_areAsDescribed() {
    RawRequest large = client.signed("GET", WALLETS, "x".repeat(3_000)).request();
    assertDescribed(WALLETS, "get", large.send(), 413);
    assertDescribed(WALLETS + "/{id}", "get", largeOne().send(), 413);
    RawRequest packed = client.signed("GET", WALLETS, "{}").request();
    assertDescribed(WALLETS, "get", packed.with("Content-Encoding", "gzip").send(), 415);
  }

  @Test
  void refusal_ofAMethodThatIsNotDescribed_isAsDescribed() {
    RawResponse answer = client.signed("DELETE", WALLETS).send();

    assertThat(answer.status()).isEqualTo(405);
    assertDescribed(at("components", "responses", "Problem405"), answer);
  }

  @Test
  @Tag("full")
  void refusals_byTheLimitsOfAService_areAsDescribed(@TempDir Path data) {
    try (TestService limited =
        TestService.start(
            data, 0, "countersign.access.body-timeout=1s", "countersign.access.rate-limit=1")) {
      RawRequest whole = limited.register().post(WALLETS, SAVINGS);
      RawRequest head = new RawRequest(limited.port(), "POST", WALLETS, whole.headers(), "");
      assertDescribed(WALLETS, "post", head.send(), 408);
      RawRequest many = limited.register().post(WALLETS, SAVINGS);
      RawResponse answer = many.send();
      for (int i = 0; i < 200 && answer.status() != 429; i++) {
        answer = many.send();
      }
      assertDescribed(WALLETS, "post", answer, 429);
    }
  }

  @Test
  @Tag("full")
  void refusal_underAHostThatIsNone_isAsDescribed(@TempDir Path data) {
    try (TestService known =
        TestService.start(data, 0, "countersign.public-urls=http://localhost")) {
      RawRequest request = known.register().get(WALLETS).with("Host", "elsewhere.example");

      assertDescribed(WALLETS, "get", request.send(), 421);
    }
  }

  @Test
  void refusals_ofARotation_areAsDescribed() {
    TestClient rotating = service.register("all", "127.0.0.1", "::1");
    RawResponse unproven = rotating.post(KEYS, keyRequest()).send();

    assertDescribed(KEYS, "post", unproven, 422);
    assertThat(unproven.reason()).isEqualTo("possession_unproven");
  }

  @Test
  void answers_toARotation_mayBeReplayed() {
    for (String status : List.of("200", "201")) {
      assertThat(at("paths", KEYS, "post", "responses", status, "headers"))
          .containsKey("Idempotency-Replayed");
    }
  }

  // Shared code

  private static RawRequest largeOne() {
    return client.signed("GET", WALLETS + "/1", "x".repeat(3_000)).request();
  }

  private static String keyRequest() {
    return JsonMapper.shared()
        .writeValueAsString(Map.of("publicKey", RsaPublicKeys.toPem(TestService.KEYS.getPublic())));
  }

  private static void assertDescribed(String path, String method, RawResponse answer, int status) {
    assertThat(answer.status()).as(answer.body()).isEqualTo(status);
    assertDescribed(
        resolved(at("paths", path, method, "responses", String.valueOf(status))), answer);
  }

  private static void assertDescribed(Map<String, Object> response, RawResponse answer) {
    String mediaType = answer.header("content-type").replaceAll(";.*", "");
    Map<?, ?> content = (Map<?, ?>) response.get("content");
    assertThat(content.containsKey(mediaType)).as(mediaType).isTrue();
    Object schema = ((Map<?, ?>) content.get(mediaType)).get("schema");
    JsonNode body = answer.json();
    assertThat(SchemaCheck.problems(document, schema, body)).as(answer.body()).isEmpty();
    ((Map<?, ?>) response.get("headers"))
        .keySet()
        .forEach(name -> assertSentUnlessOptional((String) name, answer));
  }

  private static void assertSentUnlessOptional(String header, RawResponse answer) {
    if (!List.of("Retry-After", "Idempotency-Replayed").contains(header)) {
      assertThat(answer.header(header.toLowerCase(java.util.Locale.ROOT))).as(header).isNotEmpty();
    }
  }

  private static List<Map<String, Object>> parameters(String path, String method) {
    List<Map<String, Object>> parameters = new ArrayList<>();
    for (Object parameter : (List<?>) at("paths", path, method).get("parameters")) {
      parameters.add(resolved(parameter));
    }
    return parameters;
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> resolved(Object node) {
    Map<String, Object> map = (Map<String, Object>) node;
    Object reference = map.get("$ref");
    return reference == null ? map : resolved(SchemaCheck.resolve(document, (String) reference));
  }

  private static Map<String, Object> at(String... steps) {
    Object place = document;
    for (String step : steps) {
      place = ((Map<?, ?>) place).get(step);
      assertThat(place).as(step).isNotNull();
    }
    @SuppressWarnings("unchecked")
    Map<String, Object> map = (Map<String, Object>) place;
    return map;
  }

  private static void collect(Object node, String name, List<String> found) {
    if (node instanceof Map<?, ?> map) {
      map.forEach(
          (key, value) -> {
            if (key.equals(name) && value instanceof String text) {
              found.add(text);
            }
            collect(value, name, found);
          });
    } else if (node instanceof List<?> list) {
      list.forEach(element -> collect(element, name, found));
    }
  }
}
