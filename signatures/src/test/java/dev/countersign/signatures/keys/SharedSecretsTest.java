package dev.countersign.signatures.keys;

import static dev.countersign.signatures.keys.KeyFileException.Reason.EMPTY;
import static dev.countersign.signatures.keys.KeyFileException.Reason.NOT_BASE64;
import static dev.countersign.signatures.keys.KeyFileException.Reason.PRIVATE_KEY;
import static dev.countersign.signatures.keys.KeyFileException.Reason.PUBLIC_KEY;
import static dev.countersign.signatures.keys.KeyFileException.Reason.WEAK;
import static dev.countersign.signatures.keys.Refusal.assertRefused;
import static dev.countersign.signatures.keys.TestKeys.bare;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.signatures.Vectors;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.SecureRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SharedSecretsTest {
  private static final byte[] SECRET = random(64);
  private static final String TEXT = bare(SECRET);

  @Test
  void read_everyHonestForm_isTheSecret(@TempDir Path folder) throws Exception {
    for (String text :
        new String[] {TEXT, TEXT + "\n", "\ufeff " + TEXT + "\r\n", TEXT.replace("A", "A \n")}) {
      assertThat(SharedSecrets.read(text, 64).getEncoded()).isEqualTo(SECRET);
    }
    Path file = Files.writeString(folder.resolve("secret.txt"), TEXT + "\n");
    assertThat(SharedSecrets.readFile(file, 64).getEncoded()).isEqualTo(SECRET);
  }

  /** An OpenPGP secret key begins with these octets and the number of an algorithm. */
  @Test
  void read_secretThatBeginsAlmostAsAnOpenPgpKey_isTheSecret() {
    byte[] secret = random(64);
    secret[0] = (byte) 0x95;
    secret[3] = 4;
    secret[8] = (byte) 0xff;
    assertThat(SharedSecrets.read(bare(secret), 64).getEncoded()).isEqualTo(secret);
  }

  @Test
  void rfc9421_B15_sharedSecret_isRead() {
    String text =
        Vectors.json("rfc9421", "appendix-b.json")
            .get("keys")
            .get("test-shared-secret")
            .get("base64")
            .asString();
    assertThat(SharedSecrets.read(text, 64).getEncoded()).hasSize(64);
  }

  @ParameterizedTest
  @CsvSource({"31, 32", "47, 48", "63, 64", "1, 32"})
  void read_tooShort_isWeak(int bytes, int minBytes) {
    assertRefused(WEAK, () -> SharedSecrets.read(bare(random(bytes)), minBytes))
        .contains("has " + bytes + " bytes; at least " + minBytes, "openssl rand");
  }

  @Test
  void read_noBase64_isRefused() {
    assertRefused(NOT_BASE64, () -> SharedSecrets.read("correct horse battery staple!", 32));
    assertRefused(NOT_BASE64, () -> SharedSecrets.read("_" + TEXT.substring(1), 32))
        .contains("base64url");
    assertRefused(EMPTY, () -> SharedSecrets.read(" \n", 32));
  }

  @Test
  void read_aKeyInItsPlace_isRefused() {
    for (KeyPair pair : TestKeys.everyKind()) {
      byte[] spki = pair.getPublic().getEncoded();
      String pem = PublicKeys.toPem(pair.getPublic());
      for (String text :
          new String[] {
            pem, pem.replace("PUBLIC KEY", "SECRET"), bare(spki), bare(pem.getBytes(US_ASCII))
          }) {
        assertRefused(PUBLIC_KEY, () -> SharedSecrets.read(text, 32));
      }
      assertRefused(PRIVATE_KEY, () -> SharedSecrets.read(PrivateKeys.toPem(pair.getPrivate()), 32))
          .contains("leaked");
      assertRefused(
          PRIVATE_KEY, () -> SharedSecrets.read(bare(pair.getPrivate().getEncoded()), 32));
    }
  }

  /**
   * Found by fuzzing: the rest of the key is not a structure, so only its beginning identifies it.
   */
  @Test
  void read_cutPrivateKeyWithASpaceInIt_isRefused() {
    String cut = bare(TestKeys.PRIVATE.getEncoded()).substring(0, 160);
    for (int place = 0; place <= 20; place++) {
      String spaced = cut.substring(0, place) + " " + cut.substring(place);
      assertRefused(PRIVATE_KEY, () -> SharedSecrets.read(spaced, 32));
    }
  }

  @Test
  void refusal_holdsNothingOfTheText() {
    String text = bare(random(31));
    assertRefused(WEAK, () -> SharedSecrets.read(text, 32)).doesNotContain(text.substring(0, 8));
  }

  private static byte[] random(int length) {
    byte[] bytes = new byte[length];
    new SecureRandom().nextBytes(bytes);
    return bytes;
  }
}
