package dev.countersign.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.countersign.cli.TestShell.Run;
import dev.countersign.server.RawRequest;
import dev.countersign.server.TestClient;
import dev.countersign.server.TestService;
import dev.countersign.server.clients.ClientKey;
import dev.countersign.server.clients.ClientStore;
import dev.countersign.testing.Waits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

@SharedRotatingService
class KeysRotateCommandTest {
  @TempDir private Path folder;
  private TestService service;
  private TestClient client;
  private TestShell shell;
  private Path key;

  @BeforeEach
  void open(TestService service, TestClient client) {
    this.service = service;
    this.client = client;
    shell = TestShell.of(folder, service, client);
    key = folder.resolve("test.key");
  }

  @Test
  void rotate_ofARegisteredKey_putsTheNewOneInItsPlace() throws IOException {
    String before = Files.readString(key);

    Run run = shell.run("keys", "rotate", "--overlap", "7d");

    assertThat(run.code()).as(run.err()).isZero();
    assertThat(run.out()).startsWith("SHA256:").hasLineCount(1);
    assertThat(run.err()).contains("the old key works until ");
    assertThat(Files.readString(key)).isNotEqualTo(before);
    assertThat(shell.run("keys", "inspect", key.toString()).out()).contains(run.out().strip());
    assertThat(shell.run("call", "GET", "/ledger/v1/wallets").code()).isZero();
  }

  /** The client module tests the crashes of a rotation; this is one of them with a real service. */
  @Test
  void rotate_killedBeforeTheAnswer_leavesAKeyThatWorksAndGoesOn() throws Exception {
    CountDownLatch registered = new CountDownLatch(1);
    CountDownLatch ended = new CountDownLatch(1);
    try (TamperingRelay relay =
            TamperingRelay.to(service.port(), request -> unanswered(request, registered, ended));
        ChildProcess rotation =
            ChildProcess.start(folder, variables(relay), List.of("keys", "rotate"))) {
      rotation.await(registered);
      rotation.kill();
    } finally {
      ended.countDown();
    }
    List<String> keys = fingerprints();

    assertThat(keys).hasSize(2);
    assertThat(shell.run("call", "GET", "/ledger/v1/wallets").code()).isZero();
    Run again = shell.run("keys", "rotate");

    assertThat(again.code()).as(again.err()).isZero();
    assertThat(again.out().strip()).isIn(keys);
    assertThat(shell.run("keys", "inspect", key.toString()).out()).contains(again.out().strip());
    assertThat(fingerprints()).isEqualTo(keys);
    assertThat(shell.run("call", "GET", "/ledger/v1/wallets").code()).isZero();
  }

  /** Lets the service process a request, and withholds the response. */
  private String unanswered(String request, CountDownLatch registered, CountDownLatch ended) {
    assertThat(RawRequest.send(service.port(), request).status()).isEqualTo(201);
    registered.countDown();
    try {
      Waits.forLatch(ended);
    } catch (InterruptedException closed) {
      Thread.currentThread().interrupt();
    }
    return request;
  }

  private Map<String, String> variables(TamperingRelay relay) {
    return Map.of(
        "COUNTERSIGN_BASE_URL",
        relay.url(),
        "COUNTERSIGN_CLIENT_ID",
        client.clientId(),
        "COUNTERSIGN_KEY",
        key.toString(),
        "HOME",
        folder.toString());
  }

  private List<String> fingerprints() {
    return service.part(ClientStore.class).get(client.clientId()).keys().stream()
        .map(ClientKey::fingerprint)
        .toList();
  }

  @Test
  void rotate_twiceInARow_isRefusedWithJsonReason() {
    shell.run("keys", "rotate");

    Run again = shell.run("keys", "rotate", "--json");

    JsonNode error = new JsonMapper().readTree(again.err());
    assertThat(again.code()).isEqualTo(3);
    assertThat(error.path("reason").asString()).isEqualTo("rotation_pending");
    assertThat(shell.run("call", "GET", "/ledger/v1/wallets").code()).isZero();
  }

  @Test
  void key_withAPassphrase_isEncryptedUnderItAgain() throws IOException {
    Path encrypted = folder.resolve("encrypted.key");
    Path words = folder.resolve("words");
    Files.writeString(words, "correct horse\n");
    encrypt(key, encrypted, words);
    List<String> options =
        List.of("--key", encrypted.toString(), "--passphrase-file", words.toString());

    Run run = shell.run(with(options, "keys", "rotate"));

    assertThat(run.code()).as(run.err()).isZero();
    assertThat(Files.readString(encrypted)).startsWith("-----BEGIN ENCRYPTED PRIVATE KEY-----");
    assertThat(shell.run(with(options, "call", "GET", "/ledger/v1/wallets")).code()).isZero();
  }

  private static String[] with(List<String> options, String... command) {
    return Stream.concat(Stream.of(command), options.stream()).toArray(String[]::new);
  }

  private static void encrypt(Path key, Path encrypted, Path words) {
    try {
      Process process =
          new ProcessBuilder(
                  "openssl",
                  "pkcs8",
                  "-topk8",
                  "-v2",
                  "aes-256-cbc",
                  "-in",
                  key.toString(),
                  "-out",
                  encrypted.toString(),
                  "-passout",
                  "file:" + words)
              .inheritIO()
              .start();
      assertThat(Waits.forExit(process)).isZero();
    } catch (IOException e) {
      assumeTrue(false, "openssl is not installed, so this test is skipped");
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void baseUrl_withAQuery_isAUsageErrorAndMakesNoKey() {
    Run run = shell.run("keys", "rotate", "--base-url", service.url() + "?tenant=1");

    assertThat(run.err()).startsWith("usage: the base must have no user, query or fragment");
    assertThat(folder.resolve("test.key.next")).doesNotExist();
  }

  @Test
  void overlap_thatIsNoDuration_isAUsageError() {
    assertThat(shell.run("keys", "rotate", "--overlap", "soon").err())
        .startsWith("usage: ")
        .contains("'soon' must be a duration such as 24h");
    assertThat(shell.run("keys", "rotate", "--overlap", "60d").err())
        .startsWith("usage: --overlap must be 1 second to 30 days");
  }
}
