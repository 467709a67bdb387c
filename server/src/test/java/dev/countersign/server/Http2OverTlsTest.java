package dev.countersign.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.signatures.httpclient.HttpRequestSigner;
import dev.countersign.signatures.keys.CryptoProvider;
import dev.countersign.testing.Waits;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A partner that calls over TLS, where ALPN selects HTTP/2 (RFC 9113 section 3.2). */
@Tag("full")
class Http2OverTlsTest {
  private static final String WALLETS = "/ledger/v1/wallets";
  private static final AtomicInteger COUNT = new AtomicInteger();
  private static TestService service;
  private static TestClient client;
  private static HttpRequestSigner signer;
  private static HttpClient http;

  @BeforeAll
  static void start(@TempDir Path data) throws Exception {
    TestCertificate certificate = TestCertificate.make(data.resolve("tls"));
    List<String> settings = new ArrayList<>(certificate.settings());
    settings.add("server.http2.enabled=true");
    settings.add("countersign.access.body-timeout=10m");
    service = TestService.start(data.resolve("data"), 3, settings.toArray(String[]::new));
    client = service.register();
    signer = new HttpRequestSigner(client.signer(), CryptoProvider.jdk());
    http = HttpClient.newBuilder().sslContext(certificate.trusting()).build();
  }

  @AfterAll
  static void stop() {
    http.close();
    service.close();
  }

  private static HttpRequest.Builder to(String target) {
    return HttpRequest.newBuilder(URI.create(service.url() + target));
  }

  private static HttpRequest.Builder post() {
    return to(WALLETS).header("Content-Type", "application/json");
  }

  private static String wallet() {
    return String.format(
        Locale.ROOT, "{\"name\":\"T%d\",\"currencyCode\":\"EUR\"}", COUNT.incrementAndGet());
  }

  private static HttpRequest signed(HttpRequest request) throws Exception {
    return signer.sign(request, Instant.now());
  }

  private static HttpResponse<String> send(HttpRequest request) throws Exception {
    HttpResponse<String> response = http.send(request, BodyHandlers.ofString());
    assertThat(response.version()).isEqualTo(HttpClient.Version.HTTP_2);
    assertThat(response.headers().firstValue("x-request-id")).isPresent();
    return response;
  }

  @Test
  void list_signed_isServed() throws Exception {
    HttpResponse<String> response = send(signed(to(WALLETS + "?size=2").build()));

    assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
    assertThat(response.headers().firstValue("link").orElseThrow())
        .contains("<" + service.url() + WALLETS + "?size=2&page=1>; rel=\"next\"");
  }

  @Test
  void list_signedForAnotherUrl_isRefused() throws Exception {
    HttpRequest signed = signed(to(WALLETS + "?size=2").build());
    HttpRequest.Builder other = to(WALLETS + "?size=3");
    signed.headers().map().forEach((name, all) -> other.header(name, all.get(0)));

    HttpResponse<String> response = send(other.build());
    assertThat(response.statusCode()).isEqualTo(401);
    assertThat(response.body()).contains("signature_mismatch");
    assertThat(response.headers().firstValue("www-authenticate")).isPresent();
  }

  @Test
  void create_withContentLength_isDone() throws Exception {
    HttpResponse<String> response =
        send(signed(post().POST(BodyPublishers.ofString(wallet())).build()));

    assertThat(response.statusCode()).as(response.body()).isEqualTo(201);
    assertThat(response.headers().firstValue("location").orElseThrow())
        .startsWith(service.url() + WALLETS + "/");
  }

  /** The signature of a body whose publisher does not give a length. */
  private static HttpRequest streamed(String body, InputStream sent) throws Exception {
    HttpRequest known = signed(post().POST(BodyPublishers.ofString(body)).build());
    HttpRequest.Builder unknown = to(WALLETS).POST(BodyPublishers.ofInputStream(() -> sent));
    known.headers().map().forEach((name, all) -> unknown.header(name, all.get(0)));
    return unknown.build();
  }

  private static InputStream bytes(String text) {
    return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void create_withoutContentLength_isDone() throws Exception {
    String body = wallet();

    assertThat(send(streamed(body, bytes(body))).statusCode()).isEqualTo(201);
    assertThat(send(streamed(wallet(), bytes(wallet()))).body()).contains("digest_mismatch");
  }

  /**
   * Half of the body is sent after the service has answered another request on the same connection.
   */
  @Test
  void create_slowly_isDone() throws Exception {
    String body = wallet();
    CountDownLatch answered = new CountDownLatch(1);
    InputStream slow =
        new ByteArrayInputStream(body.getBytes(StandardCharsets.UTF_8)) {
          @Override
          public synchronized int read(byte[] into, int offset, int length) {
            if (pos > 0) {
              try {
                Waits.forLatch(answered);
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            }
            return super.read(into, offset, Math.min(length, 5));
          }
        };
    CompletableFuture<HttpResponse<String>> created =
        http.sendAsync(streamed(body, slow), BodyHandlers.ofString());

    assertThat(send(signed(to(WALLETS).build())).statusCode()).isEqualTo(200);
    answered.countDown();
    HttpResponse<String> response = Waits.forResult(created);
    assertThat(response.statusCode()).as(response.body()).isEqualTo(201);
  }

  @Test
  void create_large_isDone() throws Exception {
    String padding = " ".repeat(900_000);
    String body = wallet().replace("{", "{" + padding);

    HttpResponse<String> response =
        send(signed(post().POST(BodyPublishers.ofString(body)).build()));
    assertThat(response.statusCode()).as(response.body()).isEqualTo(201);
  }

  @Test
  void create_expectingContinue_isDone() throws Exception {
    HttpRequest request =
        post().expectContinue(true).POST(BodyPublishers.ofString(wallet())).build();

    assertThat(send(signed(request)).statusCode()).isEqualTo(201);
  }

  /** The refusal arrives although much of the body has not been sent yet. */
  @ParameterizedTest
  @ValueSource(ints = {100, 60_000, 900_000, 1_900_000})
  void refusal_withTheBodyUnread_arrives(int length) throws Exception {
    HttpRequest unsigned = post().POST(BodyPublishers.ofString("a".repeat(length))).build();
    HttpResponse<String> refused = send(unsigned);

    assertThat(refused.statusCode()).isEqualTo(401);
    assertThat(refused.body()).contains("signature_missing");
    assertThat(send(signed(to(WALLETS).build())).statusCode()).isEqualTo(200);
  }

  @Test
  void body_tooLarge_isRefused() throws Exception {
    HttpRequest large = post().POST(BodyPublishers.ofString("a".repeat(1_900_000))).build();

    assertThat(send(signed(large)).statusCode()).isEqualTo(413);
  }

  @Test
  void requests_atOnce_areAllServed() throws Exception {
    List<CompletableFuture<HttpResponse<String>>> answers = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      HttpRequest create = signed(post().POST(BodyPublishers.ofString(wallet())).build());
      answers.add(http.sendAsync(create, BodyHandlers.ofString()));
    }
    for (CompletableFuture<HttpResponse<String>> answer : answers) {
      HttpResponse<String> response = Waits.forResult(answer);
      assertThat(response.statusCode()).as(response.body()).isEqualTo(201);
    }
  }

  @Test
  void replay_isRefused() throws Exception {
    HttpRequest create = signed(post().POST(BodyPublishers.ofString(wallet())).build());

    assertThat(send(create).statusCode()).isEqualTo(201);
    assertThat(send(create).body()).contains("replayed");
  }

  @Test
  void portal_besideTheApi_isServed() throws Exception {
    HttpResponse<String> response = send(to("/portal/sign-in").build());

    assertThat(response.statusCode()).isIn(200, 302, 303);
  }

  @Test
  void http11_besideIt_isServed() throws Exception {
    HttpRequest request = to(WALLETS).version(HttpClient.Version.HTTP_1_1).build();
    HttpResponse<String> response = http.send(signed(request), BodyHandlers.ofString());

    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.version()).isEqualTo(HttpClient.Version.HTTP_1_1);
  }
}
