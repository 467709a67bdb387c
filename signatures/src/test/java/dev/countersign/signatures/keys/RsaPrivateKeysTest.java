package dev.countersign.signatures.keys;

import static dev.countersign.signatures.keys.KeyFileException.Reason.EMPTY;
import static dev.countersign.signatures.keys.KeyFileException.Reason.FORMAT_UNSUPPORTED;
import static dev.countersign.signatures.keys.KeyFileException.Reason.MALFORMED;
import static dev.countersign.signatures.keys.KeyFileException.Reason.NOT_PEM;
import static dev.countersign.signatures.keys.KeyFileException.Reason.PUBLIC_KEY;
import static dev.countersign.signatures.keys.KeyFileException.Reason.TOO_MANY;
import static dev.countersign.signatures.keys.Refusal.assertRefused;
import static dev.countersign.signatures.keys.TestKeys.PRIVATE;
import static dev.countersign.signatures.keys.TestKeys.PRIVATE_PEM;
import static dev.countersign.signatures.keys.TestKeys.PUBLIC_PEM;
import static dev.countersign.signatures.keys.TestKeys.bare;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.security.PrivateKey;
import java.security.Signature;
import java.security.interfaces.RSAPrivateCrtKey;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class RsaPrivateKeysTest {
  private static final CryptoProvider JDK = CryptoProvider.jdk();

  static Stream<String> readable() {
    return Stream.of(
        PRIVATE_PEM,
        "\ufeff" + PRIVATE_PEM.replace("\n", "\r\n"),
        PRIVATE_PEM.replace("\n", ""),
        PRIVATE_PEM.replace("\n", " \t\n"),
        bare(PRIVATE.getEncoded()),
        Pem.write("RSA PRIVATE KEY", TestKeys.pkcs1Private()),
        bare(TestKeys.pkcs1Private()),
        "Bag Attributes\n    localKeyID: 01 02\nKey Attributes: <No Attributes>\n" + PRIVATE_PEM);
  }

  @ParameterizedTest
  @MethodSource("readable")
  void read_everyHonestForm_isTheKey(String text) {
    assertThat(read(text)).isEqualTo(PRIVATE);
  }

  @ParameterizedTest
  @EnumSource
  void read_thenSign_verifiesWithTheOtherProvider(TestedProvider provider) throws Exception {
    Signature signer = provider.get().signature("SHA256withRSA");
    signer.initSign(RsaPrivateKeys.read(PRIVATE_PEM, provider.get()));
    signer.update("\"@method\": GET".getBytes(UTF_8));
    Signature verifier = JDK.signature("SHA256withRSA");
    verifier.initVerify(TestKeys.PUBLIC);
    verifier.update("\"@method\": GET".getBytes(UTF_8));
    assertThat(verifier.verify(signer.sign())).isTrue();
  }

  @Test
  void read_oneWrongNumber_isMalformed() {
    byte[] pkcs1 = TestKeys.pkcs1Private();
    pkcs1[pkcs1.length - 1] ^= 1;
    assertRefused(MALFORMED, () -> read(bare(pkcs1))).contains("do not belong together");
  }

  @Test
  void read_publicKey_isRefused() {
    assertRefused(PUBLIC_KEY, () -> read(PUBLIC_PEM)).contains("-----BEGIN PRIVATE KEY-----");
    assertRefused(PUBLIC_KEY, () -> read(bare(TestKeys.pkcs1Public())));
    assertRefused(PUBLIC_KEY, () -> read("ssh-rsa AAAAB3NzaC1yc2EAAAADAQAB me"));
  }

  @Test
  void read_otherTexts_areRefused() {
    assertRefused(EMPTY, () -> read(" "));
    assertRefused(NOT_PEM, () -> read("the key is in the vault"));
    assertRefused(NOT_PEM, () -> read(PRIVATE_PEM.substring(0, 500)));
    assertRefused(TOO_MANY, () -> read(PRIVATE_PEM + PRIVATE_PEM));
    assertRefused(FORMAT_UNSUPPORTED, () -> read(bare(PRIVATE_PEM.getBytes(UTF_8))));
    assertRefused(
        FORMAT_UNSUPPORTED, () -> read("-----BEGIN PGP PRIVATE KEY BLOCK-----\n\nlQOYBGX\n"));
  }

  @Test
  void toPem_keyThatStaysInItsHardware_isRefused() {
    PrivateKey hidden =
        new PrivateKey() {
          private static final long serialVersionUID = 1L;

          @Override
          public String getAlgorithm() {
            return "RSA";
          }

          @Override
          public String getFormat() {
            return null;
          }

          @Override
          public byte[] getEncoded() {
            return null;
          }
        };
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RsaPrivateKeys.toPem(hidden))
        .withMessage("the RSA key cannot be exported as PKCS#8");
  }

  private static RSAPrivateCrtKey read(String text) {
    return RsaPrivateKeys.read(text, JDK);
  }
}
