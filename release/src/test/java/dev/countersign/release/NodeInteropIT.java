package dev.countersign.release;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.client.RequestSigner;
import dev.countersign.client.keys.KeySource;
import dev.countersign.signatures.SignatureAlgorithm;
import dev.countersign.signatures.SigningKey;
import dev.countersign.signatures.keys.CryptoProvider;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Tests with the npm package {@code http-message-signatures}, another implementation of RFC 9421:
 * the service accepts its signatures, and it verifies those of the SDK.
 */
@Tag("full")
@Timeout(value = 20, unit = TimeUnit.MINUTES)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class NodeInteropIT {
  private static final JsonMapper JSON = JsonMapper.shared();
  private static final String BODY = "{\"name\": \"Träume & 夢\", \"currencyCode\": \"EUR\"}";

  private Path node;
  private Path script;
  private Served service;
  private OpensslPartner opensslPartner;

  @BeforeAll
  @Timeout(value = 20, unit = TimeUnit.MINUTES)
  void serve(@TempDir Path folder) throws IOException, InterruptedException {
    node = NpmPackage.install("http-message-signatures", "1.0.6");
    script = NpmPackage.script(node, "interop.cjs");
    Command.require("openssl", "curl");
    Path release = Release.copyTo(folder.resolve("countersign"));
    Path data = folder.resolve("data");
    service = Served.start(release, "serve", "--port", "0", "--demo", "--data", data.toString());
    opensslPartner = OpensslPartner.register(release, data, "ledger-operator");
    opensslPartner.awaitKnownTo(service);
  }

  @AfterAll
  void stop() {
    if (service != null) {
      service.close();
    }
  }

  @Test
  void server_listSignedByThePackage_isAccepted() throws Exception {
    JsonNode answer = send("GET", wallets() + "?size=3&sort=currencyCode%2Cdesc");
    assertThat(answer.get("status").asInt()).as("%s", answer).isEqualTo(200);
    assertThat(answer.get("body").get("content").size()).isEqualTo(3);
  }

  @Test
  void server_createSignedByThePackage_isAccepted() throws Exception {
    JsonNode answer = send("POST", wallets(), BODY);
    assertThat(answer.get("status").asInt()).as("%s", answer).isEqualTo(201);
    assertThat(answer.get("body").get("name").asString()).isEqualTo("Träume & 夢");
  }

  @Test
  void server_inputWithBlanksSignedByThePackage_isAccepted() throws Exception {
    JsonNode list = run("send-with-blanks", "GET", wallets() + "?size=3");
    assertThat(list.get("status").asInt()).as("%s", list).isEqualTo(200);
    // Another body: what verifies is the serialized form, and within one second the same request
    // without blanks has the same signature base.
    String body = BODY.replace("夢", "blanks");
    JsonNode created = run("send-with-blanks", "POST", wallets(), body);
    assertThat(created.get("status").asInt()).as("%s", created).isEqualTo(201);
  }

  @Test
  void package_requestsSignedByTheSdk_verify() throws Exception {
    assertThat(verdicts(List.of(message(list()), message(create())))).containsExactly(true, true);
  }

  @Test
  void package_requestsTamperedWith_doNotVerify() throws Exception {
    ObjectNode otherUrl = message(list()).put("url", wallets() + "?size=4");
    ObjectNode otherMethod = message(list()).put("method", "DELETE");
    ObjectNode otherDigest = message(create());
    otherDigest
        .withObject("/headers")
        .put("Content-Digest", "sha-256=:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:");
    ObjectNode otherDate = message(create());
    otherDate.withObject("/headers").put("Date", "Fri, 20 Nov 2026 19:02:55 GMT");
    assertThat(verdicts(List.of(otherUrl, otherMethod, otherDigest, otherDate)))
        .containsExactly(false, false, false, false);
  }

  private String wallets() {
    return service.url() + "/ledger/v1/wallets";
  }

  private HttpRequest list() throws Exception {
    URI uri = URI.create(wallets() + "?size=3&sort=name%2Cdesc&page=1");
    return signer().sign(HttpRequest.newBuilder(uri).build());
  }

  private HttpRequest create() throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(wallets()))
            .header("Content-Type", "application/json")
            .header("Idempotency-Key", "a-key-of-ours")
            .POST(BodyPublishers.ofString(BODY))
            .build();
    return signer().sign(request);
  }

  private RequestSigner signer() throws IOException, GeneralSecurityException {
    String pem =
        Files.readString(opensslPartner.privateKey()).replaceAll("-----[^-]+-----|\\s", "");
    PrivateKey key =
        KeyFactory.getInstance("RSA")
            .generatePrivate(new PKCS8EncodedKeySpec(Base64.getDecoder().decode(pem)));
    KeySource source =
        clientId ->
            new SigningKey(clientId, SignatureAlgorithm.RSA_V1_5_SHA256, key, CryptoProvider.jdk());
    return RequestSigner.of(opensslPartner.clientId(), source);
  }

  /** A signed request in the form that the package reads. */
  private static ObjectNode message(HttpRequest request) {
    ObjectNode message = JSON.createObjectNode();
    message.put("method", request.method()).put("url", request.uri().toString());
    ObjectNode headers = message.putObject("headers");
    request.headers().map().forEach((name, values) -> headers.put(name, values.get(0)));
    return message;
  }

  private List<Boolean> verdicts(List<ObjectNode> messages) throws Exception {
    Map<String, Object> question =
        Map.of(
            "publicKey",
            Files.readString(opensslPartner.publicKey()),
            "keyid",
            opensslPartner.clientId(),
            "messages",
            messages);
    Path file = Files.createTempFile("messages", ".json");
    Files.writeString(file, JSON.writeValueAsString(question), UTF_8);
    List<Boolean> verdicts = new ArrayList<>();
    for (JsonNode verdict : run("verify", file.toString())) {
      verdicts.add(verdict.asBoolean());
    }
    Files.delete(file);
    return verdicts;
  }

  private JsonNode send(String... words) throws Exception {
    List<String> all = new ArrayList<>(List.of("send"));
    all.addAll(List.of(words));
    return run(all.toArray(String[]::new));
  }

  private JsonNode run(String... words) throws Exception {
    List<String> all = new ArrayList<>(List.of("node", script.toString()));
    all.addAll(List.of(words));
    Command command = Command.in(node, all.toArray(String[]::new));
    return JSON.readTree(opensslPartner.runs(command, service).run().succeeded().out());
  }
}
