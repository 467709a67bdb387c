package dev.countersign.signatures.keys;

import static dev.countersign.signatures.keys.KeyFileException.Reason.ALGORITHM_UNSUPPORTED;
import static dev.countersign.signatures.keys.KeyFileException.Reason.ENCRYPTED;
import static dev.countersign.signatures.keys.KeyFileException.Reason.FORMAT_UNSUPPORTED;
import static dev.countersign.signatures.keys.KeyFileException.Reason.PRIVATE_KEY;
import static dev.countersign.signatures.keys.KeyFileException.Reason.PUBLIC_KEY;
import static dev.countersign.signatures.keys.Refusal.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.MGF1ParameterSpec;
import java.security.spec.PSSParameterSpec;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Key files that OpenSSL writes for every algorithm are read, or refused with a reason. */
@Tag("full")
class OpensslAllKeysTest {
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
  @CsvSource({
    "RSA -pkeyopt rsa_keygen_bits:2048, SHA256withRSA",
    "EC -pkeyopt ec_paramgen_curve:P-256, SHA256withECDSA",
    "EC -pkeyopt ec_paramgen_curve:P-384, SHA256withECDSA",
    "EC -pkeyopt ec_paramgen_curve:P-521, SHA256withECDSA",
    "ED25519, Ed25519"
  })
  void pair_inEveryForm_isOnePair(String algorithm, String signature) throws Exception {
    String pem = newKey(algorithm);
    String spki = openssl.text("openssl pkey -in k.pem -pubout");
    String certificate = openssl.text("openssl req -x509 -key k.pem -subj /CN=partner -days 30");
    byte[] der = openssl.run("openssl pkey -in k.pem -outform DER");
    byte[] spkiDer = openssl.run("openssl pkey -in k.pem -pubout -outform DER");

    PrivateKey privateKey = PrivateKeys.read(pem, JDK);
    PublicKey publicKey = PublicKeys.read(spki, JDK);
    ProviderKey.requirePair(privateKey, publicKey, signature, JDK);
    assertThat(PublicKeys.toPem(publicKey)).isEqualTo(spki);
    for (String form : new String[] {spki, certificate, spki.replaceAll(NO_HEADERS, "")}) {
      assertThat(PublicKeys.read(form, JDK)).isEqualTo(publicKey);
      assertRefused(PUBLIC_KEY, () -> PrivateKeys.read(form, JDK));
    }
    assertThat(PublicKeys.read(spkiDer, JDK)).isEqualTo(publicKey);
    for (String form : new String[] {pem, pem.replaceAll(NO_HEADERS, "")}) {
      assertThat(PrivateKeys.read(form, JDK)).isEqualTo(privateKey);
      assertRefused(PRIVATE_KEY, () -> PublicKeys.read(form, JDK));
    }
    // Either form of DER: openssl 3 writes the traditional one here for RSA and EC.
    assertThat(PrivateKeys.read(der, JDK)).isEqualTo(privateKey);
    assertRefused(PRIVATE_KEY, () -> PublicKeys.read(der, JDK));
  }

  @ParameterizedTest
  @ValueSource(strings = {"prime256v1", "secp384r1", "secp521r1"})
  void ecKey_ofEcparam_isReadWithItsParametersInFront(String curve) throws Exception {
    String both = openssl.text("openssl ecparam -genkey -name " + curve);
    openssl.file("k.pem", both);
    String pkcs8 = openssl.text("openssl pkcs8 -topk8 -nocrypt -in k.pem");
    assertThat(both).contains("BEGIN EC PARAMETERS", "BEGIN EC PRIVATE KEY");
    PrivateKey key = PrivateKeys.read(both, JDK);
    assertThat(PrivateKeys.read(pkcs8, JDK)).isEqualTo(key);
    String alone = both.substring(both.lastIndexOf("-----BEGIN"));
    assertThat(PrivateKeys.read(alone, JDK)).isEqualTo(key);
    assertThat(PrivateKeys.read(alone.replaceAll(NO_HEADERS, ""), JDK)).isEqualTo(key);
    String withoutPublic = openssl.text("openssl ec -in k.pem -no_public");
    assertThat(PrivateKeys.read(withoutPublic, JDK)).isEqualTo(key);
    assertRefused(PRIVATE_KEY, () -> PublicKeys.read(both, JDK));
  }

  @Test
  void pssKey_withoutParameters_isForEveryHash() throws Exception {
    newKey("RSA-PSS -pkeyopt rsa_keygen_bits:2048");
    RSAPublicKey key =
        (RSAPublicKey) PublicKeys.read(openssl.text("openssl pkey -in k.pem -pubout"), JDK);
    assertThat(key.getAlgorithm()).isEqualTo("RSASSA-PSS");
    assertThat(key.getParams()).isNull();
    PrivateKey privateKey = PrivateKeys.readFile(folder.resolve("k.pem"), JDK);
    assertThat(privateKey.getAlgorithm()).isEqualTo("RSASSA-PSS");
  }

  @ParameterizedTest
  @CsvSource({
    "sha256, SHA-256, 32",
    "sha384, SHA-384, 48",
    "sha512, SHA-512, 64",
    "sha1, SHA-1, 20"
  })
  void pssKey_withParameters_isBoundToThem(String digest, String hash, int salt) throws Exception {
    newKey(
        "RSA-PSS -pkeyopt rsa_keygen_bits:2048 -pkeyopt rsa_pss_keygen_md:"
            + digest
            + " -pkeyopt rsa_pss_keygen_mgf1_md:"
            + digest
            + " -pkeyopt rsa_pss_keygen_saltlen:"
            + salt);
    RSAPublicKey key =
        (RSAPublicKey) PublicKeys.read(openssl.text("openssl pkey -in k.pem -pubout"), JDK);
    PSSParameterSpec bound = (PSSParameterSpec) key.getParams();
    assertThat(bound.getDigestAlgorithm()).isEqualTo(hash);
    assertThat(((MGF1ParameterSpec) bound.getMGFParameters()).getDigestAlgorithm()).isEqualTo(hash);
    assertThat(bound.getSaltLength()).isEqualTo(salt);
    assertThat(PrivateKeys.readFile(folder.resolve("k.pem"), JDK).getAlgorithm())
        .isEqualTo("RSASSA-PSS");
  }

  @ParameterizedTest
  @ValueSource(strings = {"secp256k1", "secp224r1", "brainpoolP256r1", "sect283r1"})
  void ecKey_onAnotherCurve_isRefused(String curve) throws Exception {
    String key = newKey("EC -pkeyopt ec_paramgen_curve:" + curve);
    String spki = openssl.text("openssl pkey -in k.pem -pubout");
    assertRefused(ALGORITHM_UNSUPPORTED, () -> PublicKeys.read(spki, JDK)).contains("P-256");
    assertRefused(ALGORITHM_UNSUPPORTED, () -> PrivateKeys.read(key, JDK));
  }

  @Test
  void ecKey_withItsCurveInNumbers_isRefused() throws Exception {
    String key = newKey("EC -pkeyopt ec_paramgen_curve:P-256 -pkeyopt ec_param_enc:explicit");
    String spki = openssl.text("openssl pkey -in k.pem -pubout");
    assertRefused(ALGORITHM_UNSUPPORTED, () -> PublicKeys.read(spki, JDK)).contains("by numbers");
    assertRefused(ALGORITHM_UNSUPPORTED, () -> PrivateKeys.read(key, JDK)).contains("by numbers");
  }

  @Test
  void ecKey_compressed_isReadAfterTheCommandInTheMessage() throws Exception {
    newKey("EC -pkeyopt ec_paramgen_curve:P-256");
    PublicKey key = PublicKeys.read(openssl.text("openssl pkey -in k.pem -pubout"), JDK);
    String compressed = openssl.text("openssl ec -in k.pem -pubout -conv_form compressed");
    assertRefused(FORMAT_UNSUPPORTED, () -> PublicKeys.read(compressed, JDK))
        .contains("openssl ec -in FILE -conv_form uncompressed", "-pubin");
    openssl.file("c.pem", compressed);
    String whole = openssl.text("openssl ec -pubin -in c.pem -conv_form uncompressed");
    assertThat(PublicKeys.read(whole, JDK)).isEqualTo(key);
  }

  @ParameterizedTest
  @ValueSource(strings = {"X25519", "ED448", "X448"})
  void key_ofAnAlgorithmWithoutUse_isRefused(String algorithm) throws Exception {
    String key = newKey(algorithm);
    String spki = openssl.text("openssl pkey -in k.pem -pubout");
    assertRefused(ALGORITHM_UNSUPPORTED, () -> PublicKeys.read(spki, JDK)).contains("Ed25519");
    assertRefused(ALGORITHM_UNSUPPORTED, () -> PrivateKeys.read(key, JDK));
  }

  @Test
  void encryptedKey_saysHowToDecrypt() throws Exception {
    newKey("ED25519");
    String encrypted = openssl.text("openssl pkcs8 -topk8 -in k.pem -passout pass:secret");
    assertRefused(ENCRYPTED, () -> PrivateKeys.read(encrypted, JDK)).contains("-nocrypt");
    assertRefused(PRIVATE_KEY, () -> PublicKeys.read(encrypted, JDK));
  }

  private String newKey(String algorithm) throws Exception {
    openssl.run("openssl genpkey -out k.pem -algorithm " + algorithm);
    return openssl.text("openssl pkey -in k.pem");
  }
}
