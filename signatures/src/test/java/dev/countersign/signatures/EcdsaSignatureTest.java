package dev.countersign.signatures;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.signatures.keys.EcCurve;
import dev.countersign.signatures.keys.TestedProvider;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.Signature;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The form of ECDSA signatures, and invalid ones that verifiers have accepted. */
class EcdsaSignatureTest {
  private static final byte[] BASE = "\"@method\": GET".getBytes(StandardCharsets.US_ASCII);

  static Stream<Arguments> curvesAndProviders() {
    return Stream.of(
            SignatureAlgorithm.ECDSA_P256_SHA256,
            SignatureAlgorithm.ECDSA_P384_SHA384,
            SignatureAlgorithm.JWS_ES512)
        .flatMap(
            algorithm ->
                Arrays.stream(TestedProvider.values())
                    .map(provider -> Arguments.of(algorithm, provider)));
  }

  @ParameterizedTest
  @MethodSource("curvesAndProviders")
  void signature_inDer_neverVerifies(SignatureAlgorithm algorithm, TestedProvider provider)
      throws Exception {
    Signature signer = Signature.getInstance(hash(algorithm) + "withECDSA");
    signer.initSign(AlgorithmKeys.pair(algorithm).getPrivate());
    signer.update(BASE);
    byte[] der = signer.sign();
    assertThat(der[0]).isEqualTo((byte) 0x30);
    VerificationKey key = AlgorithmKeys.verification(algorithm, provider.get());
    assertThat(key.verifies(BASE, der)).isFalse();

    byte[] sideBySide = EcdsaForms.sideBySide(der, curve(algorithm).bytes());
    assertThat(key.verifies(BASE, sideBySide)).as("the same numbers side by side").isTrue();
  }

  /** CVE-2022-21449: zeros were accepted as a signature of anything, and so were multiples of n. */
  @ParameterizedTest
  @MethodSource("curvesAndProviders")
  void signature_ofNumbersOutOfRange_neverVerifies(
      SignatureAlgorithm algorithm, TestedProvider provider) throws Exception {
    VerificationKey key = AlgorithmKeys.verification(algorithm, provider.get());
    EcCurve curve = curve(algorithm);
    BigInteger n = curve.order();
    BigInteger max = BigInteger.ONE.shiftLeft(8 * curve.bytes()).subtract(BigInteger.ONE);
    List<BigInteger> bad = List.of(BigInteger.ZERO, n, max);
    List<BigInteger> others =
        List.of(BigInteger.ZERO, BigInteger.ONE, n.subtract(BigInteger.ONE), n, max);
    for (BigInteger one : bad) {
      for (BigInteger other : others) {
        assertThat(key.verifies(BASE, EcdsaForms.sideBySide(one, other, curve.bytes()))).isFalse();
        assertThat(key.verifies(BASE, EcdsaForms.sideBySide(other, one, curve.bytes()))).isFalse();
      }
    }
  }

  /** With a leading zero in each half, the numbers are the same but the signature differs. */
  @ParameterizedTest
  @MethodSource("curvesAndProviders")
  void signature_withHalvesPadded_neverVerifies(
      SignatureAlgorithm algorithm, TestedProvider provider) throws Exception {
    int bytes = curve(algorithm).bytes();
    Signature signer = Signature.getInstance(hash(algorithm) + "withECDSAinP1363Format");
    signer.initSign(AlgorithmKeys.pair(algorithm).getPrivate());
    signer.update(BASE);
    byte[] signature = signer.sign();
    BigInteger r = new BigInteger(1, signature, 0, bytes);
    BigInteger s = new BigInteger(1, signature, bytes, bytes);
    VerificationKey key = AlgorithmKeys.verification(algorithm, provider.get());
    assertThat(key.verifies(BASE, EcdsaForms.sideBySide(r, s, bytes))).isTrue();
    assertThat(key.verifies(BASE, EcdsaForms.sideBySide(r, s, bytes + 1))).isFalse();
    assertThat(
            key.verifies(
                BASE, EcdsaForms.sideBySide(r.add(curve(algorithm).order()), s, bytes + 1)))
        .isFalse();
  }

  private static String hash(SignatureAlgorithm algorithm) {
    return switch (curve(algorithm)) {
      case P256 -> "SHA256";
      case P384 -> "SHA384";
      case P521 -> "SHA512";
    };
  }

  private static EcCurve curve(SignatureAlgorithm algorithm) {
    return switch (algorithm) {
      case ECDSA_P256_SHA256 -> EcCurve.P256;
      case ECDSA_P384_SHA384 -> EcCurve.P384;
      default -> EcCurve.P521;
    };
  }
}
