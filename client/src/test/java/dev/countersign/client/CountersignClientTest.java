package dev.countersign.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.countersign.client.keys.KeyException;
import dev.countersign.testing.TestThreads;
import dev.countersign.testing.Waits;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.json.JsonMapper;

class CountersignClientTest {
  private static final String WALLET = "{\"id\": \"w1\", \"currencyCode\": \"EUR\", \"new\": 1}";

  record Wallet(String id, String currencyCode) {}

  private static CountersignClient client(SignedServer server) {
    return new RecordedWaits().client(server.uri()).build();
  }

  private static CountersignException refusal(Runnable call) {
    return catchThrowableOfType(CountersignException.class, call::run);
  }

  @Test
  void get_typed_readsWhatItKnows() throws Exception {
    try (SignedServer server = SignedServer.replying(Reply.json(WALLET))) {
      assertThat(client(server).get("/ledger/v1/wallets/w1", Wallet.class))
          .isEqualTo(new Wallet("w1", "EUR"));
      assertThat(server.requests().get(0).header("accept")).isEqualTo("application/json");
      assertThat(server.requests().get(0).path()).isEqualTo("/ledger/v1/wallets/w1");
    }
  }

  @Test
  void get_genericOrTree_readsThem() throws Exception {
    try (SignedServer server = SignedServer.replying(Reply.json("[" + WALLET + "]"))) {
      assertThat(client(server).get("/a", new TypeReference<List<Wallet>>() {}))
          .containsExactly(new Wallet("w1", "EUR"));
      assertThat(client(server).get("/a", JsonNode.class).path(0).path("new").asInt()).isEqualTo(1);
    }
  }

  @Test
  void get_ownMapper_isUsed() throws Exception {
    JsonMapper snakes =
        JsonMapper.builder().propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE).build();
    try (SignedServer server = SignedServer.replying(Reply.json("{\"currency_code\": \"EUR\"}"))) {
      CountersignClient client =
          new RecordedWaits().client(server.uri()).withJsonMapper(snakes).build();

      assertThat(client.get("/a", Wallet.class).currencyCode()).isEqualTo("EUR");
    }
  }

  @Test
  void post_object_isJsonUnderASignedIdempotencyKey() throws Exception {
    try (SignedServer server = SignedServer.replying(Reply.json(WALLET))) {
      Wallet made = client(server).post("/a", Map.of("name", "caf\u00e9"), Wallet.class);

      ServedRequest request = server.requests().get(0);
      assertThat(made.id()).isEqualTo("w1");
      assertThat(request.method()).isEqualTo("POST");
      assertThat(new String(request.body(), UTF_8)).isEqualTo("{\"name\":\"caf\u00e9\"}");
      assertThat(request.header("content-type")).isEqualTo("application/json");
      assertThat(request.header("idempotency-key"))
          .matches("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");
      assertThat(request.header("signature-input")).contains("\"idempotency-key\"");
    }
  }

  @Test
  void post_bytesOrPublisher_areSentAsTheyAre() throws Exception {
    try (SignedServer server = SignedServer.replying(Reply.json("{}"))) {
      client(server).post("/a", "[1, 2]".getBytes(UTF_8), JsonNode.class);
      client(server).post("/a", BodyPublishers.ofString("[3]"), JsonNode.class);

      assertThat(server.requests())
          .extracting(request -> new String(request.body(), UTF_8))
          .containsExactly("[1, 2]", "[3]");
      assertThat(server.requests())
          .extracting(request -> request.header("idempotency-key"))
          .doesNotHaveDuplicates();
    }
  }

  @Test
  void post_withoutIdempotencyKeys_hasNone() throws Exception {
    try (SignedServer server = SignedServer.replying(Reply.json("{}"))) {
      new RecordedWaits()
          .client(server.uri())
          .withoutIdempotencyKeys()
          .build()
          .post("/a", 1, JsonNode.class);

      assertThat(server.requests().get(0).header("idempotency-key")).isEqualTo("absent");
    }
  }

  @Test
  void post_answeredWithoutBody_isAMissingNode() throws Exception {
    try (SignedServer server = SignedServer.replying(Reply.status(201))) {
      assertThat(client(server).post("/a", 1, JsonNode.class).isMissingNode()).isTrue();
      assertThat(refusal(() -> client(server).post("/a", 1, Wallet.class)).reason())
          .isEqualTo("answer_malformed");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "<html>", "{\"id\": {}}", "null", "{\"id\": \"\u0007", "[1,"})
  void get_answerOfAnotherKind_isMalformed(String body) throws Exception {
    try (SignedServer server = SignedServer.replying(Reply.json(body))) {
      CountersignException thrown = refusal(() -> client(server).get("/a", Wallet.class));

      assertThat(thrown.reason()).isEqualTo("answer_malformed");
      assertThat(thrown).hasMessageStartingWith("answer_malformed: GET " + server.uri("/a") + ": ");
      assertThat(thrown.status()).hasValue(200);
      assertThat(thrown.getMessage()).doesNotContain("\n", "\u0007");
    }
  }

  @Test
  void get_refused_carriesTheProblem() throws Exception {
    Reply reply =
        Reply.problem(
            401,
            "\"title\": \"Signature mismatch\", \"detail\": \"wrong\\u001b[31m key\\nhere\", "
                + "\"reason\": \"signature_mismatch\", \"requestId\": \"r-1\", "
                + "\"signatureBase\": \"\\\"@method\\\": GET\\n\\\"date\\\": x\"");
    try (SignedServer server = SignedServer.replying(reply)) {
      CountersignException thrown = refusal(() -> client(server).get("/a?b=c", Wallet.class));

      assertThat(thrown)
          .hasMessage(
              "signature_mismatch: GET "
                  + server.uri("/a?b=c")
                  + ": wrong [31m key here (status 401, request id r-1)");
      assertThat(thrown.reason()).isEqualTo("signature_mismatch");
      assertThat(thrown.status()).hasValue(401);
      assertThat(thrown.attempts()).isEqualTo(1);
      assertThat(thrown.clockSkew()).isEmpty();
      assertThat(thrown.problem().orElseThrow().signatureBase())
          .hasValue("\"@method\": GET\n\"date\": x");
    }
  }

  @Test
  void get_refusedWithoutProblem_isNamedByItsStatus() throws Exception {
    try (SignedServer server = SignedServer.replying(Reply.status(418))) {
      CountersignException thrown = refusal(() -> client(server).get("/a", Wallet.class));

      assertThat(thrown.reason()).isEqualTo("http_418");
      assertThat(thrown.problem()).isEmpty();
      assertThat(thrown).hasMessageEndingWith(": the service gave no reason (status 418)");
    }
  }

  @Test
  void get_redirectedElsewhere_isRefused() throws Exception {
    try (SignedServer server =
        SignedServer.replying(Reply.redirect(302, "https://evil.example/a"))) {
      CountersignException thrown = refusal(() -> client(server).get("/a", Wallet.class));

      assertThat(thrown.reason()).isEqualTo("redirect_refused");
      assertThat(thrown).hasMessageContaining("redirects to https://evil.example/a");
    }
  }

  @Test
  void get_redirectedInside_isFollowed() throws Exception {
    try (SignedServer server =
        SignedServer.replying(
            request ->
                request.path().equals("/a") ? Reply.redirect(308, "/b") : Reply.json(WALLET))) {
      assertThat(client(server).get("/a", Wallet.class).id()).isEqualTo("w1");
    }
  }

  /** The 200 of the GET that the redirect would make is not a response to the write. */
  @ParameterizedTest
  @ValueSource(ints = {301, 302})
  void post_redirectedToBecomeAGet_isRefused(int status) throws Exception {
    try (SignedServer server =
        SignedServer.replying(
            request ->
                request.path().equals("/a") ? Reply.redirect(status, "/b") : Reply.json(WALLET))) {
      CountersignException thrown = refusal(() -> client(server).post("/a", 1, Wallet.class));

      assertThat(thrown.reason()).isEqualTo("redirect_refused");
      assertThat(thrown).hasMessageContaining("would turn a POST into a GET");
      assertThat(server.requests()).hasSize(1);
    }
  }

  @Test
  void post_redirectedBySeeOther_readsTheAnswerThere() throws Exception {
    try (SignedServer server =
        SignedServer.replying(
            request ->
                request.path().equals("/a") ? Reply.redirect(303, "/b") : Reply.json(WALLET))) {
      assertThat(client(server).post("/a", 1, Wallet.class).id()).isEqualTo("w1");
      assertThat(server.requests().get(1).method()).isEqualTo("GET");
    }
  }

  @Test
  void get_withoutUsableKey_saysSo() throws Exception {
    CountersignClient client =
        CountersignClient.builder(
                URI.create("http://localhost:1"),
                "cl",
                clientId -> {
                  throw new KeyException("key.pem is gone");
                })
            .build();

    CountersignException thrown = refusal(() -> client.get("/a", Wallet.class));

    assertThat(thrown.reason()).isEqualTo("key_unusable");
    assertThat(thrown).hasMessage("key_unusable: GET http://localhost:1/a: key.pem is gone");
    assertThat(thrown.attempts()).isZero();
  }

  /** Both messages are about an exception of the caller's own code, not about the call. */
  @Test
  void get_keySourceThatFails_isNoUsableKey() {
    CountersignClient client =
        CountersignClient.builder(
                URI.create("http://localhost:1"),
                "cl",
                clientId -> {
                  throw new IllegalArgumentException("no such vault");
                })
            .build();

    CountersignException thrown = refusal(() -> client.get("/a", Wallet.class));

    assertThat(thrown.reason()).isEqualTo("key_unusable");
    assertThat(thrown)
        .hasMessage(
            "key_unusable: GET http://localhost:1/a: the key source failed with"
                + " IllegalArgumentException")
        .hasRootCauseMessage("no such vault");
  }

  @Test
  void send_requestThatCannotBeSigned_saysSo() {
    URI base = URI.create("http://localhost:1");
    CountersignClient client = new RecordedWaits().client(base).build();
    HttpRequest request =
        HttpRequest.newBuilder(base).header("Idempotency-Key", "caf\u00e9").build();

    CountersignException thrown = refusal(() -> client.send(request));

    assertThat(thrown.reason()).isEqualTo("request_unsignable");
    assertThat(thrown.attempts()).isZero();
  }

  @Test
  void send_anyStatus_isReturned() throws Exception {
    try (SignedServer server = SignedServer.replying(Reply.status(404))) {
      HttpRequest request = HttpRequest.newBuilder(server.uri("/a")).DELETE().build();

      HttpResponse<byte[]> response = client(server).send(request);

      assertThat(response.statusCode()).isEqualTo(404);
      assertThat(CountersignException.refused(response.request(), response))
          .hasMessageStartingWith("http_404: DELETE ");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "https://api.example.com, /a?b=c, https://api.example.com/a?b=c",
    "https://api.example.com, a, https://api.example.com/a",
    "https://api.example.com/, /a, https://api.example.com/a",
    "https://api.example.com/eu, /a, https://api.example.com/eu/a",
    "https://api.example.com/eu/, a, https://api.example.com/eu/a",
    "https://api.example.com, '', https://api.example.com",
    "https://api.example.com, ?page=1, https://api.example.com?page=1",
    "https://api.example.com/eu, https://API.example.com:443/x, https://API.example.com:443/x"
  })
  void resolve_target_isUnderTheBase(String base, String target, URI expected) {
    CountersignClient client = new RecordedWaits().client(URI.create(base)).build();

    assertThat(client.resolve(target)).isEqualTo(expected);
    assertThat(client.baseUri()).isEqualTo(URI.create(base));
    assertThat(client.clientId()).isEqualTo("cl-partner");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://api.example.com/",
        "https://api.example.com:444/",
        "https://evil.example/",
        "https://api.example.com@evil.example/",
        "https://me@api.example.com/",
        "ftp://a/",
        "a b"
      })
  void resolve_elsewhere_isRefused(String target) {
    CountersignClient client =
        new RecordedWaits().client(URI.create("https://api.example.com")).build();

    assertThatIllegalArgumentException().isThrownBy(() -> client.resolve(target));
    assertThatIllegalArgumentException().isThrownBy(() -> client.list(target));
  }

  /** A fragment is never sent: the target would be /wallets, without the filter. */
  @ParameterizedTest
  @ValueSource(
      strings = {"/wallets#1?status=A", "/wallets?status=A#", "#1", "https://api.example.com/a#b"})
  void target_withAFragment_isRefused(String target) {
    CountersignClient client =
        new RecordedWaits().client(URI.create("https://api.example.com")).build();

    Stream.<Runnable>of(
            () -> client.resolve(target),
            () -> client.list(target),
            () -> client.get(target, JsonNode.class),
            () -> client.post(target, 1))
        .forEach(
            call ->
                assertThatIllegalArgumentException()
                    .isThrownBy(call::run)
                    .withMessageStartingWith("a target must have no fragment; "));
  }

  @Test
  void send_toAnotherOrigin_isRefused() {
    CountersignClient client =
        new RecordedWaits().client(URI.create("https://api.example.com")).build();
    HttpRequest request = HttpRequest.newBuilder(URI.create("https://evil.example/")).build();

    assertThatIllegalArgumentException()
        .isThrownBy(() -> client.send(request))
        .withMessageContaining("https://api.example.com:443");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"api.example.com", "ftp://a", "https://a?b", "https://a#b", "https://me@a"})
  void builder_baseOfAnotherKind_isRefused(String base) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CountersignClient.builder(URI.create(base), "cl", TestKey.SOURCE));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://user:secret@host",
        "https://user:secret@bad_host:1/a",
        "https://host/a?secret=1",
        "https://host/a#secret",
        "user:secret@host",
        "ftp://user:secret@host/a",
        "//user:secret@host"
      })
  void builder_baseWithASecret_isNotQuoted(String base) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CountersignClient.builder(URI.create(base), "cl", TestKey.SOURCE))
        .withMessageContaining("host")
        .withMessageNotContaining("secret");
  }

  @Test
  void resolve_targetWithASecret_isNotQuoted() {
    CountersignClient client =
        new RecordedWaits().client(URI.create("https://api.example.com")).build();

    assertThatIllegalArgumentException()
        .isThrownBy(() -> client.resolve("https://user:secret@api.example.com/a?b"))
        .withMessageEndingWith("was https://api.example.com/a")
        .withMessageNotContaining("secret");
  }

  @Test
  void builder_changed_isAnotherOne() throws Exception {
    try (SignedServer server = SignedServer.replying(Reply.json("{}"))) {
      CountersignClient.Builder builder = new RecordedWaits().client(server.uri());

      CountersignClient.Builder unused = builder.withoutIdempotencyKeys();
      builder.build().post("/a", 1);

      assertThat(server.requests().get(0).header("idempotency-key")).isNotEqualTo("absent");
      assertThat(unused).isNotSameAs(builder);
    }
  }

  @Test
  void builder_wrongSettings_areRefused() {
    CountersignClient.Builder builder = new RecordedWaits().client(URI.create("http://a"));

    assertThatIllegalArgumentException().isThrownBy(() -> builder.withTimeout(Duration.ZERO));
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                builder.withHttpClient(
                    HttpClient.newBuilder().followRedirects(HttpClient.Redirect.ALWAYS).build()));
  }

  @Test
  void client_ofManyThreads_servesThemAll() throws Exception {
    try (SignedServer server =
            SignedServer.replying(request -> Reply.json("\"" + request.path() + "\""));
        TestThreads threads = TestThreads.of(8)) {
      CountersignClient client = client(server);
      List<Future<String>> answers =
          IntStream.range(0, 200)
              .mapToObj(i -> threads.submit(() -> client.get("/" + i, String.class)))
              .toList();

      for (int i = 0; i < answers.size(); i++) {
        assertThat(Waits.forResult(answers.get(i))).isEqualTo("/" + i);
      }
    }
  }
}
