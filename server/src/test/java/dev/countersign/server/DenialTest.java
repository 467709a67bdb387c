package dev.countersign.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.server.clients.ClientStore;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each reason with its status, headers and document. If two reasons apply, the earlier check
 * decides.
 */
class DenialTest {
  private static final String WALLETS = "/ledger/v1/wallets";
  private static final String WALLET = "{\"name\":\"A\",\"currencyCode\":\"EUR\"}";
  private static TestService service;
  private static TestClient client;
  private static TestClient viewer;
  private static TestClient elsewhere;
  private static TestClient disabled;

  @BeforeAll
  static void start(@TempDir Path data) {
    service =
        TestService.start(
            data, 3, "countersign.access.body-limit=1KB", "countersign.access.body-timeout=10m");
    client = service.register();
    viewer = service.register("ledger-viewer", "0.0.0.0");
    elsewhere = service.register("ledger-operator", "203.0.113.7");
    disabled = service.register();
    service.part(ClientStore.class).disable(disabled.clientId());
    service.awaitClients();
  }

  @AfterAll
  static void stop() {
    service.close();
  }

  private static TestRequest get() {
    return client.signed("GET", WALLETS);
  }

  private static TestRequest post() {
    return client.signed("POST", WALLETS, WALLET);
  }

  private static Arguments denial(int status, String reason, Supplier<RawRequest> request) {
    return Arguments.of(status, Named.of(reason, reason), request);
  }

  static Stream<Arguments> denials() {
    List<Arguments> all = new ArrayList<>();
    all.add(denial(401, "signature_missing", () -> get().request().without("Signature")));
    all.add(denial(401, "signature_missing", () -> get().request().without("Signature-Input")));
    all.add(denial(401, "signature_malformed", () -> get().request().with("Signature", "sig=1")));
    all.add(denial(401, "label_missing", () -> get().request().with("Signature", "s=:AAAA:")));
    all.add(denial(401, "components_wrong", () -> get().without("date").request()));
    all.add(denial(401, "components_wrong", () -> get().with("accept", "x").request()));
    all.add(
        denial(
            401,
            "components_wrong",
            () -> post().request().with("Idempotency-Key", "not-covered")));
    all.add(denial(401, "parameters_wrong", () -> get().withParameters(";created=1").request()));
    all.add(
        denial(
            401,
            "algorithm_wrong",
            () ->
                get()
                    .withParameters(get().parameters().replace("rsa-v1_5-sha256", "hmac-sha256"))
                    .request()));
    all.add(denial(401, "client_unknown", () -> client.as("nobody").get(WALLETS)));
    all.add(denial(401, "client_unknown", () -> client.as("").get(WALLETS)));
    all.add(denial(401, "client_mistyped", () -> client.as("cl-0000000000000000zz").get(WALLETS)));
    all.add(
        denial(
            401,
            "client_mistyped",
            () -> client.as(client.clientId().toUpperCase(Locale.ROOT)).get(WALLETS)));
    all.add(denial(401, "client_disabled", () -> disabled.get(WALLETS)));
    all.add(denial(403, "address_not_allowed", () -> elsewhere.get(WALLETS)));
    all.add(denial(401, "created_too_old", () -> get().createdIn(-310).request()));
    all.add(denial(401, "created_in_future", () -> get().createdIn(60).request()));
    all.add(denial(401, "expired", () -> get().withMore(";expires=1").request()));
    all.add(denial(401, "date_missing", () -> get().request().without("date")));
    all.add(denial(401, "date_malformed", () -> get().request().with("date", "today")));
    all.add(
        denial(
            401,
            "date_mismatch",
            () -> get().request().with("date", "Mon, 01 Jan 2024 00:00:00 GMT")));
    all.add(denial(401, "digest_missing", () -> post().request().without("content-digest")));
    all.add(denial(401, "digest_malformed", () -> post().with("content-digest", "x").request()));
    all.add(
        denial(
            401,
            "digest_unexpected",
            () -> get().request().with("Content-Digest", "sha-256=:AAAA:")));
    all.add(denial(401, "digest_mismatch", () -> post().request().withBody(WALLET + " ")));
    all.add(denial(401, "signature_mismatch", () -> get().withUrl("http://x/").request()));
    all.add(denial(403, "role_missing", () -> viewer.post(WALLETS, WALLET)));
    all.add(denial(400, "request_malformed", () -> get().request().with("Host", "a b")));
    all.add(denial(400, "parameter_invalid", () -> client.get(WALLETS + "?size=0")));
    all.add(denial(400, "parameter_unknown", () -> client.get(WALLETS + "?pagesize=1")));
    all.add(denial(404, "not_found", () -> client.get("/nothing")));
    all.add(denial(405, "method_not_allowed", () -> of("DELETE").request()));
    all.add(denial(413, "body_too_large", () -> client.post(WALLETS, WALLET + " ".repeat(2000))));
    all.add(
        denial(
            415,
            "media_type_unsupported",
            () -> post().request().with("Content-Type", "text/plain")));
    all.add(denial(422, "body_invalid", () -> client.post(WALLETS, "{}")));
    all.addAll(laterChecks());
    return all.stream();
  }

  /** Requests with two faults of successive checks: the response names the first one. */
  private static List<Arguments> laterChecks() {
    return List.of(
        // 1 before 2
        denial(
            401,
            "signature_malformed",
            () -> get().without("date").request().with("Signature", "sig=1")),
        // components before parameters, parameters before the client
        denial(
            401,
            "components_wrong",
            () -> get().without("date").withParameters(";created=1").request()),
        denial(
            401,
            "parameters_wrong",
            () -> get().withParameters(";created=1;keyid=\"nobody\"").request()),
        // 2 before 3
        denial(
            401, "algorithm_wrong", () -> changed("rsa-v1_5-sha256", "none", client.as("nobody"))),
        // 3 before 4: an anonymous caller learns nothing about addresses; a disabled client learns
        // that it is disabled
        denial(401, "client_unknown", () -> elsewhere.as("nobody").get(WALLETS)),
        // 4 before 5
        denial(403, "address_not_allowed", () -> changed("created=[0-9]+", "created=1", elsewhere)),
        // 5 before 6
        denial(
            401,
            "created_too_old",
            () -> post().createdIn(-400).request().without("content-digest")),
        denial(
            401,
            "date_malformed",
            () -> post().request().with("date", "x").without("content-digest")),
        // within 6, and 6 before 7
        denial(
            401,
            "digest_missing",
            () -> post().request().without("content-digest").with("Content-Length", "99999999")),
        denial(
            413,
            "body_too_large",
            () -> post().withUrl("http://x/").request().with("Content-Length", "99999999")),
        denial(
            415,
            "media_type_unsupported",
            () -> post().withUrl("http://x/").request().with("Content-Encoding", "gzip")),
        // 7 before 8
        denial(
            401,
            "signature_mismatch",
            () -> post().withUrl("http://x/").request().withBody(WALLET + " ")),
        // 9, which needs no body, before 8
        denial(403, "role_missing", () -> viewer.post(WALLETS, WALLET).withBody(WALLET + " ")),
        // 9 before the parameters, the type and the body
        denial(403, "role_missing", () -> viewer.post(WALLETS + "?x=1", "{}")),
        denial(403, "role_missing", () -> viewer.post(WALLETS, "nonsense")));
  }

  private static TestRequest of(String method) {
    return client.signed(method, WALLETS);
  }

  private static RawRequest changed(String pattern, String replacement, TestClient by) {
    RawRequest request = by.get(WALLETS);
    return request.with(
        "Signature-Input", request.header("Signature-Input").replaceAll(pattern, replacement));
  }

  @ParameterizedTest(name = "{1}")
  @MethodSource("denials")
  void request_refused_isAProblemWithItsReason(
      int status, String reason, Supplier<RawRequest> request) {
    RawResponse response = request.get().send();

    assertThat(response.reason()).as(response.body()).isEqualTo(reason);
    assertThat(response.status()).isEqualTo(status);
    assertThat(response.header("content-type")).isEqualTo("application/problem+json");
    assertThat(response.header("cache-control")).isEqualTo("no-store");
    assertThat(response.json().path("type").asString()).endsWith("/" + reason);
    assertThat(response.json().path("title").asString()).isNotBlank();
    assertThat(response.json().path("detail").asString()).isNotBlank();
    assertThat(response.json().path("status").asInt()).isEqualTo(status);
    assertThat(response.json().path("requestId").asString())
        .matches("[0-9a-f]{16}")
        .isEqualTo(response.header("x-request-id"));
    assertThat(response.headers().containsKey("www-authenticate")).isEqualTo(status == 401);
    assertThat(response.headers().containsKey("accept-signature")).isEqualTo(status == 401);
    assertThat(response.headers().containsKey("allow")).isEqualTo(status == 405);
    assertThat(response.json().has("expected")).isEqualTo(reason.equals("components_wrong"));
    assertThat(response.json().has("received")).isEqualTo(reason.equals("components_wrong"));
    assertThat(response.json().has("signatureBase")).isEqualTo(reason.equals("signature_mismatch"));
    assertThat(response.headers()).doesNotContainKeys("server", "set-cookie", "x-powered-by");
  }

  @Test
  void post_sentTwice_isReplayed() {
    RawRequest post = client.post(WALLETS, WALLET);

    assertThat(post.send().status()).isEqualTo(201);
    RawResponse again = post.send();
    assertThat(again.status()).isEqualTo(401);
    assertThat(again.reason()).isEqualTo("replayed");
    assertThat(again.header("www-authenticate")).isEqualTo("Signature realm=\"countersign\"");
  }

  @Test
  void acceptSignature_withABody_asksForItsDigest() {
    assertThat(post().request().without("Signature").send().header("accept-signature"))
        .isEqualTo(
            "sig=(\"@method\" \"@target-uri\" \"content-digest\" \"date\")"
                + ";created;keyid;alg=\"rsa-v1_5-sha256\"");
  }

  @Test
  void signatureMismatch_showsTheBaseAsReceived() {
    RawRequest request = get().withUrl("http://elsewhere/").request();

    assertThat(request.send().json().path("signatureBase").asString())
        .isEqualTo(
            String.format(
                Locale.ROOT,
                "\"@method\": GET\n\"@target-uri\": %s\n\"date\": %s\n\"@signature-params\": %s",
                service.url() + WALLETS,
                request.header("date"),
                request.header("Signature-Input").substring("sig=".length())));
  }
}
