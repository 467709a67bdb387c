package dev.countersign.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.countersign.client.keys.KeyException;
import java.io.ByteArrayInputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class RequestSignerTest {
  private static final RequestSigner SIGNER = RequestSigner.of(TestKey.CLIENT_ID, TestKey.SOURCE);
  private static final String TEXT = "caf\u00e9 ".repeat(40_000);

  @TempDir static Path folder;

  private static SignedServer server;
  private static HttpClient http;

  @BeforeAll
  static void start() throws Exception {
    server = SignedServer.replying(request -> Reply.json(new String(request.body(), UTF_8)));
    http = HttpClient.newHttpClient();
    Files.writeString(folder.resolve("body"), TEXT);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static HttpResponse<String> send(HttpRequest request) throws Exception {
    return http.send(request, BodyHandlers.ofString());
  }

  private static HttpRequest.Builder to(String target) {
    return HttpRequest.newBuilder(server.uri(target));
  }

  static Stream<Arguments> bodies() throws Exception {
    byte[] bytes = TEXT.getBytes(UTF_8);
    return Stream.of(
        Arguments.of("string", BodyPublishers.ofString(TEXT)),
        Arguments.of("bytes", BodyPublishers.ofByteArray(bytes)),
        Arguments.of(
            "part of bytes",
            BodyPublishers.ofByteArray((" " + TEXT).getBytes(UTF_8), 1, bytes.length)),
        Arguments.of("arrays", BodyPublishers.ofByteArrays(List.of(bytes))),
        Arguments.of("file", BodyPublishers.ofFile(folder.resolve("body"))),
        Arguments.of("stream", BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(bytes))),
        Arguments.of("one stream", once(bytes)),
        Arguments.of("publisher", BodyPublishers.fromPublisher(BodyPublishers.ofByteArray(bytes))),
        Arguments.of(
            "concatenation",
            BodyPublishers.concat(BodyPublishers.ofByteArray(bytes), BodyPublishers.noBody())));
  }

  private static BodyPublisher once(byte[] bytes) {
    ByteArrayInputStream only = new ByteArrayInputStream(bytes);
    return BodyPublishers.ofInputStream(() -> only);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("bodies")
  void sign_bodyOfAnyPublisher_isTakenByTheServer(String kind, BodyPublisher body)
      throws Exception {
    HttpResponse<String> response = send(SIGNER.sign(to("/a").POST(body).build()));

    assertThat(response.statusCode()).as(kind).isEqualTo(200);
    assertThat(response.body()).isEqualTo(TEXT);
  }

  @ParameterizedTest
  @ValueSource(strings = {"GET", "HEAD", "OPTIONS", "DELETE", "POST", "PUT", "PATCH"})
  void sign_methodWithoutBody_isTakenByTheServer(String method) throws Exception {
    HttpRequest request = to("/a?b=%2f&c").method(method, BodyPublishers.noBody()).build();

    assertThat(send(SIGNER.sign(request)).statusCode()).isEqualTo(200);
  }

  @Test
  void sign_again_replacesSignatureAndDateAlone() throws Exception {
    Instant then = Instant.parse("2024-03-05T07:08:09Z");
    RequestSigner early = SIGNER.withClock(Clock.fixed(then, ZoneOffset.UTC));
    HttpRequest first =
        early.sign(to("/a").header("X-A", "1").POST(BodyPublishers.ofString("b")).build());
    assertThat(first.headers().firstValue("date")).hasValue("Tue, 05 Mar 2024 07:08:09 GMT");
    assertThat(send(first).statusCode()).isEqualTo(401);

    HttpRequest second = SIGNER.sign(first);

    for (String name : List.of("date", "signature", "signature-input", "content-digest", "x-a")) {
      assertThat(second.headers().allValues(name)).as(name).hasSize(1);
    }
    assertThat(send(second).statusCode()).isEqualTo(200);
  }

  @Test
  void sign_besideAnotherLabel_leavesItThere() throws Exception {
    HttpRequest other =
        to("/a").header("Signature-Input", "other=()").header("Signature", "other=:AQ==:").build();

    HttpRequest signed = SIGNER.sign(SIGNER.sign(other));

    assertThat(signed.headers().allValues("signature"))
        .hasSize(2)
        .first()
        .isEqualTo("other=:AQ==:");
    assertThat(send(signed).statusCode()).isEqualTo(200);
  }

  @Test
  void sign_idempotencyKey_isCovered() {
    HttpRequest signed = SIGNER.sign(to("/a").header("Idempotency-Key", "k").build());

    assertThat(signed.headers().firstValue("signature-input").orElseThrow())
        .startsWith("sig=(\"@method\" \"@target-uri\" \"date\" \"idempotency-key\");created=")
        .endsWith(";keyid=\"cl-partner\";alg=\"rsa-v1_5-sha256\"");
  }

  @Test
  void sign_withoutUsableKey_saysWhatTheSourceSays() {
    RequestSigner keyless =
        RequestSigner.of(
            TestKey.CLIENT_ID,
            clientId -> {
              throw new KeyException("no key for " + clientId);
            });

    assertThatExceptionOfType(KeyException.class)
        .isThrownBy(() -> keyless.sign(to("/a").build()))
        .withMessage("no key for cl-partner");
  }

  @Test
  void clientId_isTheKeyid() {
    assertThat(SIGNER.clientId()).isEqualTo("cl-partner");
  }
}
