package dev.countersign.client.keys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import javax.crypto.Cipher;
import javax.crypto.EncryptedPrivateKeyInfo;
import javax.crypto.SecretKey;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EncryptedKeyFileTest {
  private static final String WORDS = "correct horse";

  @TempDir Path folder;
  private Path file;
  private final List<char[]> given = new ArrayList<>();

  @BeforeEach
  void tools() {
    KeyTools.assumeThere("openssl");
    file = folder.resolve("partner.key");
  }

  @ParameterizedTest
  @ValueSource(strings = {"-aes256", "-aes128"})
  void key_asOpensslEncryptsIt_signs(String cipher) throws Exception {
    KeyTools keyTools = new KeyTools(folder);
    keyTools.run(
        "genpkey",
        "-algorithm",
        "RSA",
        "-pkeyopt",
        "rsa_keygen_bits:2048",
        cipher,
        "-pass",
        "pass:" + WORDS,
        "-out",
        "partner.key");

    assertThat(Signed.by(PrivateKeyFile.of(file, this::words)).verifiesWith(publicPem())).isTrue();
  }

  @Test
  void key_withSha1AsOlderOpensslDid_signs() throws Exception {
    encrypt("-v2", "aes-256-cbc", "-v2prf", "hmacWithSHA1");

    assertThat(Signed.by(PrivateKeyFile.of(file, this::words)).verifiesWith(publicPem())).isTrue();
  }

  @Test
  void passphrase_afterUse_isWiped() {
    encrypt("-v2", "aes-256-cbc");

    PrivateKeyFile.of(file, this::words).signingKey("c1");

    assertThat(given).singleElement().satisfies(this::isWiped);
  }

  @Test
  void passphrase_thatIsMissing_isRefusedAsSuch() {
    encrypt("-v2", "aes-256-cbc");

    assertThatThrownBy(() -> PrivateKeyFile.of(file, () -> null).signingKey("c1"))
        .isInstanceOf(KeyException.class)
        .hasMessage(file + ": no passphrase was given");
  }

  @Test
  void passphrase_thatIsWrong_isRefusedWithoutSayingIt() {
    encrypt("-v2", "aes-256-cbc");
    char[] wrong = "battery staple".toCharArray();

    assertThatThrownBy(() -> PrivateKeyFile.of(file, () -> wrong).signingKey("c1"))
        .isInstanceOf(KeyException.class)
        .hasMessage(file + ": the passphrase is wrong")
        .hasNoCause();
    isWiped(wrong);
  }

  @Test
  void passphrase_thatIsWrongAndPadsByChance_isRefusedAsWrong() throws Exception {
    // One wrong passphrase in 255 decrypts a key to bytes with valid padding, as here.
    String name = "PBEWithSHA1AndDESede";
    SecretKey key =
        SecretKeyFactory.getInstance(name).generateSecret(new PBEKeySpec(WORDS.toCharArray()));
    Cipher cipher = Cipher.getInstance(name);
    cipher.init(Cipher.ENCRYPT_MODE, key);
    byte[] der =
        new EncryptedPrivateKeyInfo(cipher.getParameters(), cipher.doFinal(new byte[1200]))
            .getEncoded();
    Files.writeString(
        file,
        "-----BEGIN ENCRYPTED PRIVATE KEY-----\n"
            + Base64.getMimeEncoder().encodeToString(der)
            + "\n-----END ENCRYPTED PRIVATE KEY-----\n");

    assertThatThrownBy(() -> PrivateKeyFile.of(file, this::words).signingKey("c1"))
        .isInstanceOf(KeyException.class)
        .hasMessage(file + ": the passphrase is wrong")
        .hasNoCause();
  }

  @ParameterizedTest
  @CsvSource({
    "3003ABCDEF,true",
    "3002ABCDEF,false",
    "3004ABCDEF,false",
    "0403ABCDEF,false",
    "308103ABCDEF,true",
    "30820003ABCDEF,true",
    "308104ABCDEF,false",
    "3082,false",
    "30,false",
    "3000,true",
    "3080ABCDEF,false",
    "3084FFFFFFFFABCD,false"
  })
  void sequence_onlyAWholeOne_isOne(String hex, boolean whole) {
    assertThat(EncryptedKey.isSequence(HexFormat.of().parseHex(hex))).isEqualTo(whole);
  }

  @Test
  void passphrase_thatTheJdkDoesNotTake_isNotCalledWrong() {
    encrypt("-v2", "aes-256-cbc");
    char[] words = "schl\u00fcssel".toCharArray();

    assertThatThrownBy(() -> PrivateKeyFile.of(file, () -> words).signingKey("c1"))
        .isInstanceOf(KeyException.class)
        .hasMessageContaining(
            "passphrases of printable ASCII; encrypt the key with such a passphrase")
        .hasMessageNotContaining("schl");
    isWiped(words);
  }

  @Test
  void passphrase_thatIsNotGiven_isAskedFor() {
    encrypt("-v2", "aes-256-cbc");

    assertThatThrownBy(() -> PrivateKeyFile.of(file).signingKey("c1"))
        .isInstanceOf(KeyException.class)
        .hasMessageContaining("protected by a passphrase, give it");
  }

  @Test
  void key_byScrypt_isRefusedWithTheCommandThatConvertsIt() {
    encrypt("-scrypt");

    assertThatThrownBy(() -> PrivateKeyFile.of(file, this::words).signingKey("c1"))
        .isInstanceOf(KeyException.class)
        .hasMessageContaining("openssl pkcs8 -topk8 -v2 aes-256-cbc");
  }

  @Test
  void key_inTheFormBeforePkcs8_isRefusedWithTheCommandThatConvertsIt() {
    new KeyTools(folder)
        .run(
            "genrsa",
            "-traditional",
            "-aes256",
            "-passout",
            "pass:" + WORDS,
            "-out",
            "partner.key",
            "2048");

    assertThatThrownBy(() -> PrivateKeyFile.of(file, this::words).signingKey("c1"))
        .isInstanceOf(KeyException.class)
        .hasMessageContaining("openssl pkcs8 -topk8 -in");
  }

  private void encrypt(String... how) {
    NewKeyPair.generate(2048).writePrivateKeyTo(folder.resolve("plain.key"));
    List<String> command = new ArrayList<>(List.of("pkcs8", "-topk8", "-in", "plain.key"));
    command.addAll(List.of(how));
    command.addAll(List.of("-passout", "pass:" + WORDS, "-out", "partner.key"));
    new KeyTools(folder).run(command.toArray(String[]::new));
  }

  private String publicPem() {
    return new KeyTools(folder)
        .run("pkey", "-in", "partner.key", "-passin", "pass:" + WORDS, "-pubout");
  }

  private char[] words() {
    char[] words = WORDS.toCharArray();
    given.add(words);
    return words;
  }

  private void isWiped(char[] words) {
    char[] zeros = new char[words.length];
    assertThat(Arrays.equals(words, zeros)).isTrue();
  }
}
