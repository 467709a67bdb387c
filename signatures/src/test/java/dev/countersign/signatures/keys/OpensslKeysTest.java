package dev.countersign.signatures.keys;

import static dev.countersign.signatures.keys.KeyFileException.Reason.ENCRYPTED;
import static dev.countersign.signatures.keys.KeyFileException.Reason.FORMAT_UNSUPPORTED;
import static dev.countersign.signatures.keys.KeyFileException.Reason.NOT_RSA;
import static dev.countersign.signatures.keys.KeyFileException.Reason.PRIVATE_KEY;
import static dev.countersign.signatures.keys.KeyFileException.Reason.PUBLIC_KEY;
import static dev.countersign.signatures.keys.KeyFileException.Reason.TOO_MANY;
import static dev.countersign.signatures.keys.KeyFileException.Reason.WEAK;
import static dev.countersign.signatures.keys.Refusal.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.security.interfaces.RSAPrivateCrtKey;
import java.security.interfaces.RSAPublicKey;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Files that OpenSSL and ssh-keygen write are read, or refused with the right reason. */
class OpensslKeysTest {
  private static final CryptoProvider JDK = CryptoProvider.jdk();
  private static final String NO_HEADERS = "-----[A-Z ]+-----";

  @TempDir Path folder;
  private Openssl openssl;

  @BeforeEach
  void findOpenssl() throws Exception {
    openssl = new Openssl(folder);
    openssl.run("openssl version");
  }

  @ParameterizedTest
  @EnumSource
  void privateKey_everyForm_isTheSameKey(TestedProvider testedProvider) throws Exception {
    CryptoProvider provider = testedProvider.get();
    Path file = openssl.file("k.pem", openssl.text("openssl genrsa -traditional 2048"));
    RSAPrivateCrtKey key = RsaPrivateKeys.readFile(file, provider);
    String pkcs1 = openssl.text("openssl rsa -in k.pem -traditional");
    String pkcs8 = openssl.text("openssl pkcs8 -topk8 -nocrypt -in k.pem");
    byte[] der = openssl.run("openssl pkcs8 -topk8 -nocrypt -in k.pem -outform DER");

    assertThat(pkcs1).startsWith("-----BEGIN RSA PRIVATE KEY-----");
    assertThat(pkcs8).startsWith("-----BEGIN PRIVATE KEY-----");
    assertThat(RsaPrivateKeys.read(pkcs1, provider)).isEqualTo(key);
    assertThat(RsaPrivateKeys.read(pkcs8, provider)).isEqualTo(key);
    assertThat(RsaPrivateKeys.read(pkcs1.replaceAll(NO_HEADERS, ""), provider)).isEqualTo(key);
    assertThat(RsaPrivateKeys.read(pkcs8.replaceAll(NO_HEADERS, ""), provider)).isEqualTo(key);
    assertThat(RsaPrivateKeys.read(der, provider)).isEqualTo(key);
    assertThat(RsaPrivateKeys.toPem(key)).isEqualTo(pkcs8);
  }

  @ParameterizedTest
  @EnumSource
  void publicKey_everyForm_isTheSameKey(TestedProvider testedProvider) throws Exception {
    CryptoProvider provider = testedProvider.get();
    RSAPrivateCrtKey privateKey =
        RsaPrivateKeys.read(newKey("k.pem", "RSA -pkeyopt rsa_keygen_bits:2048"), provider);
    RSAPublicKey key = RsaPublicKeys.of(privateKey, provider);
    String spki = openssl.text("openssl pkey -in k.pem -pubout");
    String pkcs1 = openssl.text("openssl rsa -in k.pem -RSAPublicKey_out");
    String certificate = openssl.text("openssl req -x509 -key k.pem -subj /CN=partner -days 30");

    assertThat(RsaPublicKeys.toPem(key)).isEqualTo(spki);
    for (String form : new String[] {spki, pkcs1, certificate}) {
      assertThat(RsaPublicKeys.read(form, provider)).isEqualTo(key);
      assertThat(RsaPublicKeys.read(form.replaceAll(NO_HEADERS, ""), provider)).isEqualTo(key);
      assertThat(RsaPublicKeys.read("\ufeff" + form.replace("\n", "\r\n"), provider))
          .isEqualTo(key);
      assertRefused(PUBLIC_KEY, () -> RsaPrivateKeys.read(form, provider));
    }
    assertThat(
            RsaPublicKeys.read(
                openssl.run(
                    "openssl x509 -in " + openssl.file("c.pem", certificate) + " -outform DER"),
                provider))
        .isEqualTo(key);
    RsaKeyRules.check(key);
  }

  @Test
  void fingerprint_isWhatOpensslShows() throws Exception {
    RSAPrivateCrtKey key =
        RsaPrivateKeys.read(newKey("k.pem", "RSA -pkeyopt rsa_keygen_bits:2048"), JDK);
    openssl.run("openssl pkey -in k.pem -pubout -outform DER -out public.der");
    openssl.run("openssl dgst -sha256 -binary -out hash.bin public.der");
    String shown = openssl.text("openssl base64 -in hash.bin").strip();

    KeyFingerprint fingerprint = KeyFingerprint.of(RsaPublicKeys.of(key, JDK));
    assertThat(fingerprint.value()).isEqualTo("SHA256:" + shown.replace("=", ""));
    assertThat(fingerprint).hasToString(fingerprint.value());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "openssl pkcs8 -topk8 -in k.pem -passout pass:secret",
        "openssl pkcs8 -topk8 -v1 PBE-SHA1-3DES -in k.pem -passout pass:secret",
        "openssl rsa -traditional -aes128 -in k.pem -passout pass:secret"
      })
  void privateKey_encrypted_saysHowToDecrypt(String command) throws Exception {
    newKey("k.pem", "RSA -pkeyopt rsa_keygen_bits:2048");
    String encrypted = openssl.text(command);
    assertRefused(ENCRYPTED, () -> RsaPrivateKeys.read(encrypted, JDK))
        .contains("openssl pkcs8 -topk8 -nocrypt");
    assertRefused(PRIVATE_KEY, () -> RsaPublicKeys.read(encrypted, JDK)).contains("leaked");
    if (!encrypted.contains("DEK-Info")) {
      String bare = encrypted.replaceAll(NO_HEADERS, "");
      assertRefused(ENCRYPTED, () -> RsaPrivateKeys.read(bare, JDK));
      assertRefused(PRIVATE_KEY, () -> RsaPublicKeys.read(bare, JDK));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "RSA-PSS -pkeyopt rsa_keygen_bits:2048",
        "EC -pkeyopt ec_paramgen_curve:P-256",
        "ED25519",
        "X25519"
      })
  void key_ofAnotherAlgorithm_isNotRsa(String algorithm) throws Exception {
    String key = newKey("k.pem", algorithm);
    String publicKey = openssl.text("openssl pkey -in k.pem -pubout");
    byte[] der = openssl.run("openssl pkey -in k.pem -outform DER");
    assertRefused(NOT_RSA, () -> RsaPrivateKeys.read(key, JDK)).contains("openssl genrsa");
    assertRefused(NOT_RSA, () -> RsaPublicKeys.read(publicKey, JDK)).contains("openssl genrsa");
    assertRefused(PRIVATE_KEY, () -> RsaPublicKeys.read(key, JDK));
    assertRefused(PRIVATE_KEY, () -> RsaPublicKeys.read(der, JDK));
  }

  @Test
  void ecKey_withItsParametersInFront_isNotRsaOrPrivate() throws Exception {
    String key = openssl.text("openssl ecparam -name prime256v1 -genkey");
    assertThat(key).contains("EC PARAMETERS");
    assertRefused(NOT_RSA, () -> RsaPrivateKeys.read(key, JDK));
    assertRefused(PRIVATE_KEY, () -> RsaPublicKeys.read(key, JDK));
    String bare = key.substring(key.lastIndexOf("-----BEGIN")).replaceAll(NO_HEADERS, "");
    assertRefused(PRIVATE_KEY, () -> RsaPublicKeys.read(bare, JDK));
  }

  @Test
  void pkcs12_bagAttributesAroundTheKey_areIgnored() throws Exception {
    RSAPrivateCrtKey key =
        RsaPrivateKeys.read(newKey("k.pem", "RSA -pkeyopt rsa_keygen_bits:2048"), JDK);
    openssl.run("openssl req -x509 -key k.pem -subj /CN=partner -days 30 -out c.pem");
    openssl.run(
        "openssl pkcs12 -export -inkey k.pem -in c.pem -name partner -passout pass:x -out k.p12");
    String bags = openssl.text("openssl pkcs12 -in k.p12 -nocerts -nodes -passin pass:x");
    String certificate = openssl.text("openssl pkcs12 -in k.p12 -nokeys -passin pass:x");
    String both = openssl.text("openssl pkcs12 -in k.p12 -nodes -passin pass:x");

    assertThat(bags).contains("Bag Attributes");
    assertThat(RsaPrivateKeys.read(bags, JDK)).isEqualTo(key);
    assertThat(RsaPublicKeys.read(certificate, JDK)).isEqualTo(RsaPublicKeys.of(key, JDK));
    assertRefused(TOO_MANY, () -> RsaPrivateKeys.read(both, JDK));
    assertRefused(PRIVATE_KEY, () -> RsaPublicKeys.read(both, JDK));
    assertRefused(PRIVATE_KEY, () -> RsaPublicKeys.readFile(folder.resolve("k.p12"), JDK));
    assertRefused(FORMAT_UNSUPPORTED, () -> RsaPrivateKeys.readFile(folder.resolve("k.p12"), JDK));
  }

  @Test
  void certificateRequest_namesTheCommand() throws Exception {
    newKey("k.pem", "RSA -pkeyopt rsa_keygen_bits:2048");
    String request = openssl.text("openssl req -new -key k.pem -subj /CN=partner");
    assertRefused(FORMAT_UNSUPPORTED, () -> RsaPublicKeys.read(request, JDK))
        .contains("openssl req -in FILE -noout -pubkey");
    assertRefused(
        FORMAT_UNSUPPORTED, () -> RsaPublicKeys.read(request.replaceAll(NO_HEADERS, ""), JDK));
  }

  @Test
  void opensshKeys_nameTheCommandThatConvertsThem() throws Exception {
    openssl.run("ssh-keygen -q -t rsa -b 2048 -N  -f id_rsa");
    Path publicFile = folder.resolve("id_rsa.pub");
    Path privateFile = folder.resolve("id_rsa");
    assertRefused(FORMAT_UNSUPPORTED, () -> RsaPublicKeys.readFile(publicFile, JDK))
        .startsWith(publicFile + ": ")
        .contains("ssh-keygen -e -m PKCS8 -f");
    assertRefused(FORMAT_UNSUPPORTED, () -> RsaPrivateKeys.readFile(privateFile, JDK))
        .contains("ssh-keygen -p -m PKCS8 -f");
    assertRefused(PRIVATE_KEY, () -> RsaPublicKeys.readFile(privateFile, JDK));

    String converted = openssl.text("ssh-keygen -e -m PKCS8 -f id_rsa.pub");
    RsaKeyRules.check(RsaPublicKeys.read(converted, JDK));
  }

  @ParameterizedTest
  @ValueSource(ints = {512, 1024, 2047})
  void rules_shortKey_isWeak(int bits) throws Exception {
    RSAPrivateCrtKey key = RsaPrivateKeys.read(openssl.text("openssl genrsa " + bits), JDK);
    assertRefused(WEAK, () -> RsaKeyRules.check(RsaPublicKeys.of(key, JDK)))
        .contains("the key has " + bits + " bits; at least 2048", "openssl genrsa -out");
  }

  @Test
  void rules_exponent3_isWeak() throws Exception {
    RSAPrivateCrtKey key = RsaPrivateKeys.read(openssl.text("openssl genrsa -3 2048"), JDK);
    assertRefused(WEAK, () -> RsaKeyRules.check(RsaPublicKeys.of(key, JDK))).contains("was 3");
  }

  private String newKey(String file, String algorithm) throws Exception {
    openssl.run("openssl genpkey -out " + file + " -algorithm " + algorithm);
    return openssl.text("openssl pkey -in " + file);
  }
}
