package dev.countersign.signatures.httpclient;

import static dev.countersign.signatures.base.VerificationFailure.COMPONENTS_WRONG;
import static dev.countersign.signatures.base.VerificationFailure.DIGEST_MISMATCH;
import static dev.countersign.signatures.base.VerificationFailure.SIGNATURE_MISMATCH;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.countersign.signatures.SignableResponse;
import dev.countersign.signatures.VerifiedSignature;
import dev.countersign.signatures.base.HttpMessage;
import dev.countersign.signatures.base.RequestMessage;
import dev.countersign.signatures.base.ResponseMessage;
import dev.countersign.signatures.base.VerificationException;
import dev.countersign.signatures.keys.CryptoProvider;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A client and a server of different kinds: each verifies the signatures of the other. */
class EndToEndTest {
  private static HttpServer server;

  @BeforeAll
  static void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", EndToEndTest::answer);
    server.start();
  }

  @AfterAll
  static void stop() {
    server.stop(0);
  }

  /** Verifies a request and responds with its body and a signature over both messages. */
  private static void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      byte[] body = exchange.getRequestBody().readAllBytes();
      RequestMessage request = new HttpServerRequest(exchange);
      try {
        SignedHttp.VERIFIER.verify(request, body);
        SignableResponse.of(200, request, SignedHttp.NOW)
            .withBody(body, CryptoProvider.jdk())
            .signedHeaders(SignedHttp.RESPONSE_SIGNER)
            .forEach(exchange.getResponseHeaders()::set);
        exchange.sendResponseHeaders(200, body.length == 0 ? -1 : body.length);
        exchange.getResponseBody().write(body);
      } catch (VerificationException e) {
        exchange.getResponseHeaders().set("X-Failure", e.failure().name());
        exchange.sendResponseHeaders(401, -1);
      }
    }
  }

  private static HttpRequest.Builder to(String target) {
    return HttpClients.request("http://localhost:" + server.getAddress().getPort() + target);
  }

  private static HttpResponse<byte[]> send(HttpRequest request) throws Exception {
    return HttpClients.PLAIN.send(request, BodyHandlers.ofByteArray());
  }

  private static HttpResponse<byte[]> sign(HttpRequest request) throws Exception {
    return send(SignedHttp.SIGNER.sign(request, SignedHttp.NOW));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "/a?page=0&sort=name,asc", "//a/../%2F;p?b=%2f+&", "/\u00e9?\u20ac"})
  void get_signed_isAnsweredByASignatureOverBoth(String target) throws Exception {
    HttpResponse<byte[]> response = sign(to(target).build());

    assertThat(response.statusCode()).isEqualTo(200);
    VerifiedSignature verified =
        SignedHttp.RESPONSE_VERIFIER.verify(HttpClientResponse.of(response), response.body());
    assertThat(verified.base().text())
        .startsWith(
            "\"@status\": 200\n\"@method\";req: GET\n\"@target-uri\";req: "
                + SentUri.of(to(target).build().uri())
                + "\n\"signature\";req;key=\"sig\": :");
  }

  @Test
  void post_signed_isAnsweredByASignatureOverBoth() throws Exception {
    HttpResponse<byte[]> response =
        sign(to("/a").POST(BodyPublishers.ofString("caf\u00e9")).build());

    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(new String(response.body(), UTF_8)).isEqualTo("caf\u00e9");
    VerifiedSignature verified =
        SignedHttp.RESPONSE_VERIFIER.verify(HttpClientResponse.of(response), response.body());
    assertThat(verified.covers("content-digest")).isTrue();
    assertThat(verified.base().text()).contains("\"@method\";req: POST\n");
  }

  @Test
  void request_changedAfterSigning_isRefused() throws Exception {
    HttpRequest signed =
        SignedHttp.SIGNER.sign(to("/a").POST(BodyPublishers.ofString("1")).build(), SignedHttp.NOW);
    HttpRequest.Builder changed = HttpRequest.newBuilder(signed, (name, value) -> true);

    assertThat(send(changed.uri(to("/b").build().uri()).build()).headers().map())
        .containsEntry("x-failure", List.of(SIGNATURE_MISMATCH.name()));
    assertThat(
            send(changed.uri(signed.uri()).POST(BodyPublishers.ofString("2")).build())
                .headers()
                .map())
        .containsEntry("x-failure", List.of(DIGEST_MISMATCH.name()));
    assertThat(send(signed).statusCode()).isEqualTo(200);
  }

  /** RFC 9421 section 7.3.2: a response is not accepted as that to another request. */
  @Test
  void response_toAnotherRequest_isRefused() throws Exception {
    HttpResponse<byte[]> first = sign(to("/first").build());
    HttpResponse<byte[]> second = sign(to("/second").build());
    ResponseMessage swapped =
        new Answer(HttpClientResponse.of(first), HttpClientResponse.of(second).request());
    ResponseMessage unbound = new Answer(HttpClientResponse.of(first), Optional.empty());

    assertThat(refusal(swapped, first.body()).failure()).isEqualTo(SIGNATURE_MISMATCH);
    assertThat(refusal(unbound, first.body()).failure()).isEqualTo(COMPONENTS_WRONG);
  }

  @Test
  void response_withAnotherBody_isRefused() throws Exception {
    HttpResponse<byte[]> response = sign(to("/a").POST(BodyPublishers.ofString("1")).build());

    assertThat(refusal(HttpClientResponse.of(response), "2".getBytes(UTF_8)).failure())
        .isEqualTo(DIGEST_MISMATCH);
  }

  private static VerificationException refusal(HttpMessage message, byte[] body) {
    return catchThrowableOfType(
        VerificationException.class, () -> SignedHttp.RESPONSE_VERIFIER.verify(message, body));
  }

  /** A response presented as that to a chosen request. */
  private record Answer(ResponseMessage response, Optional<RequestMessage> request)
      implements ResponseMessage {

    @Override
    public int status() {
      return response.status();
    }

    @Override
    public List<String> fieldLines(String lowerCaseName) {
      return response.fieldLines(lowerCaseName);
    }

    @Override
    public BodyFraming bodyFraming() {
      return response.bodyFraming();
    }
  }
}
