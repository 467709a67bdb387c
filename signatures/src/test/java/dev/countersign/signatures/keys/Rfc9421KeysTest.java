package dev.countersign.signatures.keys;

import static dev.countersign.signatures.keys.Refusal.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import java.security.interfaces.RSAPrivateCrtKey;
import java.security.interfaces.RSAPublicKey;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

/** The keys of RFC 9421, appendix B.1. */
class Rfc9421KeysTest {

  @ParameterizedTest
  @EnumSource
  void rfc9421_B11_rsa_bothHalvesRead(TestedProvider which) {
    JsonNode key = key("test-key-rsa");
    RSAPublicKey publicKey = RsaPublicKeys.read(key.get("publicKeyPem").asString(), which.get());
    RSAPrivateCrtKey privateKey =
        RsaPrivateKeys.read(key.get("privateKeyPem").asString(), which.get());

    assertThat(RsaPublicKeys.of(privateKey, which.get())).isEqualTo(publicKey);
    RsaKeyRules.check(publicKey);
  }

  @ParameterizedTest
  @EnumSource
  void rfc9421_B12_rsaPss_publicIsPlainRsa_privateIsRefused(TestedProvider which) {
    JsonNode key = key("test-key-rsa-pss");
    RsaKeyRules.check(RsaPublicKeys.read(key.get("publicKeyPem").asString(), which.get()));
    assertRefused(
            KeyFileException.Reason.NOT_RSA,
            () -> RsaPrivateKeys.read(key.get("privateKeyPem").asString(), which.get()))
        .contains("RSASSA-PSS");
  }

  @ParameterizedTest
  @EnumSource
  void rfc9421_B13_B14_otherAlgorithms_areNotRsa(TestedProvider which) {
    for (String name : new String[] {"test-key-ecc-p256", "test-key-ed25519"}) {
      JsonNode key = key(name);
      assertRefused(
          KeyFileException.Reason.NOT_RSA,
          () -> RsaPublicKeys.read(key.get("publicKeyPem").asString(), which.get()));
      assertRefused(
          KeyFileException.Reason.NOT_RSA,
          () -> RsaPrivateKeys.read(key.get("privateKeyPem").asString(), which.get()));
      assertRefused(
          KeyFileException.Reason.PRIVATE_KEY,
          () -> RsaPublicKeys.read(key.get("privateKeyPem").asString(), which.get()));
    }
  }

  private static JsonNode key(String name) {
    return KeyVectors.json("rfc9421", "appendix-b.json").get("keys").get(name);
  }
}
