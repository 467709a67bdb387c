package dev.countersign.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.countersign.cli.TestShell.Run;
import dev.countersign.server.TestService;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class KeysRotateCommandTest {
  @TempDir private Path folder;
  private TestService service;
  private TestShell shell;
  private Path key;

  @BeforeEach
  void start() {
    service = TestService.start(folder.resolve("data"), 3, TestService.ROTATING);
    String clientId = service.register("rotator", "127.0.0.1", "::1").clientId();
    shell = TestShell.of(folder, service, clientId);
    key = folder.resolve("test.key");
  }

  @AfterEach
  void stop() {
    service.close();
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
      assertThat(process.waitFor()).isZero();
    } catch (IOException e) {
      assumeTrue(false, "openssl is not installed, so this test is skipped");
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void baseUrl_withAQuery_isMistypedAndNoKeyIsMade() {
    Run run = shell.run("keys", "rotate", "--base-url", service.url() + "?tenant=1");

    assertThat(run.err()).startsWith("usage: a base URL is scheme, host");
    assertThat(folder.resolve("test.key.next")).doesNotExist();
  }

  @Test
  void overlap_thatIsNoDuration_isMistyped() {
    assertThat(shell.run("keys", "rotate", "--overlap", "soon").err())
        .startsWith("usage: ")
        .contains("'soon' must be a duration such as 24h");
    assertThat(shell.run("keys", "rotate", "--overlap", "60d").err())
        .startsWith("usage: --overlap must be 1 second to 30 days");
  }
}
