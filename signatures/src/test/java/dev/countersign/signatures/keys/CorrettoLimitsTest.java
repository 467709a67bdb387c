package dev.countersign.signatures.keys;

import static dev.countersign.signatures.keys.Refusal.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.security.KeyPair;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Features that Corretto 2.5 lacks are refused by name, and no other provider is used instead. */
class CorrettoLimitsTest {

  @ParameterizedTest
  @ValueSource(strings = {"Ed25519", "RSASSA-PSS"})
  void corretto_keyWithoutItsKeyFactory_isRefusedByName(String kind) {
    CryptoProvider corretto = TestedProvider.CORRETTO.get();
    KeyPair pair = TestKeys.pair(kind);
    String message = corretto.name() + " has no KeyFactory " + kind;
    assertThatIllegalStateException()
        .isThrownBy(() -> PublicKeys.read(PublicKeys.toPem(pair.getPublic()), corretto))
        .withMessage(message);
    assertThatIllegalStateException()
        .isThrownBy(() -> PrivateKeys.read(PrivateKeys.toPem(pair.getPrivate()), corretto))
        .withMessage(message);
  }

  @Test
  void corretto_otherKeys_areRead() {
    CryptoProvider corretto = TestedProvider.CORRETTO.get();
    for (String kind : List.of("RSA", "secp256r1", "secp384r1", "secp521r1")) {
      KeyPair pair = TestKeys.pair(kind);
      assertThat(PublicKeys.read(PublicKeys.toPem(pair.getPublic()), corretto).getEncoded())
          .isEqualTo(pair.getPublic().getEncoded());
      String pem = PrivateKeys.toPem(pair.getPrivate());
      assertThat(PrivateKeys.read(pem, CryptoProvider.jdk())).isEqualTo(pair.getPrivate());
      assertThat(PrivateKeys.toPem(PrivateKeys.read(pem, corretto))).startsWith("-----BEGIN PRI");
    }
  }

  @Test
  void corretto_offersEverySignatureAndMac() {
    CryptoProvider corretto = TestedProvider.CORRETTO.get();
    for (String name :
        List.of(
            "SHA256withRSA",
            "SHA384withRSA",
            "SHA512withRSA",
            "RSASSA-PSS",
            "SHA256withECDSAinP1363Format",
            "SHA384withECDSAinP1363Format",
            "SHA512withECDSAinP1363Format",
            "Ed25519")) {
      assertThat(corretto.signature(name).getProvider().getName()).startsWith("AmazonCorretto");
    }
    for (String name : List.of("HmacSHA256", "HmacSHA384", "HmacSHA512")) {
      assertThat(corretto.mac(name).getProvider().getName()).startsWith("AmazonCorretto");
    }
  }

  @Test
  void damagedKey_onCorretto_isRefusedBeforeItGetsThere() {
    byte[] der = TestKeys.pair("secp256r1").getPublic().getEncoded();
    der[der.length - 1] ^= 1;
    assertRefused(
            KeyFileException.Reason.MALFORMED,
            () -> PublicKeys.read(TestKeys.bare(der), TestedProvider.CORRETTO.get()))
        .contains("not a point on the curve P-256");
  }
}
