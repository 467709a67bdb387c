package dev.countersign.client.rotation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.countersign.client.keys.NewKeyPair;
import dev.countersign.testing.Waits;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The rotation of a key file with a passphrase. */
class EncryptedKeyRotationTest {
  @TempDir Path path;
  private final MovedClock clock = new MovedClock(Instant.parse("2026-01-01T00:00:00Z"));
  private final List<char[]> given = new ArrayList<>();
  private KeyFolder folder;
  private FakeService service;

  @BeforeEach
  void start() throws Exception {
    folder = new KeyFolder(path).withEncryptedKey();
    service = new FakeService(KeyFolder.first(), clock);
  }

  @AfterEach
  void stop() {
    service.close();
  }

  @Test
  void key_rotated_isEncryptedUnderTheSamePassphrase() throws Exception {
    RotatedKey rotated = rotation().rotate();

    assertThat(rotated.fingerprint())
        .isEqualTo(service.newest())
        .isEqualTo(KeyFolder.fingerprintOf(folder.key()));
    assertThat(Files.readString(folder.key())).startsWith("-----BEGIN ENCRYPTED PRIVATE KEY-----");
    assertThat(KeyFolder.fingerprintOf(folder.previous())).isEqualTo(KeyFolder.firstFingerprint());
  }

  @Test
  void key_rotated_isReadByOpenssl() throws Exception {
    rotation().rotate();

    assertThat(
            openssl("pkey", "-in", "partner.key", "-passin", "pass:" + KeyFolder.WORDS, "-pubout"))
        .isEqualToNormalizingNewlines(Files.readString(folder.publicKey()));
    String structure = openssl("asn1parse", "-in", "partner.key");
    assertThat(structure).contains(":PBES2", ":PBKDF2", ":hmacWithSHA256", ":aes-256-cbc");
    Matcher integers = Pattern.compile("INTEGER +:([0-9A-F]+)").matcher(structure);
    assertThat(integers.find()).isTrue();
    assertThat(Integer.parseInt(integers.group(1), 16)).isGreaterThanOrEqualTo(210_000);
  }

  @Test
  void passphrase_ofARotation_isAskedForOnceAndWiped() {
    rotation().rotate();

    assertThat(given).singleElement().satisfies(words -> assertThat(words).containsOnly('\0'));
  }

  @Test
  void passphrase_thatIsWrong_leavesEverythingAsItWas() throws Exception {
    KeyRotation rotation = rotation().withPassphrase("battery staple"::toCharArray);

    assertThatThrownBy(rotation::rotate)
        .isInstanceOf(RotationException.class)
        .hasMessage("key_unusable: " + folder.key().toRealPath() + ": the passphrase is wrong");
    assertThat(folder.names()).containsExactly("partner.key", "partner.key.lock", "partner.pub");
    assertThat(service.requests).hasValue(0);
  }

  @Test
  void passphrase_thatIsMissing_isRefusedAsSuch() {
    KeyRotation rotation = rotation().withPassphrase(() -> null);

    assertThatThrownBy(rotation::rotate)
        .isInstanceOf(RotationException.class)
        .hasMessageStartingWith("key_unusable: ")
        .hasMessageEndingWith("no passphrase was given");
  }

  @Test
  void nextKey_inTheClear_doesNotTakeTheEncryptedOnesPlace() throws Exception {
    NewKeyPair.generate(2048).writeTo(folder.next(), path.resolve("other.pub"));
    String before = Files.readString(folder.next());

    assertThatThrownBy(() -> rotation().rotate())
        .isInstanceOf(RotationException.class)
        .hasMessageStartingWith("key_unusable: " + folder.next().toRealPath() + " is not encrypted")
        .hasMessageContaining("do not delete it");
    assertThat(Files.readString(folder.next())).isEqualTo(before);
    assertThat(service.requests).hasValue(0);
  }

  @Test
  void file_inTheClear_staysSoAndNobodyIsAsked() throws Exception {
    Files.delete(folder.key());
    Files.delete(folder.publicKey());
    folder.withKey();

    rotation().rotate();

    assertThat(given).isEmpty();
    assertThat(Files.readString(folder.key())).startsWith("-----BEGIN PRIVATE KEY-----");
  }

  private KeyRotation rotation() {
    return KeyRotation.of(service.uri(), "c1", folder.key())
        .withClock(clock)
        .withPause(clock::move)
        .withPassphrase(
            () -> {
              char[] words = KeyFolder.WORDS.toCharArray();
              given.add(words);
              return words;
            });
  }

  private String openssl(String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of("openssl"));
    command.addAll(List.of(arguments));
    Process process = start(command);
    assumeThat(process).as("openssl is not installed, so this test is skipped").isNotNull();
    process.getOutputStream().close();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(Waits.forExit(process)).as("%s: %s", command, said).isZero();
    return said;
  }

  private Process start(List<String> command) {
    try {
      return new ProcessBuilder(command).directory(path.toFile()).redirectErrorStream(true).start();
    } catch (IOException notInstalled) {
      return null;
    }
  }
}
