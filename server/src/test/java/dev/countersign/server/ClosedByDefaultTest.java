package dev.countersign.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@SharedService(wallets = 3)
class ClosedByDefaultTest {
  private static TestService service;
  private static TestClient client;

  @BeforeAll
  static void start(TestService shared, TestClient registered) {
    service = shared;
    client = registered;
  }

  private static RawResponse unsigned(String method, String target) {
    return RawRequest.send(
        service.port(), method + " " + target + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/actuator",
        "/actuator/",
        "/actuator/env",
        "/actuator/heapdump",
        "/actuator/shutdown",
        "/actuator/health/",
        "/actuator/health/db",
        "/actuator/health/../env",
        "/actuator/health/liveness/..",
        "/actuator/health;x",
        "/actuator;x/health",
        "/actuator/%68ealth",
        "/%61ctuator/health",
        "/actuator//health",
        "//actuator/health",
        "/./actuator/health",
        "/ACTUATOR/health",
        "/error",
        "/",
        "//",
        "/?",
        "/favicon.ico",
        "/index.html",
        "/robots.txt",
        "/webjars/htmx.org/htmx.js",
        "/ledger",
        "/ledger/v1",
        "/ledger/v1/",
        "/ledger/v1/wallets/",
        "/ledger/v1//wallets",
        "//ledger/v1/wallets",
        "/ledger/v1/wallets;x=1",
        "/ledger/v1/wallets.json",
        "/ledger/v1/wallet%73",
        "/ledger/v2/../v1/wallets",
        "/Ledger/v1/wallets",
        "/ledger/v1/wallets/x/y",
        "/ledger/v1/wallets/..",
      })
  void path_thatIsNotServed_is401UnsignedAnd404Signed(String path) {
    RawResponse stranger = unsigned("GET", path);
    RawResponse known = client.get(path).send();

    assertThat(stranger.status()).isEqualTo(401);
    assertThat(stranger.reason()).isEqualTo("signature_missing");
    assertThat(known.status()).as(known.body()).isEqualTo(404);
    assertThat(known.reason()).isEqualTo("not_found");
  }

  @ParameterizedTest
  @CsvSource({
    "GET, /actuator/health, true",
    "GET, /actuator/health/liveness, true",
    "GET, /actuator/health/readiness, true",
    "HEAD, /actuator/health, false",
    "GET, /actuator/health?x=1, true",
  })
  void health_unsigned_isOpen(String method, String target, boolean body) {
    RawResponse response = unsigned(method, target);

    assertThat(response.status()).isEqualTo(200);
    assertThat(response.header("cache-control")).isEqualTo("no-store");
    assertThat(response.header("x-request-id")).matches("[0-9a-f]{16}");
    assertThat(response.body().contains("\"UP\"")).isEqualTo(body);
  }

  @ParameterizedTest
  @ValueSource(strings = {"x=%ff", "x=%zz", "%=%", "x=%f0%28", "a=1&b=%c3"})
  void health_queryThatCannotBeDecoded_isNoDefect(String query) {
    RawResponse response = unsigned("GET", "/actuator/health?" + query);

    assertThat(response.status()).as(response.body()).isEqualTo(400);
    assertThat(response.reason()).isEqualTo("request_malformed");
  }

  @ParameterizedTest
  @ValueSource(strings = {"POST", "PUT", "DELETE", "PATCH", "OPTIONS", "get", "FOO"})
  void health_byAnotherMethod_isClosed(String method) {
    assertThat(unsigned(method, "/actuator/health").status()).isEqualTo(401);
  }

  @Test
  void health_withoutHost_isOpen() {
    assertThat(RawRequest.send(service.port(), "GET /actuator/health HTTP/1.0\r\n\r\n").status())
        .isEqualTo(200);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "PUT     | /ledger/v1/wallets | GET, HEAD, POST",
        "DELETE  | /ledger/v1/wallets | GET, HEAD, POST",
        "PATCH   | /ledger/v1/wallets | GET, HEAD, POST",
        "OPTIONS | /ledger/v1/wallets | GET, HEAD, POST",
        "get     | /ledger/v1/wallets | GET, HEAD, POST",
        "PURGE   | /ledger/v1/wallets | GET, HEAD, POST",
        "POST    | /ledger/v1/wallets/1 | GET, HEAD",
        "DELETE  | /ledger/v1/wallets/1 | GET, HEAD",
      })
  void method_notTaken_is405WithAllow(String method, String target, String allow) {
    RawResponse response = client.signed(method, target).send();

    assertThat(response.status()).as(response.body()).isEqualTo(405);
    assertThat(response.reason()).isEqualTo("method_not_allowed");
    assertThat(response.header("allow")).isEqualTo(allow);
  }

  @Test
  void head_ofAList_isGetWithoutItsBody() {
    RawResponse get = client.get("/ledger/v1/wallets?size=1&page=1").send();
    RawResponse head = client.signed("HEAD", "/ledger/v1/wallets?size=1&page=1").send();

    assertThat(head.status()).isEqualTo(200);
    assertThat(head.body()).isEmpty();
    assertThat(head.header("content-length")).isEqualTo(get.header("content-length"));
    assertThat(head.header("link")).isEqualTo(get.header("link"));
  }

  @Test
  void head_refused_hasNoBody() {
    RawResponse refused = unsigned("HEAD", "/ledger/v1/wallets");

    assertThat(refused.status()).isEqualTo(401);
    assertThat(refused.body()).isEmpty();
    assertThat(refused.header("www-authenticate")).isEqualTo("Signature realm=\"countersign\"");
  }

  @Test
  void list_inTheMiddle_linksToItsNeighbours() {
    String list = service.url() + "/ledger/v1/wallets?size=1&page=";

    assertThat(client.get("/ledger/v1/wallets?size=1&page=1").send().header("link"))
        .startsWith(
            String.format(
                Locale.ROOT,
                "<%1$s0>; rel=\"first\", <%1$s0>; rel=\"prev\","
                    + " <%1$s2>; rel=\"next\", <%1$s2>; rel=\"last\","
                    + " <%2$s/ledger/v1/wallets?size=1&after=",
                list,
                service.url()))
        .endsWith(">; rel=\"https://countersign.dev/rels/after\"");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Accept: text/html",
        "Accept: ;;/q=",
        "Accept-Language: zz;;q=x,***",
        "Cookie: JSESSIONID=;;;\"x",
        "Range: bytes=0-1",
        "If-None-Match: *",
        "If-Modified-Since: nonsense",
        "Upgrade: websocket",
        "Upgrade: h2c",
        "X-HTTP-Method-Override: DELETE",
        "X-Forwarded-For: not an address",
        "X-Forwarded-Proto: gopher",
        "Forwarded: for=nonsense;;",
        "X-Forwarded-Host: evil.example",
        "X-Forwarded-Prefix: /evil",
        "X-Original-URL: /actuator/env",
        "Authorization: Basic !!!",
        "Content-Type: multipart/form-data",
        "Origin: https://evil.example",
      })
  void header_thatMeansNothingHere_changesNothing(String header) {
    int colon = header.indexOf(':');
    RawResponse response =
        client
            .get("/ledger/v1/wallets")
            .with(header.substring(0, colon), header.substring(colon + 2))
            .send();

    assertThat(response.status()).as(response.body()).isEqualTo(200);
    assertThat(response.headers())
        .doesNotContainKeys("set-cookie", "access-control-allow-origin", "vary");
    assertThat(response.header("link")).contains(service.url()).doesNotContain("evil");
  }
}
