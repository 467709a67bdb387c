package dev.countersign.signatures.keys;

import static org.assertj.core.api.Assertions.assertThat;

import java.security.GeneralSecurityException;
import java.security.Signature;
import java.security.SignatureException;
import java.security.interfaces.RSAPublicKey;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** Project Wycheproof's attacks on PKCS#1 v1.5 verification, with keys that our reader read. */
class WycheproofRsaTest {

  @ParameterizedTest(name = "{1} bits, {0}")
  @CsvSource({
    "JDK, 2048, 9, 249, 1",
    "JDK, 4096, 7, 250, 1",
    "CORRETTO, 2048, 9, 249, 1",
    "CORRETTO, 4096, 7, 250, 1"
  })
  void wycheproof_sha256_everyCaseAsExpected(
      TestedProvider which, int bits, int valid, int invalid, int acceptable) throws Exception {
    JsonNode file = KeyVectors.json("wycheproof", "rsa_signature_" + bits + "_sha256_test.json");
    CryptoProvider provider = which.get();
    Map<String, Integer> counts = new TreeMap<>();
    for (JsonNode group : file.get("testGroups")) {
      RSAPublicKey key = readEveryForm(group, provider);
      for (JsonNode test : group.get("tests")) {
        String result = test.get("result").asString();
        boolean verified = verifies(test, key, provider);
        if (!result.equals("acceptable")) {
          assertThat(verified)
              .as("tcId " + test.get("tcId") + " " + test.get("comment"))
              .isEqualTo(result.equals("valid"));
        } else {
          System.out.println(
              provider.name()
                  + ", "
                  + bits
                  + " bits, acceptable "
                  + test.get("flags")
                  + (verified ? " verified" : " refused"));
        }
        counts.merge(result, 1, Integer::sum);
      }
    }
    assertThat(counts)
        .isEqualTo(Map.of("valid", valid, "invalid", invalid, "acceptable", acceptable));
    assertThat(file.get("numberOfTests").asInt()).isEqualTo(valid + invalid + acceptable);
  }

  private static RSAPublicKey readEveryForm(JsonNode group, CryptoProvider provider) {
    RSAPublicKey key = RsaPublicKeys.read(group.get("publicKeyPem").asString(), provider);
    for (String form : new String[] {"publicKeyDer", "publicKeyAsn"}) {
      byte[] der = HexFormat.of().parseHex(group.get(form).asString());
      assertThat(RsaPublicKeys.read(der, provider)).isEqualTo(key);
      String bare = Base64.getEncoder().encodeToString(der);
      assertThat(RsaPublicKeys.read(bare, provider)).isEqualTo(key);
    }
    assertThat(RsaPublicKeys.toPem(key)).isEqualTo(group.get("publicKeyPem").asString());
    return key;
  }

  private static boolean verifies(JsonNode test, RSAPublicKey key, CryptoProvider provider)
      throws GeneralSecurityException {
    Signature signature = provider.signature("SHA256withRSA");
    signature.initVerify(key);
    signature.update(HexFormat.of().parseHex(test.get("msg").asString()));
    try {
      return signature.verify(HexFormat.of().parseHex(test.get("sig").asString()));
    } catch (SignatureException e) {
      return false;
    }
  }
}
