package dev.countersign.client.keys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.countersign.signatures.keys.KeyFingerprint;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NewKeyPairTest {
  private static final NewKeyPair PAIR = NewKeyPair.generate(2048);

  @TempDir Path folder;

  @Test
  void files_ofAPair_belongTogether() throws Exception {
    PAIR.writeTo(key(), publicKey());

    assertThat(Files.readString(publicKey())).isEqualTo(PAIR.publicPem());
    assertThat(Signed.by(PrivateKeyFile.of(key())).verifiesWith(PAIR.publicPem())).isTrue();
    assertThat(Files.readString(key())).startsWith("-----BEGIN PRIVATE KEY-----\n");
  }

  @Test
  void privateFile_isItsOwnersAlone() throws Exception {
    assumeTrue(Files.getFileStore(folder).supportsFileAttributeView("posix"), "has no modes");
    PAIR.writeTo(key(), publicKey());

    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(key())))
        .isEqualTo("rw-------");
  }

  @Test
  void file_thatIsThere_isNotOverwritten() throws Exception {
    Files.writeString(key(), "mine");

    assertThatThrownBy(() -> PAIR.writeTo(key(), publicKey()))
        .isInstanceOf(KeyException.class)
        .hasMessageContaining("already exists");
    assertThat(Files.readString(key())).isEqualTo("mine");
    assertThat(publicKey()).doesNotExist();
  }

  @Test
  void publicFile_thatIsThere_leavesNoPrivateOne() throws Exception {
    Files.writeString(publicKey(), "mine");

    assertThatThrownBy(() -> PAIR.writeTo(key(), publicKey())).isInstanceOf(KeyException.class);
    assertThat(Files.readString(publicKey())).isEqualTo("mine");
    assertThat(key()).doesNotExist();
  }

  @Test
  void publicFile_thatCannotBeWritten_leavesNoPrivateOne() {
    assertThatThrownBy(() -> PAIR.writeTo(key(), folder.resolve("none/partner.pub")))
        .isInstanceOf(UncheckedIOException.class);
    assertThat(key()).doesNotExist();
  }

  @Test
  void fingerprint_isThatOfThePublicKey() {
    assertThat(PAIR.fingerprint()).isEqualTo(KeyFingerprint.of(AnyKeys.publicKey(PAIR)).value());
    assertThat(PAIR).hasToString("NewKeyPair[" + PAIR.fingerprint() + "]");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1024, 2047, 8193})
  void size_outOfBounds_isRefused(int bits) {
    assertThatThrownBy(() -> NewKeyPair.generate(bits))
        .isInstanceOf(KeyException.class)
        .hasMessageContaining("a key must have 2048 to 8192 bits, it has " + bits);
  }

  private Path key() {
    return folder.resolve("partner.key");
  }

  private Path publicKey() {
    return folder.resolve("partner.pub");
  }

  @Test
  void privateKey_encryptedTwice_hasAnotherSalt() throws Exception {
    NewKeyPair pair = NewKeyPair.generate(2048);
    Path one = folder.resolve("one.key");
    Path two = folder.resolve("two.key");

    pair.writePrivateKeyTo(one, "correct horse"::toCharArray);
    pair.writePrivateKeyTo(two, "correct horse"::toCharArray);

    assertThat(Files.readString(one)).isNotEqualTo(Files.readString(two));
    assertThat(PrivateKeyFile.of(two, "correct horse"::toCharArray).publicKey())
        .isEqualTo(PrivateKeyFile.of(one, "correct horse"::toCharArray).publicKey());
  }

  @Test
  void passphrase_thatTheJdkWouldNotRead_isRefusedAndNothingWritten() {
    Path file = folder.resolve("partner.key");

    assertThatThrownBy(
            () -> NewKeyPair.generate(2048).writePrivateKeyTo(file, "h\u00fct"::toCharArray))
        .isInstanceOf(KeyException.class)
        .hasMessageContaining("printable ASCII");
    assertThat(file).doesNotExist();
  }
}
