package dev.countersign.signatures;

import static dev.countersign.signatures.SignatureAlgorithm.RSA_V1_5_SHA256;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.countersign.signatures.keys.CryptoProvider;
import dev.countersign.signatures.keys.RsaPublicKeys;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** A key is fit for its algorithm before it is used, and decides what is verified. */
class KeyUseTest {
  private static final CryptoProvider JDK = CryptoProvider.jdk();

  @ParameterizedTest
  @ValueSource(strings = {"EC", "Ed25519", "RSASSA-PSS", "DSA"})
  void key_ofAnotherKind_isRefusedAtOnce(String algorithm) throws Exception {
    KeyPair pair = KeyPairGenerator.getInstance(algorithm).generateKeyPair();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new VerificationKey(RSA_V1_5_SHA256, pair.getPublic(), JDK))
        .withMessageContaining("needs an RSA key");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new SigningKey("a", RSA_V1_5_SHA256, pair.getPrivate(), JDK));
  }

  @Test
  void key_tooShort_isRefusedAtOnce() {
    KeyPairGenerator generator = JDK.keyPairGenerator("RSA");
    generator.initialize(1024);
    KeyPair pair = generator.generateKeyPair();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new VerificationKey(RSA_V1_5_SHA256, pair.getPublic(), JDK))
        .withMessageContaining("at least 2048 bits, was 1024");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new SigningKey("a", RSA_V1_5_SHA256, pair.getPrivate(), JDK));
  }

  @ParameterizedTest
  @ValueSource(strings = {"\u00e9", "a\n", "\u0000"})
  void keyid_thatCannotBeSent_isRefusedAtOnce(String keyid) {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> new SigningKey(keyid, RSA_V1_5_SHA256, Partner.ALICE.keys().getPrivate(), JDK));
  }

  @Test
  void algorithm_isNamedByItsRegisteredNameAlone() {
    assertThat(SignatureAlgorithm.named("rsa-v1_5-sha256")).contains(RSA_V1_5_SHA256);
    assertThat(SignatureAlgorithm.named("RSA-v1_5-sha256")).isEmpty();
  }

  /** Wycheproof's forgeries: wrong padding, wrong lengths, BER, other hashes, and good ones. */
  @ParameterizedTest
  @EnumSource
  void wycheproof_rsaSignatures_areJudgedAsItSays(TestedCrypto which) throws Exception {
    int judged = 0;
    for (int bits : new int[] {2048, 4096}) {
      JsonNode file = Vectors.json("wycheproof", "rsa_signature_" + bits + "_sha256_test.json");
      for (JsonNode group : file.get("testGroups")) {
        byte[] der = HexFormat.of().parseHex(group.get("publicKeyDer").asString());
        VerificationKey key =
            new VerificationKey(RSA_V1_5_SHA256, RsaPublicKeys.read(der, which.get()), which.get());
        for (JsonNode test : group.get("tests")) {
          boolean verified =
              key.verifies(
                  HexFormat.of().parseHex(test.get("msg").asString()),
                  HexFormat.of().parseHex(test.get("sig").asString()));
          String result = test.get("result").asString();
          // "acceptable" is a hash without its NULL, which RFC 8017 appendix A.2.4 lets pass.
          if (!result.equals("acceptable")) {
            assertThat(verified).as(test.toString()).isEqualTo(result.equals("valid"));
          }
          judged++;
        }
      }
    }
    assertThat(judged).isGreaterThan(400);
  }
}
