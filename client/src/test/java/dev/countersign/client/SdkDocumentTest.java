package dev.countersign.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.signatures.keys.CryptoProvider;
import dev.countersign.signatures.keys.KeyFingerprint;
import dev.countersign.signatures.keys.RsaPrivateKeys;
import dev.countersign.signatures.keys.RsaPublicKeys;
import dev.countersign.testing.TestLocale;
import dev.countersign.testing.Waits;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Compiles the code of docs/sdk.md unchanged, and runs it. */
class SdkDocumentTest {
  private static final Path DOCUMENT = Path.of("..", "docs", "sdk.md");
  private static final Pattern SNIPPET = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);
  private static final JsonMapper JSON = JsonMapper.shared();
  private static final String WALLETS = "/ledger/v1/wallets";
  private static final String TRANSACTIONS = "/ledger/v1/transactions";
  private static final String IMPORTS =
      """
      import dev.countersign.client.*;
      import dev.countersign.client.keys.*;
      import dev.countersign.client.rotation.*;
      import dev.countersign.pagination.Sort;
      import java.net.URI;
      import java.net.http.*;
      import java.net.http.HttpResponse.BodyHandlers;
      import java.nio.file.Path;
      import java.time.*;
      import java.util.*;
      """;

  @TempDir Path folder;

  @Test
  void document_asItStands_runs() throws Exception {
    Files.writeString(
        folder.resolve("partner.key"), RsaPrivateKeys.toPem(TestKey.PAIR.getPrivate()));
    if (Files.getFileStore(folder).supportsFileAttributeView("posix")) {
      Files.setPosixFilePermissions(
          folder.resolve("partner.key"), PosixFilePermissions.fromString("rw-------"));
    }
    List<String> snippets =
        SNIPPET.matcher(Files.readString(DOCUMENT)).results().map(m -> m.group(1)).toList();
    assertThat(snippets).hasSize(8);

    try (SignedServer server = SignedServer.replying(SdkDocumentTest::reply)) {
      String code =
          String.join("\n", snippets)
              .replace("https://api.example.com", server.uri().toString())
              .replace("cl-7zk3m9q2x5w8d1tr61", TestKey.CLIENT_ID);
      Files.writeString(
          folder.resolve("Sdk.java"),
          IMPORTS
              + "public class Sdk { public static void main(String[] args) throws Exception {\n"
              + code
              + "} }");

      assertThat(run().lines().toList())
          .containsSubsequence(
              "Travel in EUR",
              "1",
              "2",
              "3",
              "2 of them in EUR",
              "3 in that week",
              "3 in all",
              "3 read")
          .containsSubsequence("not_found, status 404", "there is no such wallet", "Travel", "200")
          .last()
          .asString()
          .startsWith("SHA256:");
      assertThat(server.requests())
          .extracting(ServedRequest::query)
          .contains(
              "status=COMPLETED&status=REVERSED&bookedAt.gte=2026-11-20T00%3A00%3A00Z"
                  + "&bookedAt.lt=2026-11-27T00%3A00%3A00Z&size=100&offset=0");
    }
  }

  private static Reply reply(ServedRequest request) {
    if (request.path().equals("/integrations/v1/keys")) {
      return registered(JSON.readTree(request.body()));
    }
    if (request.path().equals(WALLETS + "/unknown")) {
      return Reply.problem(
          404, "\"reason\": \"not_found\", \"detail\": \"there is no such wallet\"");
    }
    return List.of(WALLETS, TRANSACTIONS).contains(request.path()) && request.method().equals("GET")
        ? Reply.json(wallets(request).toString())
        : Reply.json(wallet(1).toString());
  }

  private static ObjectNode wallet(int id) {
    return JSON.createObjectNode()
        .put("id", Integer.toString(id))
        .put("name", "Travel")
        .put("currencyCode", id < 3 ? "EUR" : "USD");
  }

  private static ObjectNode wallets(ServedRequest request) {
    int size = request.query().contains("size=") ? TestRows.parameter(request, "size") : 20;
    ObjectNode page = TestRows.upTo(3).page(0, size);
    page.putArray("content").add(wallet(1)).add(wallet(2)).add(wallet(3));
    return page;
  }

  private static Reply registered(JsonNode body) {
    String pem = body.path("publicKey").asString();
    ObjectNode answer = JSON.createObjectNode().put("clientId", TestKey.CLIENT_ID);
    answer.put(
        "fingerprint", KeyFingerprint.of(RsaPublicKeys.read(pem, CryptoProvider.jdk())).value());
    return new Reply(
        201,
        java.util.Map.of("Content-Type", "application/json"),
        answer.toString().getBytes(UTF_8));
  }

  /** Compiles and runs it with one command, in the folder of the key file. */
  private String run() throws Exception {
    ProcessBuilder builder =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                "Sdk.java")
            .directory(folder.toFile())
            .redirectErrorStream(true);
    builder.command().addAll(1, TestLocale.options());
    Process process = builder.start();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(Waits.forExit(process)).as(output).isZero();
    return output;
  }
}
