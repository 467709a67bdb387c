package dev.countersign.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.cli.TestShell.Run;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class KeysCommandTest {
  @TempDir private Path home;
  private TestShell shell;
  private String name;

  @BeforeEach
  void open() {
    shell = new TestShell(home);
    name = home.resolve("partner").toString();
  }

  private Run generate() {
    return shell.run("keys", "generate", "--out", name, "--bits", "2048");
  }

  @Test
  void generate_writesBothHalves_thePrivateForItsOwnerAlone() throws IOException {
    Run run = generate();

    assertThat(run.code()).isZero();
    assertThat(run.out()).startsWith("SHA256:").hasLineCount(1);
    assertThat(mode(name + ".key")).isEqualTo("rw-------");
    assertThat(Files.readString(Path.of(name + ".key"))).startsWith("-----BEGIN PRIVATE KEY-----");
    assertThat(Files.readString(Path.of(name + ".pub"))).startsWith("-----BEGIN PUBLIC KEY-----");
  }

  @Test
  void generate_overAKey_refuses() {
    generate();

    Run again = generate();

    assertThat(again.code()).isEqualTo(1);
    assertThat(again.err()).startsWith("key_unusable: ").contains("never overwritten");
  }

  @Test
  void generate_tooSmall_isMistyped() {
    Run run = shell.run("keys", "generate", "--out", name, "--bits", "1024");

    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err()).startsWith("usage: --bits must be 2048 to 8192, was 1024");
  }

  @Test
  void inspect_ofBothHalves_givesTheSameFingerprintAndNoKey() throws IOException {
    String fingerprint = generate().out().strip();

    Run privateHalf = shell.run("keys", "inspect", name + ".key");
    Run publicHalf = shell.run("keys", "inspect", name + ".pub");

    assertThat(privateHalf.out())
        .contains("RSA private key", "2048", fingerprint)
        .doesNotContain(Files.readAllLines(Path.of(name + ".key")).get(1));
    assertThat(privateHalf.err()).isEmpty();
    assertThat(publicHalf.out()).contains("RSA public key", fingerprint);
  }

  @Test
  void inspect_withJson_isOneObject() {
    generate();

    JsonNode document =
        new JsonMapper().readTree(shell.run("keys", "inspect", name + ".key", "--json").out());

    assertThat(document.path("private").asBoolean()).isTrue();
    assertThat(document.path("bits").asInt()).isEqualTo(2048);
  }

  @Test
  void inspect_ofAKeyThatOthersRead_warns() throws IOException {
    generate();
    Files.setPosixFilePermissions(
        Path.of(name + ".key"), PosixFilePermissions.fromString("rw-r--r--"));

    assertThat(shell.run("keys", "inspect", name + ".key").err()).startsWith("warning: ");
  }

  @Test
  void inspect_ofAnEncryptedKey_saysSoWithoutAPassphrase() throws Exception {
    generate();
    openssl("pkcs8", "-topk8", "-in", name + ".key", "-out", name + ".enc", "-passout", "pass:x");

    assertThat(shell.run("keys", "inspect", name + ".enc").out()).contains("encrypted private key");
  }

  @Test
  void inspect_ofAKeyStore_takesThePassphraseFile() throws Exception {
    String fingerprint = generate().out().strip();
    openssl("req", "-x509", "-key", name + ".key", "-subj", "/CN=x", "-out", name + ".crt");
    openssl(
        "pkcs12",
        "-export",
        "-inkey",
        name + ".key",
        "-in",
        name + ".crt",
        "-out",
        name + ".p12",
        "-passout",
        "pass:secret");
    Path words = Files.writeString(home.resolve("words"), "secret\n");

    Run run = shell.run("keys", "inspect", name + ".p12", "--passphrase-file", words.toString());

    assertThat(run.out()).contains("PKCS12 key store", fingerprint);
  }

  @Test
  void inspect_ofWhatIsNoKey_exit1() throws IOException {
    Files.writeString(Path.of(name), "hello");

    Run run = shell.run("keys", "inspect", name);

    assertThat(run.code()).isEqualTo(1);
    assertThat(run.err()).startsWith("key_unusable: ").contains("this is no key");
  }

  @Test
  void keys_alone_saysWhichCommandsThereAre() {
    Run run = shell.run("keys");

    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err()).startsWith("usage: keys needs one of generate, inspect, rotate");
  }

  private static String mode(String file) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(Path.of(file)));
  }

  private static void openssl(String... args) throws Exception {
    String[] command = new String[args.length + 1];
    command[0] = "openssl";
    System.arraycopy(args, 0, command, 1, args.length);
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(said).isZero();
  }
}
