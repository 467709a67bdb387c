package dev.countersign.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests that the engine would answer itself, and that the service refuses instead. */
@SharedService
class EngineGapsTest {
  private static final String WALLETS = "/ledger/v1/wallets";
  private static final String HEALTH = "/actuator/health";
  private static TestService service;
  private static TestClient client;

  @BeforeAll
  static void start(TestService shared, TestClient registered) {
    service = shared;
    client = registered;
  }

  private static String send(String text) throws IOException {
    try (RawConnection connection = new RawConnection(service.port())) {
      return connection.send(text).readAll();
    }
  }

  private static String host() {
    return "Host: localhost:" + service.port() + "\r\n";
  }

  private static RawResponse once(String requestLine) throws IOException {
    return RawResponse.parse(
        send(requestLine + " HTTP/1.1\r\n" + host() + "Connection: close\r\n\r\n"));
  }

  private static void assertRefused(RawResponse response, int status, String reason) {
    RawResponse.assertRefused(response, status, reason);
    assertThat(response.header("cache-control")).isEqualTo("no-store");
  }

  /**
   * RFC 9110 section 9.3.7: well-formed, and about the server in general. It is refused because it
   * is not signed.
   */
  @Test
  void options_ofTheServerUnsigned_isRefusedAsEverythingElse() throws IOException {
    RawResponse response = once("OPTIONS *");

    assertRefused(response, 401, "signature_missing");
    assertThat(response.header("www-authenticate")).startsWith("Signature ");
    assertThat(response.header("accept-signature")).contains("\"@target-uri\"");
    assertThat(response.headers()).doesNotContainKey("allow");
  }

  /** RFC 9112 section 3.3: the target URI of the asterisk form has neither path nor query. */
  @Test
  void options_ofTheServerSigned_isVerifiedAndFindsNothing() {
    TestRequest signed = client.signed("OPTIONS", "*");
    RawResponse right = signed.withUrl("http://localhost:" + service.port()).send();
    RawResponse wrong = signed.withUrl("http://localhost:" + service.port() + "/*").send();

    assertRefused(right, 404, "not_found");
    assertRefused(wrong, 401, "signature_mismatch");
  }

  @ParameterizedTest
  @ValueSource(strings = {WALLETS, "/", "/*", "/nowhere", HEALTH})
  void options_ofAPathUnsigned_isRefused(String path) throws IOException {
    assertRefused(once("OPTIONS " + path), 401, "signature_missing");
  }

  /** The engine refuses both before it reads the path. */
  @ParameterizedTest
  @CsvSource({
    "TRACE " + WALLETS + ", 405, method_not_allowed",
    "TRACE /nowhere, 405, method_not_allowed",
    "TRACE " + HEALTH + ", 405, method_not_allowed",
    "CONNECT localhost:80, 501, request_malformed",
    "CONNECT " + WALLETS + ", 501, request_malformed",
  })
  void method_ofTheEngine_isRefusedAlikeEverywhere(String line, int status, String reason)
      throws IOException {
    RawResponse response = once(line);

    assertRefused(response, status, reason);
    assertThat(response.body()).doesNotContain("Host", "localhost");
  }

  /**
   * RFC 9112 sections 6.1 and 6.3: this may be an attempt at request smuggling, so the connection
   * ends.
   */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "Transfer-Encoding: chunked\r\nContent-Length: 5",
        "Content-Length: 5\r\nTransfer-Encoding: chunked",
        "CONTENT-LENGTH:0\r\nTransfer-Encoding: Chunked",
        "content-length: 5\r\ntransfer-encoding: chunked",
      })
  void framing_lengthAndChunked_isRefusedAndTheEnd(String framing) throws IOException {
    for (String line : new String[] {"POST " + WALLETS, "GET " + HEALTH, "GET /openapi.yaml"}) {
      String answers =
          send(
              line
                  + " HTTP/1.1\r\n"
                  + host()
                  + framing
                  + "\r\n\r\n0\r\n\r\nGET "
                  + HEALTH
                  + " HTTP/1.1\r\n"
                  + host()
                  + "\r\n");

      assertThat(answers).containsOnlyOnce("HTTP/1.1 ").contains("Connection: close");
      RawResponse response = RawResponse.parse(answers);
      assertRefused(response, 400, "request_malformed");
      assertThat(response.json().path("detail").asString())
          .contains("Content-Length", "Transfer-Encoding");
    }
  }

  @Test
  void framing_lengthAndChunkedSigned_isRefused() {
    TestRequest post =
        client.signed("POST", WALLETS, "{\"name\":\"Both\",\"currencyCode\":\"EUR\"}");
    String chunks = Integer.toHexString(post.body().length()) + "\r\n" + post.body();
    RawRequest both = post.request().with("Transfer-Encoding", "chunked");
    RawRequest sent =
        new RawRequest(
            both.port(), both.method(), both.target(), both.headers(), chunks + "\r\n0\r\n\r\n");

    assertRefused(sent.send(), 400, "request_malformed");
    assertThat(sent.without("Content-Length").send().status()).isEqualTo(201);
  }

  /** The name of the field in a value, in a query or in a chunk is not the field. */
  @Test
  void framing_chunkedThatMentionsALength_isServed() throws IOException {
    String answer =
        send(
            "GET /actuator/health?Content-Length:5 HTTP/1.1\r\n"
                + host()
                + "X-Content-Length: 5\r\nX: a content-length: 5\r\n"
                + "Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
                + "11\r\nContent-Length: 5\r\n0\r\nContent-Length: 5\r\n\r\n");

    assertThat(RawResponse.parse(answer).status()).isEqualTo(200);
  }

  private static RawResponse chunkedWith(String extension) {
    String body =
        String.format(Locale.ROOT, "{\"name\":\"%s\",\"currencyCode\":\"EUR\"}", UUID.randomUUID());
    RawRequest post = client.post(WALLETS, body);
    String size = Integer.toHexString(body.length() - 1);
    String chunks =
        size
            + extension
            + "\r\n"
            + body.substring(0, body.length() - 1)
            + "\r\n1;last\r\n}\r\n0\r\n\r\n";
    RawRequest chunked = post.without("Content-Length").with("Transfer-Encoding", "chunked");
    return new RawRequest(chunked.port(), "POST", WALLETS, chunked.headers(), chunks).send();
  }

  /** RFC 9112 section 7.1.1: a recipient ignores chunk extensions that it does not know. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ";a",
        ";a=b",
        "; \ta = b ; c",
        ";a=\"\"",
        ";a=\"b; \tc=d\";e",
      })
  void chunkExtension_ofAnyName_isIgnored(String extension) {
    assertThat(chunkedWith(extension).status()).isEqualTo(201);
  }

  /** Legal, but refused: the engine's chunk filter accepts neither, and it cannot be replaced. */
  @ParameterizedTest
  @ValueSource(strings = {" ;a", "\t;a=b", ";a=\"b\\\"c\"", ";a=\"\\\\\""})
  void chunkExtension_ofTheDocumentedLimit_isRefused(String extension) {
    assertRefused(chunkedWith(extension), 400, "request_malformed");
  }

  @ParameterizedTest
  @ValueSource(strings = {";", ";=b", ";a=", ";a b", ";a=\"b", ";a=b\nc", " ", ";a=\u0001"})
  void chunkExtension_malformed_isRefused(String extension) {
    assertRefused(chunkedWith(extension), 400, "request_malformed");
  }

  /** The body has a buffer of 8,192 bytes; the engine stops if the next byte is a semicolon. */
  @ParameterizedTest
  @ValueSource(ints = {8_191, 8_192, 20_000})
  void chunkExtension_tooLong_isRefusedAtOnce(int length) throws IOException {
    String extension = ";" + "a".repeat(length - 1);
    assertRefused(chunkedWith(extension), 400, "request_malformed");

    String open =
        "GET "
            + HEALTH
            + " HTTP/1.1\r\n"
            + host()
            + "Transfer-Encoding: chunked\r\n\r\n1"
            + extension
            + "\r\na\r\n1;a\r\na\r\n";
    assertThat(send(open)).startsWith("HTTP/1.1 200").containsOnlyOnce("HTTP/1.1 ");
  }

  /** Starts a request line with a target that names this service. */
  private static String absolute(String target) {
    return "GET " + String.format(Locale.ROOT, target, "localhost:" + service.port());
  }

  /** RFC 9110 section 4.2.4: userinfo in an http URI is an error, and may hide the true host. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://user@%s" + HEALTH,
        "http://user:password@%s" + HEALTH,
        "HTTP://@%s" + HEALTH,
        "http://example.com:80@%s" + HEALTH,
        "http://user@%s",
        "http://user@%s?a=b",
        "https://user@%s/",
      })
  void target_absoluteWithUserinfo_isRefused(String target) throws IOException {
    for (String version : new String[] {"HTTP/1.1", "HTTP/1.0"}) {
      String line = absolute(target) + " " + version;
      String answer = send(line + "\r\n" + host() + "\r\n");

      assertRefused(RawResponse.parse(answer), 400, "request_malformed");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://%s" + HEALTH,
        "HTTP://%s" + HEALTH + "?a=user@host",
        "http://%s" + HEALTH + "?http://user@host/",
      })
  void target_absoluteWithoutUserinfo_isServed(String target) throws IOException {
    assertThat(once(absolute(target)).status()).isEqualTo(200);
  }

  @Test
  void target_originFormWithAt_isServed() throws IOException {
    assertRefused(once("GET //user@host/"), 401, "signature_missing");
    assertThat(once("GET " + HEALTH + "?http://user@host").status()).isEqualTo(200);
  }

  /** On a persistent connection, the next head is at the same place in the buffer. */
  @Test
  void requests_onOneConnection_areJudgedEachByItsOwnHead() throws IOException {
    String line = "GET /nowhere HTTP/1.1\r\n" + host();
    String sized = line + "Content-Length: 0\r\n\r\n";
    String chunked = line + "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n";
    try (RawConnection connection = new RawConnection(service.port())) {
      for (String request : List.of(sized, "\r\n" + sized, sized)) {
        assertThat(connection.send(request).read().status()).isEqualTo(401);
      }
      connection.send(sized + "\r\n" + sized + sized);
      for (int i = 0; i < 3; i++) {
        assertThat(connection.read().status()).isEqualTo(401);
      }
      String bad = "\r\nGET http://u@localhost:" + service.port() + HEALTH + " HTTP/1.1\r\n";
      assertThat(connection.send(bad + host() + "\r\n").readAll())
          .startsWith("HTTP/1.1 400")
          .contains("Connection: close");
    }
  }
}
