package dev.countersign.server;

import static dev.countersign.server.RawResponse.assertRefused;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Bodies with every framing, size and digest. */
class BodyTest {
  private static final String WALLETS = "/ledger/v1/wallets";
  private static final int LIMIT = 64 * 1024;
  private static final AtomicInteger COUNT = new AtomicInteger();
  private static TestService service;
  private static TestClient client;

  @BeforeAll
  static void start(@TempDir Path data) {
    service =
        TestService.start(
            data, 0, "countersign.access.body-limit=64KB", "countersign.access.body-timeout=10m");
    client = service.register();
  }

  @AfterAll
  static void stop() {
    service.close();
  }

  /** A different body each time, because an equal one in the same second is a replay. */
  private static String wallet() {
    return String.format(
        Locale.ROOT, "{\"name\":\"W%d\",\"currencyCode\":\"EUR\"}", COUNT.incrementAndGet());
  }

  private static TestRequest post() {
    return client.signed("POST", WALLETS, wallet());
  }

  private static RawRequest chunked(TestRequest signed, String onTheWire) {
    RawRequest request =
        signed.request().without("Content-Length").with("Transfer-Encoding", "chunked");
    return new RawRequest(
        service.port(), request.method(), request.target(), request.headers(), onTheWire);
  }

  private static String chunks(String body, int size) {
    StringBuilder chunks = new StringBuilder();
    for (int i = 0; i < body.length(); i += size) {
      String chunk = body.substring(i, Math.min(body.length(), i + size));
      chunks
          .append(Integer.toHexString(chunk.length()))
          .append("\r\n")
          .append(chunk)
          .append("\r\n");
    }
    return chunks + "0\r\n\r\n";
  }

  @Test
  void chunks_withTheirDigest_areTaken() {
    TestRequest post = post();

    assertThat(chunked(post, chunks(post.body(), 7)).send().status()).isEqualTo(201);
  }

  @Test
  void chunks_withTrailers_areTakenWithoutThem() {
    TestRequest post = post();
    String trailers = "0\r\nContent-Digest: sha-256=:AAAA:\r\nHost: evil\r\n\r\n";

    assertThat(chunked(post, chunks(post.body(), 7).replace("0\r\n\r\n", trailers)).send().status())
        .isEqualTo(201);
  }

  @Test
  void chunks_withoutDigest_areRefused() {
    TestRequest post = post();

    assertRefused(
        chunked(post.without("content-digest"), chunks(post.body(), 7)).send(),
        401,
        "digest_missing");
  }

  @Test
  void chunks_emptyWithoutDigest_areNoBody() {
    assertRefused(
        chunked(post().without("content-digest"), "0\r\n\r\n").send(), 422, "body_invalid");
  }

  @Test
  void chunks_emptyWithDigest_areRefused() {
    assertRefused(chunked(post(), "0\r\n\r\n").send(), 401, "digest_unexpected");
  }

  @Test
  void chunks_ofAnotherBody_areRefused() {
    assertRefused(chunked(post(), chunks(wallet(), 7)).send(), 401, "digest_mismatch");
  }

  @Test
  void chunksOnAGet_empty_areNoBody() {
    RawRequest get = client.get(WALLETS).with("Transfer-Encoding", "chunked");
    RawRequest chunked = new RawRequest(service.port(), "GET", WALLETS, get.headers(), "0\r\n\r\n");

    assertThat(chunked.send().status()).isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "zz\r\nabc\r\n0\r\n\r\n",
        "-5\r\nabcde\r\n0\r\n\r\n",
        "fffffffffffffffff\r\nabc\r\n",
        "7fffffff1\r\nabc\r\n",
        "3\r\nabcdef\r\n0\r\n\r\n",
        "\r\n\r\n",
      })
  void chunks_broken_areMalformed(String onTheWire) {
    assertRefused(chunked(post(), onTheWire).send(), 400, "request_malformed");
  }

  @Test
  void contentLength_zeroWithoutDigest_isNoBody() {
    RawRequest post = client.signed("POST", WALLETS).request();

    assertThat(client.get(WALLETS).with("Content-Length", "0").send().status()).isEqualTo(200);
    assertRefused(post.with("Content-Length", "0").send(), 422, "body_invalid");
  }

  @Test
  void contentLength_zeroWithDigest_isRefused() {
    RawRequest post = post().request();

    assertRefused(
        new RawRequest(service.port(), "POST", WALLETS, post.headers(), "")
            .with("Content-Length", "0")
            .send(),
        401,
        "digest_unexpected");
  }

  @Test
  void body_withoutDigest_isRefused() {
    assertRefused(post().without("content-digest").send(), 401, "digest_missing");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "sha-256",
        "sha-256=",
        "sha-256=::",
        "sha-256=:AAAA:",
        "sha-256=\"AAAA\"",
        "SHA-256=:AAAA:",
        "sha-256=:AAAA",
        "md5=:AAAAAAAAAAAAAAAAAAAAAA==:",
        "sha=:AAAAAAAAAAAAAAAAAAAAAAAAAAA=:",
        "nonsense;;",
      })
  void digest_malformed_isRefused(String digest) {
    assertRefused(post().with("content-digest", digest).send(), 401, "digest_malformed");
  }

  @Test
  void digest_sha512Alone_isRefused() {
    TestRequest post = post();

    assertRefused(
        post.with("content-digest", "sha-512=:" + TestRequest.digest("SHA-512", post.body()) + ":")
            .send(),
        401,
        "digest_malformed");
  }

  @Test
  void digest_sha512BesideIt_mustMatch() {
    TestRequest post = post();
    String both = post.field("content-digest") + ", sha-512=:%s:";

    assertRefused(
        post.with(
                "content-digest",
                String.format(Locale.ROOT, both, TestRequest.digest("SHA-512", "other")))
            .send(),
        401,
        "digest_mismatch");
    assertThat(
            post.with(
                    "content-digest",
                    String.format(Locale.ROOT, both, TestRequest.digest("SHA-512", post.body()))
                        + ", md5=:AAAA:")
                .send()
                .status())
        .isEqualTo(201);
  }

  @Test
  void digest_sameAlgorithmTwice_isRefused() {
    TestRequest post = post();
    String digest = post.field("content-digest");

    assertRefused(
        post.with("content-digest", digest + ", " + digest).send(), 401, "digest_malformed");
  }

  @Test
  void digest_ofAnotherBody_isRefused() {
    assertRefused(
        post().with("content-digest", TestRequest.contentDigest("x")).send(),
        401,
        "digest_mismatch");
  }

  @Test
  void digest_onAGet_isRefused() {
    RawRequest get = client.get(WALLETS).with("Content-Digest", TestRequest.contentDigest(""));

    assertThat(get.send().reason()).isEqualTo("digest_unexpected");
  }

  @Test
  void body_endingEarly_isMalformed() throws IOException {
    String text = post().request().text();
    try (RawConnection connection = new RawConnection(service.port())) {
      connection.send(text.substring(0, text.length() - 5)).endOutput();

      assertRefused(connection.read(), 400, "request_malformed");
    }
  }

  @Test
  void chunks_endingEarly_areMalformed() throws IOException {
    try (RawConnection connection = new RawConnection(service.port())) {
      connection.send(chunked(post(), "5\r\nab").text()).endOutput();

      assertRefused(connection.read(), 400, "request_malformed");
    }
  }

  @Test
  void body_largerThanTheLimit_isRefusedUnread() {
    TestRequest post = client.signed("POST", WALLETS, "{\"name\":\"" + "a".repeat(LIMIT) + "\"}");

    assertRefused(post.send(), 413, "body_too_large");
  }

  @Test
  void body_ofTheLimit_isRead() {
    String body = "{\"name\":\"" + "a".repeat(LIMIT - 11) + "\"}";

    assertThat(body.length()).isEqualTo(LIMIT);
    assertRefused(client.signed("POST", WALLETS, body).send(), 422, "body_invalid");
  }

  @Test
  void chunks_largerThanTheLimit_areRefused() {
    String body = "{\"name\":\"" + "a".repeat(40 * LIMIT) + "\"}";
    TestRequest post = client.signed("POST", WALLETS, body);

    assertRefused(chunked(post, chunks(body, 8000)).send(), 413, "body_too_large");
  }

  @Test
  void body_announcedWithoutEnd_isRefusedAtOnce() throws IOException {
    try (RawConnection connection = new RawConnection(service.port())) {
      String text = post().request().with("Content-Length", "999999999999999999").text();

      assertRefused(connection.send(text).read(), 413, "body_too_large");
    }
  }

  @Test
  void body_ofAStranger_isNotWaitedFor() throws IOException {
    try (RawConnection connection = new RawConnection(service.port())) {
      connection.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n");

      assertRefused(connection.read(), 401, "signature_missing");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"/actuator/health", "/actuator/health/liveness", "/openapi.yaml"})
  void body_toAnOpenPath_isNotWaitedFor(String path) throws IOException {
    try (RawConnection connection = new RawConnection(service.port())) {
      connection.send("GET " + path + " HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n");

      assertThat(connection.read().status()).isEqualTo(200);
    }
  }

  @Test
  void expectContinue_good_isAskedForTheBody() throws IOException {
    String text = post().request().with("Expect", "100-continue").text();
    int end = text.indexOf("\r\n\r\n") + 4;
    try (RawConnection connection = new RawConnection(service.port())) {
      assertThat(connection.send(text.substring(0, end)).read().status()).isEqualTo(100);
      assertThat(connection.send(text.substring(end)).read().status()).isEqualTo(201);
    }
  }

  @ParameterizedTest
  @CsvSource({"Signature, sig=:AAAA:", "date, x", "Host, other", "Content-Length, 999999"})
  void expectContinue_refused_isNeverAsked(String header, String value) throws IOException {
    String text = post().request().with("Expect", "100-continue").with(header, value).text();
    int end = text.indexOf("\r\n\r\n") + 4;
    try (RawConnection connection = new RawConnection(service.port())) {
      String answers = connection.send(text.substring(0, end)).readAll();

      assertThat(answers).doesNotContain("HTTP/1.1 100").containsPattern("^HTTP/1.1 4[01][13] ");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"gzip", "identity", "", "br, gzip"})
  void contentEncoding_any_is415(String encoding) {
    assertRefused(
        post().request().with("Content-Encoding", encoding).send(), 415, "media_type_unsupported");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "text/plain",
        "text/json",
        "application/json5",
        "application/problem+json",
        "application/*",
        "*/*",
        "application/json;charset=utf-16",
        "application/json;charset=none",
        "application/json;charset=\"",
        "application/json;;;=",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        ";",
        "é",
      })
  void contentType_other_is415(String type) {
    assertRefused(
        post().request().with("Content-Type", type).send(), 415, "media_type_unsupported");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"application/json", "APPLICATION/JSON", "application/json; charset=\"utf-8\""})
  void contentType_json_isTaken(String type) {
    assertThat(post().request().with("Content-Type", type).send().status()).isEqualTo(201);
  }

  @Test
  void contentType_missing_is415() {
    assertRefused(post().request().without("Content-Type").send(), 415, "media_type_unsupported");
  }

  @Test
  void connection_afterAnUnreadBody_ends() throws IOException {
    try (RawConnection connection = new RawConnection(service.port())) {
      String refused = post().request().with("Signature", "sig=:AAAA:").text();

      RawResponse response = connection.send(refused.getBytes(ISO_8859_1)).read();
      assertRefused(response, 401, "signature_mismatch");
      assertThat(response.header("connection")).isEqualTo("close");
      assertThat(connection.readAll()).isEmpty();
    }
  }

  @Test
  void connection_afterABodyThatWasRead_takesTheNextRequest() throws IOException {
    RawRequest good = client.get(WALLETS + "?size=1");
    try (RawConnection connection = new RawConnection(service.port())) {
      String taken = post().request().text();

      assertThat(connection.send(taken.getBytes(ISO_8859_1)).read().status()).isEqualTo(201);
      assertThat(connection.send(good.text().getBytes(UTF_8)).read().status()).isEqualTo(200);
    }
  }

  /** The service waits up to ten minutes for the body of a request that it accepts. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "Content-Length: 1000\r\n\r\n",
        "Content-Length: 1000\r\n\r\na",
        "Transfer-Encoding: chunked\r\n\r\n",
        "Transfer-Encoding: chunked\r\n\r\n5",
        "Transfer-Encoding: chunked\r\n\r\n5\r\nab",
      })
  void body_ofAStrangerFallingSilent_endsTheConnectionInSeconds(String rest) throws IOException {
    try (RawConnection connection = new RawConnection(service.port())) {
      connection.send("POST " + WALLETS + " HTTP/1.1\r\nHost: a\r\n" + rest);

      assertRefused(connection.read(), 401, "signature_missing");
      assertThat(connection.readAll()).isEmpty();
    }
  }

  @Test
  void body_upToTwoMebibytes_isDroppedSoThatTheRefusalArrives() {
    String body = "a".repeat(2_000_000);
    RawRequest post = client.post(WALLETS, body);

    assertRefusalArrives(post);
    assertRefusalArrives(post.with("Signature", "sig=:AAAA:"));
  }

  /**
   * The service discards a body for at most 2 s after its answer. If a busy machine needs longer
   * for the whole exchange, nothing is promised, and the request is sent again.
   */
  private static void assertRefusalArrives(RawRequest request) {
    Awaitility.await()
        .pollDelay(Duration.ZERO)
        .until(
            () -> {
              long start = System.nanoTime();
              try (RawConnection connection = new RawConnection(service.port())) {
                connection.send(request.text());
                assertThat(connection.read().status()).isIn(401, 413);
                assertThat(connection.readAll()).isEmpty();
                return true;
              } catch (IOException | AssertionError failure) {
                if (Duration.ofNanos(System.nanoTime() - start).toSeconds() < 2) {
                  throw failure;
                }
                return false;
              }
            });
  }
}
