package dev.countersign.signatures;

import static dev.countersign.signatures.SignatureAlgorithm.RSA_V1_5_SHA256;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.countersign.signatures.keys.CryptoProvider;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.time.Instant;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ExternalSignerTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

  @Test
  void signature_ofExternalSigner_isThatOfTheKey() throws Exception {
    KeyPair pair = pair();
    SigningKey elsewhere = new SigningKey("c1", RSA_V1_5_SHA256, base -> signed(pair, base));
    SigningKey here =
        new SigningKey("c1", RSA_V1_5_SHA256, pair.getPrivate(), CryptoProvider.jdk());

    assertThat(signedFields(elsewhere).signature()).isEqualTo(signedFields(here).signature());
    assertThat(elsewhere).hasToString("SigningKey[c1, rsa-v1_5-sha256]");
  }

  @Test
  void exception_ofExternalSigner_reachesTheCaller() {
    SigningKey key =
        new SigningKey(
            "c1",
            RSA_V1_5_SHA256,
            base -> {
              throw new SigningException("the vault is sealed");
            });

    assertThatThrownBy(() -> signedFields(key))
        .isInstanceOf(SigningException.class)
        .hasMessage("the vault is sealed");
  }

  static Stream<ExternalSigner> signersOfNothing() {
    return Stream.of(base -> new byte[0], base -> null);
  }

  @ParameterizedTest
  @MethodSource("signersOfNothing")
  void signature_thatIsEmptyOrMissing_isRefused(ExternalSigner signer) {
    SigningKey key = new SigningKey("c1", RSA_V1_5_SHA256, signer);

    assertThatThrownBy(() -> signedFields(key))
        .isInstanceOf(SigningException.class)
        .hasMessage("the signer of c1 returned no signature");
  }

  @Test
  void keyid_thatIsNotAscii_isRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new SigningKey("cl\u00ef", RSA_V1_5_SHA256, base -> base));
  }

  private static SignedFields signedFields(SigningKey key) {
    SignableRequest request = SignableRequest.of("GET", "https://api.example/v1", NOW);
    return new MessageSigner(Profiles.PARTNER_V1, key).sign(request, NOW);
  }

  private static KeyPair pair() throws GeneralSecurityException {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
    generator.initialize(2048);
    return generator.generateKeyPair();
  }

  private static byte[] signed(KeyPair pair, byte[] base) {
    try {
      Signature signature = Signature.getInstance("SHA256withRSA");
      signature.initSign(pair.getPrivate());
      signature.update(base);
      return signature.sign();
    } catch (GeneralSecurityException e) {
      throw new SigningException("no signature", e);
    }
  }
}
