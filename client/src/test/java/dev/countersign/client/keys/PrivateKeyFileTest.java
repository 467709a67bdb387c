package dev.countersign.client.keys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.countersign.signatures.keys.RsaPublicKeys;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PrivateKeyFileTest {
  private static final NewKeyPair FIRST = NewKeyPair.generate(2048);
  private static final NewKeyPair SECOND = NewKeyPair.generate(2048);

  @TempDir Path folder;
  private final List<String> warnings = new ArrayList<>();

  @Test
  void key_ofFile_signs() throws Exception {
    assertThat(Signed.by(PrivateKeyFile.of(write(FIRST))).verifiesWith(FIRST.publicPem())).isTrue();
  }

  @Test
  void publicKey_isTheOtherHalf() {
    assertThat(RsaPublicKeys.toPem(PrivateKeyFile.of(write(FIRST)).publicKey()))
        .isEqualTo(FIRST.publicPem());
  }

  @Test
  void key_ofUnchangedFile_isTheSameObject() {
    PrivateKeyFile file = PrivateKeyFile.of(write(FIRST));

    assertThat(file.signingKey("c1")).isSameAs(file.signingKey("c1"));
    assertThat(file.signingKey("c2").keyid()).isEqualTo("c2");
  }

  @Test
  void signatures_many_areTheSameAsTheFirst() {
    PrivateKeyFile file = PrivateKeyFile.of(write(FIRST));
    String first = Signed.by(file).fields().signature();

    for (int i = 0; i < 150; i++) {
      assertThat(Signed.by(file).fields().signature()).isEqualTo(first);
    }
    assertThat(file.signingKey("c1")).isSameAs(file.signingKey("c1"));
  }

  @Test
  void file_renamedIntoPlace_isUsedAtTheNextSignature() throws Exception {
    Path path = write(FIRST);
    PrivateKeyFile file = PrivateKeyFile.of(path);
    Signed.by(file);

    Path next = folder.resolve("next");
    SECOND.writePrivateKeyTo(next);
    Files.move(next, path, StandardCopyOption.ATOMIC_MOVE);

    assertThat(Signed.by(file).verifiesWith(SECOND.publicPem())).isTrue();
  }

  @Test
  void link_pointedElsewhere_isUsedAtTheNextSignature() throws Exception {
    Path link = folder.resolve("link");
    FIRST.writePrivateKeyTo(folder.resolve("1"));
    SECOND.writePrivateKeyTo(folder.resolve("2"));
    Files.createSymbolicLink(link, Path.of("1"));
    PrivateKeyFile file = PrivateKeyFile.of(link);
    Signed.by(file);

    Files.delete(link);
    Files.createSymbolicLink(link, Path.of("2"));

    assertThat(Signed.by(file).verifiesWith(SECOND.publicPem())).isTrue();
  }

  @Test
  void file_brokenForAMoment_keepsTheKeyInUse() throws Exception {
    Path path = write(FIRST);
    PrivateKeyFile file = PrivateKeyFile.of(path).withWarnings(warnings::add);
    Signed.by(file);

    String whole = Files.readString(path);
    Files.writeString(path, whole.substring(0, 300));
    assertThat(Signed.by(file).verifiesWith(FIRST.publicPem())).isTrue();
    Signed.by(file);

    assertThat(warnings)
        .singleElement()
        .asString()
        .contains("the previously read key stays in use");
    assertThat(warnings.get(0)).doesNotContain(whole.substring(60, 80));
  }

  @Test
  void file_missingForAMoment_keepsTheKeyInUseAndThenTakesTheNew() throws Exception {
    Path path = write(FIRST);
    PrivateKeyFile file = PrivateKeyFile.of(path).withWarnings(warnings::add);
    Signed.by(file);

    Files.delete(path);
    assertThat(Signed.by(file).verifiesWith(FIRST.publicPem())).isTrue();
    assertThat(warnings).singleElement().asString().contains("there is no such file");
    SECOND.writePrivateKeyTo(path);

    assertThat(Signed.by(file).verifiesWith(SECOND.publicPem())).isTrue();
  }

  @Test
  void file_unreadableForAMoment_isReadOnceItCanBe() throws Exception {
    Path path = write(FIRST);
    assumeTrue(Files.getFileStore(path).supportsFileAttributeView("posix"), "has no modes");
    PrivateKeyFile file = PrivateKeyFile.of(path).withWarnings(warnings::add);
    Signed.by(file);
    Path next = folder.resolve("next");
    SECOND.writePrivateKeyTo(next);
    Files.setPosixFilePermissions(next, PosixFilePermissions.fromString("---------"));
    assumeTrue(!Files.isReadable(next), "root reads whatever its mode");
    Files.move(next, path, StandardCopyOption.ATOMIC_MOVE);

    assertThat(Signed.by(file).verifiesWith(FIRST.publicPem())).isTrue();
    Signed.by(file);
    assertThat(warnings)
        .singleElement()
        .asString()
        .contains("the previously read key stays in use");
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw-------"));

    assertThat(Signed.by(file).verifiesWith(SECOND.publicPem())).isTrue();
  }

  @Test
  void file_missingFromTheStart_isRefusedAndReadOnceItIsThere() {
    Path path = folder.resolve("partner.key");
    PrivateKeyFile file = PrivateKeyFile.of(path);

    assertThatThrownBy(() -> file.signingKey("c1"))
        .isInstanceOf(KeyException.class)
        .hasMessage(path + ": cannot be read: there is no such file");
    FIRST.writePrivateKeyTo(path);
    assertThat(file.signingKey("c1").keyid()).isEqualTo("c1");
  }

  @Test
  void file_readableByOthers_isWarnedOfOnce() throws Exception {
    Path path = write(FIRST);
    assumeTrue(Files.getFileStore(path).supportsFileAttributeView("posix"), "has no modes");
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw-r-----"));
    PrivateKeyFile file = PrivateKeyFile.of(path).withWarnings(warnings::add);

    Signed.by(file);
    Files.writeString(path, Files.readString(path) + "\n");
    Signed.by(file);

    assertThat(warnings)
        .containsExactly(
            path
                + " can be read by users other than its owner (rw-r-----), who could sign with it:"
                + " chmod 600 "
                + path);
  }

  @Test
  void file_ofItsOwnerAlone_isNotWarnedOf() {
    Signed.by(PrivateKeyFile.of(write(FIRST)).withWarnings(warnings::add));

    assertThat(warnings).isEmpty();
  }

  @Test
  void publicKey_inPlaceOfThePrivate_isNamed() throws Exception {
    Path path = Files.writeString(folder.resolve("partner.pub"), FIRST.publicPem());

    assertThatThrownBy(() -> PrivateKeyFile.of(path).signingKey("c1"))
        .isInstanceOf(KeyException.class)
        .hasMessageStartingWith(path + ": this is a public key");
  }

  @Test
  void file_ofFewerBits_isRefused() {
    KeyTools.assumeThere("openssl");
    new KeyTools(folder).run("genrsa", "-out", "small.pem", "1024");

    assertThatThrownBy(() -> PrivateKeyFile.of(folder.resolve("small.pem")).signingKey("c1"))
        .isInstanceOf(KeyException.class)
        .hasMessageContaining("must have 2048 to 8192 bits, it has 1024");
  }

  @Test
  void key_ofMemory_signs() throws Exception {
    KeySource source = KeySource.of(AnyKeys.privateKey(write(FIRST)));

    assertThat(Signed.by(source).verifiesWith(FIRST.publicPem())).isTrue();
  }

  @Test
  void toString_namesThePathAlone() {
    Path path = write(FIRST);

    assertThat(PrivateKeyFile.of(path, "secret"::toCharArray))
        .hasToString("PrivateKeyFile[" + path + "]");
  }

  private Path write(NewKeyPair pair) {
    Path path = folder.resolve("partner.key");
    pair.writePrivateKeyTo(path);
    return path;
  }
}
