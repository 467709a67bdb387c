package dev.countersign.signatures;

import static dev.countersign.signatures.SignatureAlgorithm.ECDSA_P256_SHA256;
import static dev.countersign.signatures.SignatureAlgorithm.ED25519;
import static dev.countersign.signatures.SignatureAlgorithm.HMAC_SHA256;
import static dev.countersign.signatures.SignatureAlgorithm.RSA_PSS_SHA512;
import static dev.countersign.signatures.SignatureAlgorithm.RSA_V1_5_SHA256;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.countersign.signatures.keys.CryptoProvider;
import dev.countersign.signatures.keys.PublicKeys;
import dev.countersign.signatures.keys.RsaPublicKeys;
import dev.countersign.signatures.keys.TestedProvider;
import java.security.PublicKey;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

/** Every attack that Project Wycheproof has collected against the algorithms used here. */
class WycheproofTest {

  @ParameterizedTest(name = "{1} bits, {0}")
  @CsvSource({
    "JDK, 2048, 9, 249, 1",
    "JDK, 4096, 7, 250, 1",
    "CORRETTO, 2048, 9, 249, 1",
    "CORRETTO, 4096, 7, 250, 1"
  })
  void wycheproof_rsaV15_isJudgedAsItSays(
      TestedProvider provider, int bits, int valid, int invalid, int acceptable) {
    CryptoProvider crypto = provider.get();
    Function<JsonNode, VerificationKey> key =
        group -> new VerificationKey(RSA_V1_5_SHA256, everyForm(group, crypto), crypto);
    assertThat(judge("rsa_signature_" + bits + "_sha256_test.json", key, crypto))
        .isEqualTo(Map.of("valid", valid, "invalid", invalid, "acceptable", acceptable));
  }

  @ParameterizedTest
  @EnumSource
  void wycheproof_rsaPss_isJudgedAsItSays(TestedProvider provider) {
    CryptoProvider crypto = provider.get();
    Function<JsonNode, VerificationKey> key =
        group -> new VerificationKey(RSA_PSS_SHA512, der(group, "publicKeyAsn", crypto), crypto);
    assertThat(judge("rsa_pss_4096_sha512_mgf1_64_test.json", key, crypto))
        .isEqualTo(Map.of("valid", 132, "invalid", 47));
  }

  @ParameterizedTest
  @EnumSource
  void wycheproof_ecdsaP256_isJudgedAsItSays(TestedProvider provider) {
    CryptoProvider crypto = provider.get();
    Function<JsonNode, VerificationKey> key =
        group -> new VerificationKey(ECDSA_P256_SHA256, everyForm(group, crypto), crypto);
    assertThat(judge("ecdsa_secp256r1_sha256_p1363_test.json", key, crypto))
        .isEqualTo(Map.of("valid", 173, "invalid", 89));
  }

  @ParameterizedTest
  @EnumSource
  void wycheproof_ed25519_isJudgedAsItSays(TestedProvider provider) {
    CryptoProvider crypto = provider.get();
    // Corretto reads no Ed25519 key files, see CorrettoLimitsTest; it accepts the JDK's keys.
    Function<JsonNode, VerificationKey> key =
        group -> new VerificationKey(ED25519, everyForm(group, CryptoProvider.jdk()), crypto);
    assertThat(judge("ed25519_test.json", key, crypto))
        .isEqualTo(Map.of("valid", 88, "invalid", 63));
  }

  /**
   * The file has three sizes of secrets and two of tags, all of HMAC-SHA-256. Ours is the whole tag
   * of 256 bits: a valid tag of 128 bits is a truncated tag here, and never verifies. Secrets of
   * 128 bits are refused when they are configured.
   */
  @ParameterizedTest
  @EnumSource
  void wycheproof_hmac_wholeTagsAsItSays_truncatedTagsAndShortSecretsRefused(
      TestedProvider provider) {
    CryptoProvider crypto = provider.get();
    JsonNode file = Vectors.json("wycheproof", "hmac_sha256_test.json");
    Map<String, Integer> counts = new TreeMap<>();
    for (JsonNode group : file.get("testGroups")) {
      boolean whole = group.get("tagSize").asInt() == 256;
      for (JsonNode test : group.get("tests")) {
        SecretKey secret = new SecretKeySpec(bytes(test, "key"), "HMAC");
        if (group.get("keySize").asInt() < 256) {
          assertThatIllegalArgumentException()
              .isThrownBy(() -> new VerificationKey(HMAC_SHA256, secret, crypto))
              .withMessageContaining("at least 32");
          counts.merge("secret too short", 1, Integer::sum);
          continue;
        }
        String result = test.get("result").asString();
        assertThat(new VerificationKey(HMAC_SHA256, secret, crypto).verifies(msg(test), tag(test)))
            .as(test.toString())
            .isEqualTo(whole && result.equals("valid"));
        counts.merge(whole ? result : "truncated " + result, 1, Integer::sum);
      }
    }
    assertThat(counts)
        .isEqualTo(
            Map.of(
                "valid", 30,
                "invalid", 54,
                "truncated valid", 30,
                "truncated invalid", 54,
                "secret too short", 6));
    assertThat(file.get("numberOfTests").asInt()).isEqualTo(174);
  }

  private static Map<String, Integer> judge(
      String name, Function<JsonNode, VerificationKey> keys, CryptoProvider crypto) {
    JsonNode file = Vectors.json("wycheproof", name);
    Map<String, Integer> counts = new TreeMap<>();
    for (JsonNode group : file.get("testGroups")) {
      VerificationKey key = keys.apply(group);
      for (JsonNode test : group.get("tests")) {
        String result = test.get("result").asString();
        boolean verified = key.verifies(msg(test), bytes(test, "sig"));
        // "acceptable" is a hash without its NULL; of the two encodings we accept the one of RFC
        // 8017 section 9.2 note 1, with every provider.
        if (isRefusedByJava17(name, test, crypto)) {
          System.out.println(
              crypto.name()
                  + ", "
                  + name
                  + ", "
                  + result
                  + " "
                  + test.get("flags")
                  + (verified ? " verified" : " refused"));
        } else {
          assertThat(verified).as(test.toString()).isEqualTo(result.equals("valid"));
        }
        counts.merge(result, 1, Integer::sum);
      }
    }
    assertThat(counts.values().stream().mapToInt(Integer::intValue).sum())
        .isEqualTo(file.get("numberOfTests").asInt());
    return counts;
  }

  /**
   * The EC code of Java 17 does not reduce an x-coordinate of n or more, and so refuses one valid
   * signature in 2^32; Java 25 and Corretto accept it. A refusal is safe, so it is only recorded.
   */
  private static boolean isRefusedByJava17(String name, JsonNode test, CryptoProvider crypto) {
    return name.startsWith("ecdsa_")
        && crypto.name().equals("SunRsaSign 17")
        && Set.of(115, 257).contains(test.get("tcId").asInt());
  }

  /** Returns the key of a group from its PEM and its DER, and from PKCS#1 if it has that. */
  private static PublicKey everyForm(JsonNode group, CryptoProvider crypto) {
    String pem = group.get("publicKeyPem").asString();
    PublicKey key = PublicKeys.read(pem, crypto);
    assertThat(PublicKeys.toPem(key)).isEqualTo(pem);
    assertThat(der(group, "publicKeyDer", crypto)).isEqualTo(key);
    if (group.has("publicKeyAsn")) {
      assertThat(der(group, "publicKeyAsn", crypto)).isEqualTo(key);
      assertThat(RsaPublicKeys.read(pem, crypto)).isEqualTo(key);
    }
    return key;
  }

  private static PublicKey der(JsonNode group, String form, CryptoProvider crypto) {
    byte[] der = bytes(group, form);
    PublicKey key = PublicKeys.read(der, crypto);
    assertThat(PublicKeys.read(Base64.getEncoder().encodeToString(der), crypto)).isEqualTo(key);
    return key;
  }

  private static byte[] msg(JsonNode test) {
    return bytes(test, "msg");
  }

  private static byte[] tag(JsonNode test) {
    return bytes(test, "tag");
  }

  private static byte[] bytes(JsonNode node, String name) {
    return HexFormat.of().parseHex(node.get(name).asString());
  }
}
