package dev.countersign.signatures.keys;

import static dev.countersign.signatures.keys.Refusal.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.signatures.Vectors;
import java.security.interfaces.RSAPrivateCrtKey;
import java.security.interfaces.RSAPublicKey;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

/** The keys of RFC 9421, appendix B.1. */
class Rfc9421KeysTest {

  @ParameterizedTest
  @EnumSource
  void rfc9421_B11_rsa_bothHalvesRead(TestedProvider provider) {
    JsonNode key = key("test-key-rsa");
    RSAPublicKey publicKey = RsaPublicKeys.read(key.get("publicKeyPem").asString(), provider.get());
    RSAPrivateCrtKey privateKey =
        RsaPrivateKeys.read(key.get("privateKeyPem").asString(), provider.get());

    assertThat(RsaPublicKeys.of(privateKey, provider.get())).isEqualTo(publicKey);
    RsaKeyRules.check(publicKey);
  }

  @ParameterizedTest
  @EnumSource
  void rfc9421_B12_rsaPss_publicIsPlainRsa_privateIsRefused(TestedProvider provider) {
    JsonNode key = key("test-key-rsa-pss");
    RsaKeyRules.check(RsaPublicKeys.read(key.get("publicKeyPem").asString(), provider.get()));
    assertRefused(
            KeyFileException.Reason.NOT_RSA,
            () -> RsaPrivateKeys.read(key.get("privateKeyPem").asString(), provider.get()))
        .contains("RSASSA-PSS");
  }

  @ParameterizedTest
  @EnumSource
  void rfc9421_B13_B14_otherAlgorithms_areNotRsa(TestedProvider provider) {
    for (String name : new String[] {"test-key-ecc-p256", "test-key-ed25519"}) {
      JsonNode key = key(name);
      assertRefused(
          KeyFileException.Reason.NOT_RSA,
          () -> RsaPublicKeys.read(key.get("publicKeyPem").asString(), provider.get()));
      assertRefused(
          KeyFileException.Reason.NOT_RSA,
          () -> RsaPrivateKeys.read(key.get("privateKeyPem").asString(), provider.get()));
      assertRefused(
          KeyFileException.Reason.PRIVATE_KEY,
          () -> RsaPublicKeys.read(key.get("privateKeyPem").asString(), provider.get()));
    }
  }

  private static JsonNode key(String name) {
    return Vectors.json("rfc9421", "appendix-b.json").get("keys").get(name);
  }
}
