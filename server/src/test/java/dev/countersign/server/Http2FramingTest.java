package dev.countersign.server;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import dev.countersign.server.RawHttp2.Answer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/**
 * HTTP/2 with prior knowledge, frame by frame: the authority that a request names, and the end of
 * its body.
 */
@ExtendWith(OutputCaptureExtension.class)
class Http2FramingTest {
  private static final String WALLETS = "/ledger/v1/wallets";
  private static final long NO_ERROR = 0;
  private static final long PROTOCOL_ERROR = 1;
  private static final AtomicInteger COUNT = new AtomicInteger();
  private static TestService service;
  private static TestClient client;

  private RawHttp2 connection;

  @BeforeAll
  static void start(@TempDir Path data) {
    service =
        TestService.start(
            data,
            3,
            "server.http2.enabled=true",
            "logging.level.countersign.requests=info",
            "countersign.access.body-timeout=10m",
            "countersign.access.body-limit=20KB");
    client = service.register();
  }

  @AfterAll
  static void stop() {
    service.close();
    // The level would remain after the service has stopped.
    ((Logger) LoggerFactory.getLogger("countersign.requests")).setLevel(null);
  }

  @BeforeEach
  void connect() throws IOException {
    connection = new RawHttp2(service.port());
  }

  @AfterEach
  void disconnect() throws IOException {
    connection.close();
  }

  private static TestRequest list() {
    return client.signed("GET", WALLETS + "?size=2");
  }

  private static TestRequest post() {
    String body =
        String.format(
            Locale.ROOT, "{\"name\":\"H%d\",\"currencyCode\":\"EUR\"}", COUNT.incrementAndGet());
    return client.signed("POST", WALLETS, body);
  }

  private static String authority() {
    return "localhost:" + service.port();
  }

  private Answer plain(String... fields) throws IOException {
    return connection.headers(1, true, fields).answer(1);
  }

  private static void assertRefused(Answer answer, int status, String reason) {
    assertThat(answer.reset()).as(answer.body()).isNull();
    assertThat(answer.reason()).as(answer.body()).isEqualTo(reason);
    assertThat(answer.status()).isEqualTo(status);
    assertThat(answer.json().path("requestId").asString()).matches("[0-9a-f]{16}");
  }

  private static void assertCreated(Answer answer) {
    assertThat(answer.reset()).as(answer.body()).isNull();
    assertThat(answer.json().path("id").asString()).as(answer.body()).isNotEmpty();
  }

  private static void assertListed(Answer answer) {
    assertThat(answer.json().path("numberOfElements").asInt()).as(answer.body()).isEqualTo(2);
  }

  /** RFC 9113 section 8.3.1. */
  @Test
  void authority_alone_isWhatWasSigned() throws IOException {
    assertListed(connection.headers(1, true, list().request()).answer(1));
    String other = "http://127.0.0.1:" + service.port() + WALLETS;
    RawRequest elsewhere = client.signed("GET", WALLETS).withUrl(other).request();

    assertRefused(connection.headers(3, true, elsewhere).answer(3), 401, "signature_mismatch");
  }

  @Test
  void authority_equalToHost_isTaken() throws IOException {
    assertListed(connection.headers(1, true, list().request(), "host", authority()).answer(1));
  }

  @ParameterizedTest
  @ValueSource(strings = {"other", "localhost", "localhost:1", "LOCALHOST", ""})
  void authority_differentFromHost_isRefused(String host) throws IOException {
    Answer answer = connection.headers(1, true, list().request(), "host", host).answer(1);

    if (answer.reset() == null) {
      assertThat(answer.body()).isEmpty();
    } else {
      assertThat(answer.reset()).isEqualTo(PROTOCOL_ERROR);
    }
  }

  @Test
  void host_withoutAuthority_isWhatWasSigned() throws IOException {
    Answer answer =
        plain(":method", "GET", ":scheme", "http", ":path", WALLETS, "host", authority());
    assertRefused(answer, 401, "signature_missing");
  }

  @ParameterizedTest
  @ValueSource(strings = {WALLETS, "/actuator/health", "/openapi.yaml"})
  void authority_andHostMissing_isReset(String path) throws IOException {
    Answer answer = plain(":method", "GET", ":scheme", "http", ":path", path);

    assertThat(answer.reset()).isEqualTo(PROTOCOL_ERROR);
  }

  /**
   * The engine's own refusals have no body, but a request id in the header and a line in the log.
   */
  @ParameterizedTest
  @ValueSource(strings = {"", "user@localhost", "a b", "a/b", "[::1", "countersign_api"})
  void authority_malformed_isRefused(String authority) throws IOException {
    Answer answer =
        plain(":method", "GET", ":scheme", "http", ":authority", authority, ":path", WALLETS);

    assertThat(answer.body()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"ftp", "HTTP", "file", "wss"})
  void scheme_other_isRefused(String scheme) throws IOException {
    Answer answer =
        plain(":method", "GET", ":scheme", scheme, ":authority", authority(), ":path", WALLETS);

    assertRefused(answer, 400, "request_malformed");
  }

  @Test
  void scheme_httpsWithoutTls_isReset() throws IOException {
    Answer answer =
        plain(":method", "GET", ":scheme", "https", ":authority", authority(), ":path", WALLETS);

    assertThat(answer.reset()).isEqualTo(PROTOCOL_ERROR);
  }

  @ParameterizedTest
  @CsvSource({
    "OPTIONS, *, 401, signature_missing",
    "OPTIONS, /ledger/v1/wallets, 401, signature_missing",
    "TRACE, /ledger/v1/wallets, 405, method_not_allowed",
    "GET, *, 400, request_malformed",
    "GET, http://u@localhost/, 400, request_malformed",
    "GET, /%2F, 400, request_malformed",
  })
  void target_ofEveryForm_isRefusedAsOverHttp11(
      String method, String path, int status, String reason) throws IOException {
    assertRefused(
        plain(":method", method, ":scheme", "http", ":authority", authority(), ":path", path),
        status,
        reason);
  }

  @Test
  void connect_isRefused() throws IOException {
    assertRefused(plain(":method", "CONNECT", ":authority", authority()), 501, "request_malformed");
  }

  /** RFC 9113 section 8.1: a body without Content-Length. */
  @Test
  void body_withoutContentLength_isRead() throws IOException {
    TestRequest post = post();
    connection.headers(1, false, post.request());
    assertCreated(connection.data(1, true, post.body()).answer(1));
  }

  @Test
  void body_withoutContentLengthAndDigest_isRefused() throws IOException {
    TestRequest post = post();
    connection.headers(1, false, post.without("content-digest").request());
    assertRefused(connection.data(1, true, post.body()).answer(1), 401, "digest_missing");

    connection.headers(3, false, list().request());
    assertRefused(connection.data(3, true, "hidden").answer(3), 401, "digest_missing");
  }

  @Test
  void body_ofAnother_isRefused() throws IOException {
    connection.headers(1, false, post().request());
    assertRefused(connection.data(1, true, post().body()).answer(1), 401, "digest_mismatch");
  }

  @Test
  void body_emptyAfterAll_isNone() throws IOException {
    connection.headers(1, false, list().request());
    assertListed(connection.data(1, true, "").answer(1));

    connection.headers(3, false, post().request());
    assertRefused(connection.data(3, true, "").answer(3), 401, "digest_unexpected");
    assertRefused(
        connection.headers(5, true, post().request()).answer(5), 401, "digest_unexpected");
  }

  @Test
  void body_inPieces_isRead() throws IOException {
    TestRequest post = post();
    connection.headers(1, false, post.request());
    connection.data(1, false, post.body().substring(0, 20));
    connection.data(1, false, post.body().substring(20));
    assertCreated(connection.data(1, true, "").answer(1));
  }

  @Test
  void body_withItsContentLength_isRead() throws IOException {
    TestRequest post = post();
    String length = String.valueOf(post.body().length());
    connection.headers(1, false, post.request(), "content-length", length);
    assertCreated(connection.data(1, true, post.body()).answer(1));
  }

  /** RFC 9113 section 8.1.1: such a request is malformed. */
  @ParameterizedTest
  @CsvSource({"-1, true", "1, true", "0, true", "-1, false"})
  void body_ofAnotherLength_isNotServed(int difference, boolean data) throws IOException {
    TestRequest post = post();
    String length = difference == 0 ? "0" : String.valueOf(post.body().length() + difference);
    connection.headers(1, !data, post.request(), "content-length", length);
    if (data) {
      connection.data(1, true, post.body());
    }
    Answer answer = connection.answer(1);

    if (answer.reset() == null) {
      // The head alone says that the body is empty, so the request may be refused before the body
      // arrives.
      assertThat(length).isEqualTo("0");
      assertRefused(answer, 401, "digest_unexpected");
    }
    assertListed(new RawHttp2(service.port()).headers(1, true, list().request()).answer(1));
  }

  @ParameterizedTest
  @ValueSource(strings = {"x", "-5", "", "5, 5"})
  void contentLength_malformed_isNotServed(String length) throws IOException {
    Answer answer =
        connection.headers(1, true, list().request(), "content-length", length).answer(1);

    if (answer.reset() == null) {
      assertRefused(answer, 400, "request_malformed");
    }
  }

  @Test
  void contentLength_twice_isNotServed() throws IOException {
    Answer answer =
        connection
            .headers(1, true, list().request(), "content-length", "0", "content-length", "5")
            .answer(1);

    if (answer.reset() == null) {
      assertRefused(answer, 400, "request_malformed");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"transfer-encoding", "connection", "upgrade"})
  void field_ofTheConnection_isReset(String name) throws IOException {
    Answer answer = connection.headers(1, true, list().request(), name, "chunked").answer(1);

    assertThat(answer.reset()).isEqualTo(PROTOCOL_ERROR);
  }

  @Test
  void trailers_changeNothing() throws IOException {
    TestRequest post = post();
    connection.headers(1, false, post.request()).data(1, false, post.body());
    connection.headers(1, true, "content-digest", "sha-256=:AAAA:", "host", "evil");
    assertCreated(connection.answer(1));
  }

  @Test
  void body_tooLarge_isRefused() throws IOException {
    String body = "{\"name\":\"" + "a".repeat(30_000) + "\"}";
    TestRequest post = client.signed("POST", WALLETS, body);
    connection.headers(1, false, post.request(), "content-length", String.valueOf(body.length()));
    assertRefused(connection.answer(1), 413, "body_too_large");

    connection.headers(3, false, post.request());
    for (int i = 0; i < body.length(); i += 10_000) {
      connection.data(3, false, body.substring(i, Math.min(body.length(), i + 10_000)));
    }
    assertRefused(connection.answer(3), 413, "body_too_large");
  }

  /** RFC 9110 section 10.1.1: the service asks for the body after it has verified the signature. */
  @Test
  void expectContinue_good_isAskedForTheBody() throws IOException {
    TestRequest post = post();
    connection.headers(1, false, post.request(), "expect", "100-continue");
    connection.awaitInterim(1);
    assertCreated(connection.data(1, true, post.body()).answer(1));
  }

  @Test
  void expectContinue_refused_isNeverAsked() throws IOException {
    RawRequest request = post().request().with("Signature", "sig=:AAAA:");
    Answer answer = connection.headers(1, false, request, "expect", "100-continue").answer(1);

    assertRefused(answer, 401, "signature_mismatch");
    assertThat(answer.interim()).isZero();
  }

  /**
   * RFC 9113 section 8.1: the response comes first, and the reset tells the client to stop sending.
   */
  @Test
  void refusal_withTheBodyUnread_leavesTheConnectionUsable() throws IOException {
    RawRequest unsigned = post().request().without("Signature");
    assertRefused(connection.headers(1, false, unsigned).answer(1), 401, "signature_missing");
    assertThat(connection.answer(1).reset()).isEqualTo(NO_ERROR);
    assertListed(connection.headers(3, true, list().request()).answer(3));
  }

  @ParameterizedTest
  @ValueSource(strings = {"/actuator/health", "/openapi.yaml"})
  void openPath_withABodyAnnounced_isNotWaitedFor(String path) throws IOException {
    connection.headers(
        1, false, ":method", "GET", ":scheme", "http", ":authority", authority(), ":path", path);
    Answer answer = connection.answer(1);

    assertThat(answer.reset()).isNull();
    assertThat(answer.body()).isNotEmpty().doesNotContain("\"reason\":\"");
  }

  /** The engine cannot respond any more: it resets the stream, and the log gives the reason. */
  @Test
  @Tag("full")
  void body_fallingSilent_isResetInItsTime(@TempDir Path data, CapturedOutput output)
      throws IOException {
    try (TestService impatient =
            TestService.start(
                data,
                3,
                "server.http2.enabled=true",
                "logging.level.countersign.requests=info",
                "countersign.access.body-timeout=2s");
        RawHttp2 hurried = new RawHttp2(impatient.port())) {
      TestClient caller = impatient.register();
      String body = "{\"name\":\"Silent\",\"currencyCode\":\"EUR\"}";
      hurried.headers(1, false, caller.post(WALLETS, body));
      hurried.data(1, false, body.substring(1));

      assertThat(hurried.answer(1).reset()).isNotNull();
      // A line is written after its response was sent.
      String line = "method=POST path=" + WALLETS + " status=408 reason=body_timeout";
      Awaitility.await().until(() -> output.getAll().contains(line));
      TestRequest list = caller.signed("GET", WALLETS + "?size=2");
      assertListed(hurried.headers(3, true, list.request()).answer(3));
    }
  }

  /**
   * RFC 9113 section 3.1 deprecates the upgrade; RFC 9110 section 7.8 allows a server to ignore it.
   */
  @Test
  void upgrade_isPassedOver() {
    RawRequest request =
        list()
            .request()
            .with("Connection", "Upgrade, HTTP2-Settings")
            .with("Upgrade", "h2c")
            .with("HTTP2-Settings", "AAMAAABkAAQAAP__");
    String text = request.text().replaceFirst("\r\n", "\r\nConnection: close\r\n");
    RawResponse response = RawRequest.send(service.port(), text);

    assertThat(response.status()).isEqualTo(200);
    assertThat(response.headers()).doesNotContainKey("upgrade");
  }

  @Test
  void headers_tooLarge_areNotServed() throws IOException {
    Answer answer =
        connection.headers(1, true, list().request(), "x-large", "a".repeat(15_000)).answer(1);
    assertListed(answer);
    RawRequest large = list().request().with("X-Large", "a".repeat(10_000));
    Answer refused = connection.headers(3, true, large, "x-more", "a".repeat(6_000)).answer(3);

    assertThat(refused.reset()).isNotNull();
  }
}
