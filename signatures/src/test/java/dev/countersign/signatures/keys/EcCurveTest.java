package dev.countersign.signatures.keys;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.security.AlgorithmParameters;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.interfaces.ECKey;
import java.security.interfaces.ECPublicKey;
import java.security.spec.ECFieldF2m;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.ECParameterSpec;
import java.security.spec.ECPoint;
import java.security.spec.EllipticCurve;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class EcCurveTest {

  @ParameterizedTest
  @CsvSource({
    "P256, P-256, secp256r1, 32",
    "P384, P-384, secp384r1, 48",
    "P521, P-521, secp521r1, 66"
  })
  void curve_hasTheNumbersThatTheJdkHas(EcCurve curve, String label, String name, int bytes)
      throws Exception {
    AlgorithmParameters parameters = AlgorithmParameters.getInstance("EC");
    parameters.init(new ECGenParameterSpec(name));
    ECParameterSpec jdk = parameters.getParameterSpec(ECParameterSpec.class);
    assertThat(EcCurve.of(key(jdk))).contains(curve);
    assertThat(curve.label()).isEqualTo(label);
    assertThat(curve.bytes()).isEqualTo(bytes);
    assertThat(curve.order()).isEqualTo(jdk.getOrder());
    assertThat(curve.contains(jdk.getGenerator())).isTrue();
  }

  @ParameterizedTest
  @EnumSource
  void keyOfEveryProvider_isOfItsCurve(TestedProvider provider) throws Exception {
    for (EcCurve curve : EcCurve.values()) {
      KeyPairGenerator generator = provider.get().keyPairGenerator("EC");
      generator.initialize(new ECGenParameterSpec("sec" + curve.name().replace("P", "p") + "r1"));
      KeyPair pair = generator.generateKeyPair();
      assertThat(EcCurve.of((ECKey) pair.getPublic())).contains(curve);
      assertThat(EcCurve.of((ECKey) pair.getPrivate())).contains(curve);
      assertThat(curve.contains(((ECPublicKey) pair.getPublic()).getW())).isTrue();
    }
  }

  /** CVE-2020-0601: the right curve with a generator that the attacker chose. */
  @Test
  void curve_withAnotherGenerator_isNoneOfThese() {
    ECParameterSpec own = EcCurve.P256.parameters();
    ECPoint point = ((ECPublicKey) TestKeys.pair("secp256r1").getPublic()).getW();
    assertThat(EcCurve.of(key(new ECParameterSpec(own.getCurve(), point, own.getOrder(), 1))))
        .isEmpty();
    assertThat(
            EcCurve.of(
                key(new ECParameterSpec(own.getCurve(), own.getGenerator(), own.getOrder(), 2))))
        .isEmpty();
    BigInteger less = own.getOrder().subtract(BigInteger.ONE);
    assertThat(EcCurve.of(key(new ECParameterSpec(own.getCurve(), own.getGenerator(), less, 1))))
        .isEmpty();
  }

  @Test
  void curve_overABinaryField_isNoneOfThese() {
    ECParameterSpec own = EcCurve.P256.parameters();
    EllipticCurve binary = new EllipticCurve(new ECFieldF2m(163), BigInteger.ONE, BigInteger.ONE);
    assertThat(EcCurve.of(key(new ECParameterSpec(binary, own.getGenerator(), own.getOrder(), 1))))
        .isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void point_elsewhere_isNotOnTheCurve(EcCurve curve) {
    ECPoint on = curve.parameters().getGenerator();
    BigInteger x = on.getAffineX();
    BigInteger y = on.getAffineY();
    BigInteger p = curve.parameters().getCurve().getA().add(BigInteger.valueOf(3));
    assertThat(curve.contains(new ECPoint(x, p.subtract(y)))).as("its negative").isTrue();
    assertThat(curve.contains(new ECPoint(x, y.add(BigInteger.ONE)))).isFalse();
    assertThat(curve.contains(new ECPoint(y, x))).isFalse();
    assertThat(curve.contains(new ECPoint(BigInteger.ZERO, BigInteger.ZERO))).isFalse();
    assertThat(curve.contains(new ECPoint(x.add(p), y))).as("not reduced").isFalse();
    assertThat(curve.contains(new ECPoint(x, y.negate()))).as("negative").isFalse();
    assertThat(curve.contains(ECPoint.POINT_INFINITY)).isFalse();
  }

  private static ECKey key(ECParameterSpec parameters) {
    return () -> parameters;
  }
}
