package dev.countersign.client.keys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.countersign.signatures.keys.RsaPublicKeys;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Key stores made by keytool, each once: it runs as its own process and takes a second. */
class KeyStoreFileTest {
  private static final String WORDS = "changeit";

  @TempDir static Path made;
  @TempDir Path folder;
  private final List<String> warnings = new ArrayList<>();

  @ParameterizedTest
  @ValueSource(strings = {"PKCS12", "JKS"})
  void key_ofStore_signs(String type) throws Exception {
    place("partner", type);

    assertThat(Signed.by(store()).verifiesWith(publicPem("partner"))).isTrue();
  }

  @Test
  void aliases_several_areChosenByName() throws Exception {
    place("one", "PKCS12");
    keytool("two", "PKCS12", file());

    assertThat(Signed.by(store().withAlias("two")).verifiesWith(publicPem("two"))).isTrue();
    assertThatThrownBy(() -> store().signingKey("c1"))
        .isInstanceOf(KeyException.class)
        .hasMessageContaining(
            "choose one with withAlias, or use a store with one key; the aliases are one, two");
    assertThatThrownBy(() -> store().withAlias("three").signingKey("c1"))
        .isInstanceOf(KeyException.class)
        .hasMessageContaining("no key has the alias three; the aliases are one, two");
  }

  @ParameterizedTest
  @ValueSource(strings = {"PKCS12", "JKS"})
  void passphrase_thatIsWrong_isRefused(String type) throws Exception {
    place("partner", type);

    assertThatThrownBy(() -> KeyStoreFile.of(file(), "no"::toCharArray).signingKey("c1"))
        .isInstanceOf(KeyException.class)
        .hasMessage(file() + ": the passphrase of the key store is wrong");
  }

  @Test
  void passphrase_thatIsMissing_isRefusedAsSuch() throws Exception {
    place("partner", "PKCS12");

    assertThatThrownBy(() -> KeyStoreFile.of(file(), () -> null).signingKey("c1"))
        .isInstanceOf(KeyException.class)
        .hasMessage(file() + ": no passphrase was given");
  }

  @Test
  void store_replaced_isUsedAtTheNextSignature() throws Exception {
    place("partner", "PKCS12");
    KeyStoreFile store = store();
    Signed.by(store);

    Files.delete(file());
    place("one", "PKCS12");

    assertThat(Signed.by(store).verifiesWith(publicPem("one"))).isTrue();
  }

  @Test
  void store_brokenForAMoment_keepsTheKeyInUse() throws Exception {
    place("partner", "PKCS12");
    KeyStoreFile store = store().withWarnings(warnings::add);
    String publicPem = publicPem("partner");
    Signed.by(store);
    warnings.clear();

    Files.writeString(file(), "no store");

    assertThat(Signed.by(store).verifiesWith(publicPem)).isTrue();
    assertThat(warnings)
        .singleElement()
        .asString()
        .contains("this is not a PKCS#12 or JKS key store");
  }

  @Test
  void store_withoutPrivateKey_isRefused() throws Exception {
    KeyStore empty = KeyStore.getInstance("PKCS12");
    empty.load(null, null);
    try (OutputStream out = Files.newOutputStream(file())) {
      empty.store(out, WORDS.toCharArray());
    }

    assertThatThrownBy(() -> store().signingKey("c1"))
        .isInstanceOf(KeyException.class)
        .hasMessageContaining("it contains no private key");
  }

  private KeyStoreFile store() {
    return KeyStoreFile.of(file(), WORDS::toCharArray);
  }

  private Path file() {
    return folder.resolve("partner.store");
  }

  /** Copies a store with one key to the file that the test reads. */
  private void place(String alias, String type) throws Exception {
    Path store = made.resolve(alias + "." + type);
    if (!Files.exists(store)) {
      keytool(alias, type, store);
    }
    Files.copy(store, file());
  }

  private static void keytool(String alias, String type, Path store) {
    Path keytool = Path.of(System.getProperty("java.home"), "bin", "keytool");
    new KeyTools(made)
        .tool(
            Map.of(),
            List.of(
                keytool.toString(),
                "-J-XX:TieredStopAtLevel=1",
                "-genkeypair",
                "-alias",
                alias,
                "-keyalg",
                "RSA",
                "-keysize",
                "2048",
                "-dname",
                "CN=partner",
                "-storetype",
                type,
                "-keystore",
                store.toString(),
                "-storepass",
                WORDS,
                "-keypass",
                WORDS));
  }

  private String publicPem(String alias) throws Exception {
    KeyStore store = KeyStore.getInstance(file().toFile(), WORDS.toCharArray());
    Certificate certificate = store.getCertificate(alias);
    return RsaPublicKeys.toPem(certificate.getPublicKey());
  }
}
