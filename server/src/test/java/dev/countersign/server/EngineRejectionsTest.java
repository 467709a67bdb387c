package dev.countersign.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A request that the engine refuses before our checks gets the same form of response as every other
 * refusal.
 */
@SharedService
class EngineRejectionsTest {
  private static final String HOST = "Host: localhost\r\nConnection: close\r\n";
  private static TestService service;

  @BeforeAll
  static void start(TestService shared) {
    service = shared;
  }

  private static String send(String text) throws IOException {
    try (RawConnection connection = new RawConnection(service.port())) {
      return connection.send(text).readAll();
    }
  }

  private static void assertProblem(RawResponse response, int status, String reason) {
    assertThat(response.status()).as(response.body()).isEqualTo(status);
    assertThat(response.header("content-type")).isEqualTo("application/problem+json");
    assertThat(response.header("cache-control")).isEqualTo("no-store");
    assertThat(response.header("x-request-id")).matches("[0-9a-f]{16}");
    assertThat(response.json().path("requestId").asString())
        .isEqualTo(response.header("x-request-id"));
    assertThat(response.json().path("status").asInt()).isEqualTo(status);
    assertThat(response.reason()).isEqualTo(reason);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "G@T / HTTP/1.1",
        "GET / HTTX/1.1",
        "GET / x HTTP/1.1",
        "GET /a\"b HTTP/1.1",
        "GET /a<b HTTP/1.1",
        "GET /a?b|c HTTP/1.1",
        "GET /a\\b HTTP/1.1",
        "GET /a#b HTTP/1.1",
        "GET /\u0001 HTTP/1.1",
        "GET /\u00e9 HTTP/1.1",
        "GET /%00 HTTP/1.1",
        "GET /%zz HTTP/1.1",
        "GET /% HTTP/1.1",
        "GET /%ff HTTP/1.1",
        "GET /a%2Fb HTTP/1.1",
        "GET /a%5Cb HTTP/1.1",
        "GET /../x HTTP/1.1",
        "GET /%2e%2e/x HTTP/1.1",
        "GET ? HTTP/1.1",
        "GET x HTTP/1.1",
        "GET * HTTP/1.1",
        "GET http:// HTTP/1.1",
        "GET http://elsewhere/ HTTP/1.1",
        "GET ftp://localhost/ HTTP/1.1",
      })
  void requestLine_broken_isAProblem(String line) throws IOException {
    assertProblem(RawResponse.parse(send(line + "\r\n" + HOST + "\r\n")), 400, "request_malformed");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Host: localhost",
        "No-Colon",
        "Space-Before : x",
        ": no name",
        "Control: a\u0001b",
        "Zero: a\u0000b",
        "Return: a\rb",
        "Content-Length: -1",
        "Content-Length: +5",
        "Content-Length: 5, 5",
        "Content-Length: 0x5",
        "Content-Length: ",
        "Content-Length: 99999999999999999999",
        "Content-Length: 5\r\nContent-Length: 6",
        "Content-Length: 5\r\nContent-Length: 5",
        "Transfer-Encoding: chunked, chunked",
        "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked",
      })
  void headers_broken_areAProblem(String header) throws IOException {
    assertProblem(
        RawResponse.parse(send("POST / HTTP/1.1\r\n" + HOST + header + "\r\n\r\n")),
        400,
        "request_malformed");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "Host: a b\r\n", "Host: a/b\r\n", "Host: u@a\r\n", "Host:\r\n"})
  void host_missingOrBroken_isAProblem(String host) throws IOException {
    assertProblem(
        RawResponse.parse(send("GET / HTTP/1.1\r\nConnection: close\r\n" + host + "\r\n")),
        400,
        "request_malformed");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "countersign_api:8080 | has the character \\\"_\\\" (U+005F): a host has only letters",
        "countersign_api | for example the network alias countersign-api",
        "api-.x | has the part \\\"api-\\\": a part between dots begins and ends with a letter",
        "münchen.de | has the character U+00FC: write the name in ASCII, xn--mnchen-3ya.de",
        "[::1 | is not an IPv6 address in brackets",
        "[::1.2.3:0 | is not an IPv6 address in brackets",
        "[fe80::1%25eth0] | is not an IPv6 address in brackets, without a zone",
        "me:secret@a:80 | the host \\\"a:80\\\" has a user before it",
        "a:2147483648 | has the port \\\"2147483648\\\": a port is at most 65535",
        "a:8x | has the port \\\"8x\\\": a port has only digits",
        "straße.de | has the character U+00DF: write the name in ASCII\"",
      })
  void host_refusedByTheEngine_isNamedWithTheFix(String host, String sentence) throws IOException {
    for (String path : List.of("/ledger/v1/wallets", "/actuator/health", "/portal/sign-in")) {
      RawResponse refused =
          RawResponse.parse(
              send("GET " + path + " HTTP/1.1\r\nConnection: close\r\nHost: " + host + "\r\n\r\n"));
      assertProblem(refused, 400, "request_malformed");
      assertThat(refused.body())
          .contains("the Host header is refused: the host ", sentence)
          .doesNotContain("secret");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "GET / HTTP/1.1, X: y, there is none",
    "GET / HTTP/1.1, Host: a~Host: a, there are several; send one",
    "GET http://b/ HTTP/1.1, Host: a, it differs from the host of the request target",
    "GET http://u@b/ HTTP/1.1, Host: a, it differs from the host of the request target",
  })
  void host_notExactlyThatOfTheRequest_isNamed(String line, String header, String problem)
      throws IOException {
    RawResponse refused =
        RawResponse.parse(send(line + "\r\n" + header.replace("~", "\r\n") + "\r\n\r\n"));
    assertProblem(refused, 400, "request_malformed");
    assertThat(refused.json().path("detail").asString())
        .isEqualTo("the Host header is refused: " + problem);
  }

  /** Only what the engine has read says anything about Host. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "G@T / HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET / HTTP/1.1\r\nNo-Colon\r\nHost: a\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n",
        "GET ftp://a/ HTTP/1.1\r\nHost: a\r\n\r\n",
      })
  void rejection_forAnotherCause_blamesNoHost(String text) throws IOException {
    RawResponse refused = RawResponse.parse(send(text));
    assertProblem(refused, 400, "request_malformed");
    assertThat(refused.body()).doesNotContain("Host");
  }

  @Test
  void host_longAndInternational_isCut() throws IOException {
    String host = "ü".repeat(3_000);
    RawResponse refused = RawResponse.parse(send("GET / HTTP/1.1\r\nHost: " + host + "\r\n\r\n"));
    assertProblem(refused, 400, "request_malformed");
    assertThat(refused.body()).contains("has the character U+00FC").hasSizeLessThan(600);
  }

  /** The engine stops within the value, which then has no text. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET / HTTP/1.1\r\nHost: a\rb\r\n",
        "GET / HTTP/1.1\r\nHost: a\u0000b\r\n",
        "GET / HTTP/1.1\r\nHost: \u0001\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nHost: b\rc\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nX: b\rc\r\n",
      })
  void host_withAControlCharacter_isAProblem(String head) throws IOException {
    assertProblem(
        RawResponse.parse(send(head + "Connection: close\r\n\r\n")), 400, "request_malformed");
  }

  @Test
  void host_missingInHttp10_isAProblem() throws IOException {
    assertProblem(RawResponse.parse(send("GET / HTTP/1.0\r\n\r\n")), 400, "request_malformed");
  }

  @ParameterizedTest
  @CsvSource({
    "POST / HTTP/1.1, Transfer-Encoding: foo, 501, request_malformed",
    "POST / HTTP/1.1, Transfer-Encoding: identity, 501, request_malformed",
    "POST / HTTP/1.1, Expect: foo, 417, request_malformed",
    "GET / HTTP/1.2, X: y, 505, request_malformed",
    "GET / HTTP/3.0, X: y, 505, request_malformed",
    "CONNECT localhost:80 HTTP/1.1, X: y, 501, request_malformed",
    "TRACE / HTTP/1.1, X: y, 405, method_not_allowed",
  })
  void feature_notTaken_isAProblem(String line, String header, int status, String reason)
      throws IOException {
    assertProblem(
        RawResponse.parse(send(line + "\r\n" + HOST + header + "\r\n\r\n")), status, reason);
  }

  @Test
  void headers_tooLong_areAProblem() throws IOException {
    String text = "GET / HTTP/1.1\r\n" + HOST + "Signature: " + "a".repeat(20_000) + "\r\n\r\n";

    assertProblem(RawResponse.parse(send(text)), 400, "request_malformed");
  }

  @Test
  void headers_tooMany_areAProblem() throws IOException {
    String text = "GET / HTTP/1.1\r\n" + HOST + "Signature: sig=::\r\n".repeat(200) + "\r\n";

    assertProblem(RawResponse.parse(send(text)), 400, "request_malformed");
  }

  @Test
  void target_tooLong_isAProblem() throws IOException {
    String text = "GET /" + "a".repeat(20_000) + " HTTP/1.1\r\n" + HOST + "\r\n";

    assertProblem(RawResponse.parse(send(text)), 400, "request_malformed");
  }

  /**
   * HTTP/0.9 has no headers: the response is only the problem document, and then the connection
   * ends.
   */
  @ParameterizedTest
  @ValueSource(strings = {"GET /\r\n\r\n", "\u0016\u0003\u0001\u0000\u00c8\u0001\u0000\r\n\r\n"})
  void bytes_ofAnotherProtocol_areAnsweredAndTheConnectionEnds(String text) throws IOException {
    assertThat(send(text)).contains("request_malformed").doesNotContain("Exception");
  }

  @Test
  void http2Preface_onAPlainPort_endsTheConnection() throws IOException {
    assertThat(send("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")).isEmpty();
  }

  @Test
  void optionsOfTheServer_isAProblem() throws IOException {
    assertProblem(
        RawResponse.parse(send("OPTIONS * HTTP/1.1\r\n" + HOST + "\r\n")),
        401,
        "signature_missing");
  }

  /** RFC 9112 section 6.1: the bytes that follow are never another request. */
  @Test
  void framing_chunkedAndLength_isOneRequestAndTheEnd() throws IOException {
    String answers =
        send(
            """
            POST / HTTP/1.1\r
            Host: localhost\r
            Transfer-Encoding: chunked\r
            Content-Length: 5\r
            \r
            0\r
            \r
            GET /actuator/health HTTP/1.1\r
            Host: localhost\r
            \r
            """);

    assertThat(answers).containsOnlyOnce("HTTP/1.1 ").contains("Connection: close");
  }

  @Test
  void framing_chunkedInHttp10_isRefusedAndTheEnd() throws IOException {
    String answers =
        send(
            """
            POST / HTTP/1.0\r
            Host: localhost\r
            Connection: keep-alive\r
            Transfer-Encoding: chunked\r
            \r
            0\r
            \r
            GET /actuator/health HTTP/1.1\r
            Host: localhost\r
            \r
            """);

    assertThat(answers).containsOnlyOnce("HTTP/1.1 ");
    assertProblem(RawResponse.parse(answers), 400, "request_malformed");
  }
}
