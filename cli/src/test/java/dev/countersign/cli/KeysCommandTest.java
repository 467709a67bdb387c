package dev.countersign.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.countersign.cli.TestShell.Run;
import dev.countersign.testing.Waits;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyStore;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class KeysCommandTest {
  private static final String WORDS = "secret";

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
  void generate_tooSmall_isAUsageError() {
    Run run = shell.run("keys", "generate", "--out", name, "--bits", "1024");

    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err()).startsWith("usage: --bits must be 2048 to 8192, was 1024");
  }

  @Test
  void generate_withTheEnding_takesItOff() {
    Run run = shell.run("keys", "generate", "--out", name + ".key", "--bits", "2048");

    assertThat(run.code()).isZero();
    assertThat(Path.of(name + ".key")).exists();
    assertThat(Path.of(name + ".pub")).exists();
  }

  @Test
  void generate_withKey_makesExactlyThatFileAndSaysWhatIsNext() {
    String file = name + ".pem";
    Run run =
        shell.run(
            ("--base-url https://a.example keys generate --bits 2048 --client-id c-1"
                    + " --profile test --key "
                    + file)
                .split(" "));

    assertThat(run.code()).as(run.err()).isZero();
    assertThat(Path.of(file)).exists();
    assertThat(Path.of(file + ".pub")).exists();
    assertThat(run.err())
        .contains("register it with https://a.example for the client c-1\n")
        .endsWith(
            "countersign configure --base-url https://a.example --client-id c-1 --key "
                + (file + " --profile test\n"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "--out=", "--key=", "--out=folder/", "--out=a --key=b"})
  void generate_withoutAName_isAUsageError(String options) {
    Run run = shell.run(("keys generate " + options).strip().split(" "));

    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err()).startsWith("usage: ").containsAnyOf("--out", "--key");
  }

  @ParameterizedTest
  @ValueSource(strings = {".p12", ".PFX", ".jks"})
  void generate_ofAKeyStore_isAUsageError(String ending) {
    Run run = shell.run("keys", "generate", "--bits", "2048", "--key", name + ending);

    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err()).contains("a new key is a PEM file", name + ending);
    assertThat(Path.of(name + ending)).doesNotExist();
  }

  @Test
  void generate_inAFolderThatIsMissing_saysSoBeforeMakingAKey() {
    Run run = shell.run("keys", "generate", "--out", home + "/nodir/x");

    assertThat(run.code()).isEqualTo(1);
    assertThat(run.err())
        .startsWith("key_not_written: the folder " + home + "/nodir does not exist: create it");
  }

  @Test
  void generate_withAPassphraseFile_isAUsageError() {
    Run run = shell.run("keys", "generate", "--passphrase-file", "words");

    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err()).contains("keys generate takes no --passphrase-file");
  }

  @Test
  void inspect_withoutAFile_isOfTheKeyThatSigns() {
    String fingerprint = generate().out().strip();

    assertThat(shell.run("keys", "inspect", "--key", name + ".key").out()).contains(fingerprint);
    shell.with("COUNTERSIGN_KEY", name + ".key");
    assertThat(shell.run("keys", "inspect").out()).contains(fingerprint);
  }

  @ParameterizedTest
  @ValueSource(strings = {"sign", "call"})
  void passphrase_thatNobodyCanBeAskedFor_namesTheOption(String command) throws Exception {
    generate();
    openssl("pkcs8", "-topk8", "-in", name + ".key", "-out", name + ".enc", "-passout", "pass:x");

    Run run =
        shell.run(
            command, "GET", "http://localhost:1/x", "--client-id", "c", "--key", name + ".enc");

    assertThat(run.code()).isEqualTo(1);
    assertThat(run.err())
        .startsWith("key_unusable: the key has a passphrase")
        .contains("--passphrase-file");
  }

  @Test
  void inspect_ofAnEncryptedKey_takesThePassphraseFile() throws Exception {
    String fingerprint = generate().out().strip();
    openssl("pkcs8", "-topk8", "-in", name + ".key", "-out", name + ".enc", "-passout", "pass:x");
    Path words = Files.writeString(home.resolve("words"), "x\n");

    Run run = shell.run("keys", "inspect", name + ".enc", "--passphrase-file", words.toString());

    assertThat(run.out()).contains("encrypted RSA private key", "2048", fingerprint);
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
    createKeyStore();

    Run run = shell.run("keys", "inspect", name + ".p12", "--passphrase-file", words().toString());

    assertThat(run.out()).contains("PKCS12 key store", fingerprint);
  }

  @Test
  void keyStore_withSeveralKeys_neitherSignsNorIsInspected() throws Exception {
    generate();
    createKeyStore();
    addKey("second");
    String file = name + ".p12";
    String words = words().toString();

    Run inspected = shell.run("keys", "inspect", file, "--passphrase-file", words);
    shell.with("COUNTERSIGN_CLIENT_ID", "c").with("COUNTERSIGN_KEY", file);
    Run signed = shell.run("sign", "GET", "http://localhost:1/x", "--passphrase-file", words);

    for (Run run : List.of(inspected, signed)) {
      assertThat(run.code()).isEqualTo(1);
      assertThat(run.err())
          .startsWith("key_unusable: " + file + ": it contains several keys")
          .contains("second");
    }
    assertThat(inspected.err()).contains("keytool -importkeystore -srckeystore FILE");
  }

  @Test
  void inspect_ofAKeyStoreThatIsMissing_saysSo() throws IOException {
    Run run = shell.run("keys", "inspect", name + ".p12", "--passphrase-file", words().toString());

    assertThat(run.code()).isEqualTo(1);
    assertThat(run.err()).isEqualTo("key_unusable: " + name + ".p12: there is no such file\n");
    assertThat(shell.run("keys", "inspect", name + ".p12").err()).isEqualTo(run.err());
  }

  @Test
  void inspect_ofAFolderNamedLikeAKeyStore_isRefusedAsUnusable() throws IOException {
    Path folder = Files.createDirectory(Path.of(name + ".p12"));

    Run run =
        shell.run("keys", "inspect", folder.toString(), "--passphrase-file", words().toString());

    assertThat(run.code()).isEqualTo(1);
    assertThat(run.err())
        .startsWith("key_unusable: " + folder + ": ")
        .doesNotContain("passphrase is wrong");
  }

  @Test
  void inspect_ofAKeyStoreThatMayNotBeRead_saysSo() throws IOException {
    Path file = Files.writeString(Path.of(name + ".p12"), "store");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("-w-------"));
    assumeTrue(!Files.isReadable(file), "this user may read every file");

    Run run =
        shell.run("keys", "inspect", file.toString(), "--passphrase-file", words().toString());

    assertThat(run.err()).isEqualTo("key_unusable: " + file + ": permission denied\n");
  }

  @Test
  void inspect_ofAPublicKeyInJson_readsIt() throws IOException {
    String fingerprint = generate().out().strip();
    String pem = Files.readString(Path.of(name + ".pub")).replace("\n", "\\n");
    Files.writeString(Path.of(name), "{\"pem\": \"" + pem + "\"}");

    assertThat(shell.run("keys", "inspect", name).out()).contains("RSA public key", fingerprint);
  }

  @Test
  void inspect_ofKeysThatNoServiceAccepts_advisesRsa() throws Exception {
    openssl("genpkey", "-algorithm", "ED25519", "-out", name + ".ed");
    openssl("genpkey", "-algorithm", "X25519", "-out", name + ".x");
    openssl("pkey", "-in", name + ".ed", "-pubout", "-out", name + ".ed.pub");

    for (String file : List.of(name + ".ed", name + ".ed.pub")) {
      Run run = shell.run("keys", "inspect", file);
      assertThat(run.out()).contains("EdDSA");
      assertThat(run.err()).contains("accepts only RSA keys", "countersign keys generate");
    }
    assertThat(shell.run("keys", "inspect", name + ".x").err())
        .contains("openssl genpkey -algorithm RSA")
        .doesNotContain("ED25519");
  }

  @Test
  void inspect_ofAnotherFormat_namesTheCommandForThisFile() throws Exception {
    generate();
    openssl("req", "-x509", "-key", name + ".key", "-subj", "/CN=x", "-out", name + ".crt");
    openssl(
        "crl2pkcs7", "-nocrl", "-certfile", name + ".crt", "-outform", "DER", "-out", name + ".p7");

    Run run = shell.run("keys", "inspect", name + ".p7");

    assertThat(run.code()).isEqualTo(1);
    assertThat(run.err()).contains("PKCS#7", "openssl pkcs7 -inform DER -in " + name + ".p7 ");
  }

  @Test
  void inspect_ofWhatIsNoKey_exit1() throws IOException {
    Files.writeString(Path.of(name), "hello");

    Run run = shell.run("keys", "inspect", name);

    assertThat(run.code()).isEqualTo(1);
    assertThat(run.err()).startsWith("key_unusable: ").contains("this is not a key");
  }

  @Test
  void keys_alone_saysWhichCommandsThereAre() {
    Run run = shell.run("keys");

    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err()).startsWith("usage: keys needs one of generate, inspect, rotate");
  }

  /** A file with the passphrase of the key stores. */
  private Path words() throws IOException {
    return Files.writeString(home.resolve("words"), WORDS + "\n");
  }

  /** Puts the generated key into a key store, with a certificate. */
  private void createKeyStore() throws Exception {
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
        "pass:" + WORDS);
  }

  /** Adds the key of the key store a second time, with another alias. */
  private void addKey(String alias) throws Exception {
    Path file = Path.of(name + ".p12");
    char[] password = WORDS.toCharArray();
    KeyStore store = KeyStore.getInstance(file.toFile(), password);
    String first = store.aliases().nextElement();
    store.setKeyEntry(
        alias, store.getKey(first, password), password, store.getCertificateChain(first));
    try (OutputStream out = Files.newOutputStream(file)) {
      store.store(out, password);
    }
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
    assertThat(Waits.forExit(process)).as(said).isZero();
  }
}
