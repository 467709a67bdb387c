package dev.countersign.release;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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
 * Runs the Postman collection with a service: its script with a substitute for Postman's {@code
 * pm}, which needs only Node.js, and all of it in the runtime that Postman uses.
 */
@Tag("full")
@Timeout(value = 20, unit = TimeUnit.MINUTES)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PostmanIT {
  private static final Path COLLECTION =
      Release.sources().resolve("docs/examples/countersign.postman_collection.json");
  private static final JsonMapper JSON = JsonMapper.shared();
  private static final String BODY = "{\"name\": \"{{name}}\", \"currencyCode\": \"EUR\"}";

  private Served service;
  private OpensslPartner opensslPartner;
  private Path work;

  @BeforeAll
  @Timeout(value = 20, unit = TimeUnit.MINUTES)
  void serve(@TempDir Path folder) throws IOException, InterruptedException {
    Command.skipWithout("node");
    Command.require("openssl", "curl");
    work = folder;
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
  void collection_isOfTheFormatAndHoldsNoKey() throws IOException {
    JsonNode collection = JSON.readTree(COLLECTION);
    assertThat(collection.get("info").get("schema").asString()).endsWith("/v2.1.0/collection.json");
    assertThat(Files.readString(COLLECTION)).doesNotContain("BEGIN PRIVATE KEY-----");
    for (JsonNode variable : collection.get("variable")) {
      if (!variable.get("key").asString().equals("base_url")) {
        assertThat(variable.get("value").asString()).isEmpty();
      }
    }
  }

  @Test
  void script_withStandIn_signsListCreateAndGet() throws Exception {
    assertListedCreatedGotAndWalked(standIn(walkingTwice(), "Postman"));
  }

  @Test
  void script_withStandIn_coversVariablesTextAndIdempotencyKey() throws Exception {
    List<JsonNode> answers = standIn(changed(), "Größe '1' — 夢");
    assertThat(answers).extracting(a -> a.get("status").asInt()).startsWith(400, 201, 200);
    assertThat(answers.get(0).get("body").get("reason").asString()).isEqualTo("parameter_unknown");
    assertThat(answers.get(1).get("body").get("name").asString()).isEqualTo("Größe '1' — 夢");
  }

  @Test
  void collection_inPostmansRuntime_listsCreatesAndGets() throws Exception {
    assertListedCreatedGotAndWalked(inRuntime(walkingTwice(), "Postman"));
  }

  @Test
  void collection_inPostmansRuntime_coversVariablesTextAndIdempotencyKey() throws Exception {
    List<JsonNode> answers = inRuntime(changed(), "Größe '2' — 夢");
    assertThat(answers).extracting(a -> a.get("status").asInt()).startsWith(400, 201, 200);
    assertThat(answers.get(0).get("body").get("reason").asString()).isEqualTo("parameter_unknown");
    assertThat(answers.get(1).get("body").get("name").asString()).isEqualTo("Größe '2' — 夢");
  }

  /** The collection, whose last request, which walks the list, is sent twice. */
  private static JsonNode walkingTwice() throws IOException {
    JsonNode collection = JSON.readTree(COLLECTION);
    collection.withArray("item").add(collection.get("item").get(3).deepCopy());
    return collection;
  }

  private static void assertListedCreatedGotAndWalked(List<JsonNode> answers) {
    assertThat(answers)
        .extracting(answer -> answer.get("status").asInt())
        .containsExactly(200, 201, 200, 200, 200);
    List<JsonNode> bodies = answers.stream().map(answer -> answer.get("body")).toList();
    assertThat(bodies.get(0).get("content").size()).isEqualTo(5);
    assertThat(bodies.get(2)).isEqualTo(bodies.get(1));
    assertThat(bodies.get(3).get("first").asBoolean()).isTrue();
    assertThat(bodies.get(4).get("pageable").get("offset").asInt()).isEqualTo(5);
    assertThat(bodies.get(4).get("content").valueStream())
        .hasSize(5)
        .doesNotContainAnyElementsOf(bodies.get(3).get("content"));
  }

  /** The collection with a query that Postman encodes, and a variable in a body with a key. */
  private static JsonNode changed() throws IOException {
    JsonNode collection = JSON.readTree(COLLECTION);
    ObjectNode list = (ObjectNode) collection.get("item").get(0).get("request");
    list.put("url", "{{base_url}}/ledger/v1/wallets?wörter=a 'b' \"{{name}}\" <c>");
    ObjectNode create = (ObjectNode) collection.get("item").get(1).get("request");
    create.withObject("/body").put("raw", BODY);
    create.withArray("/header").addObject().put("key", "Idempotency-Key").put("value", "{{$guid}}");
    return collection;
  }

  private List<JsonNode> standIn(JsonNode collection, String name) throws Exception {
    return run(work, "postman-stand-in.cjs", collection, name);
  }

  private List<JsonNode> inRuntime(JsonNode collection, String name) throws Exception {
    Path folder = NpmPackage.install("postman-runtime", "7.56.1");
    return run(folder, "postman-runtime.cjs", collection, name);
  }

  private List<JsonNode> run(Path folder, String script, JsonNode collection, String name)
      throws Exception {
    Path file = Files.createTempFile(work, "collection", ".json");
    Files.writeString(file, JSON.writeValueAsString(collection));
    Path copy = NpmPackage.script(folder, script);
    Command command = Command.in(folder, "node", copy.toString(), file.toString(), name);
    String out = opensslPartner.runs(command, service).run().succeeded().out();
    return JSON.readTree(out).valueStream().toList();
  }
}
