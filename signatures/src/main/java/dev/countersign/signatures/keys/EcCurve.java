package dev.countersign.signatures.keys;

import static java.math.BigInteger.TWO;

import java.math.BigInteger;
import java.security.interfaces.ECKey;
import java.security.spec.ECFieldFp;
import java.security.spec.ECParameterSpec;
import java.security.spec.ECPoint;
import java.security.spec.EllipticCurve;
import java.util.Arrays;
import java.util.Optional;

/**
 * The elliptic curves over a prime field that are supported for ECDSA (<a
 * href="https://doi.org/10.6028/NIST.SP.800-186">NIST SP 800-186, section 3.2.1</a>). A curve is
 * identified by all its parameters and not by its name, so that a key cannot supply its own
 * generator (CVE-2020-0601).
 */
@SuppressWarnings("ImmutableEnumChecker") // the JDK's ECParameterSpec cannot be changed
public enum EcCurve {
  /** secp256r1, also prime256v1. */
  P256(
      "P-256",
      "2a8648ce3d030107",
      "ffffffff00000001000000000000000000000000ffffffffffffffffffffffff",
      "5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604b",
      "6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296",
      "4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5",
      "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551"),
  /** secp384r1. */
  P384(
      "P-384",
      "2b81040022",
      "fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffeff"
          + "ffffff0000000000000000ffffffff",
      "b3312fa7e23ee7e4988e056be3f82d19181d9c6efe8141120314088f5013875ac6"
          + "56398d8a2ed19d2a85c8edd3ec2aef",
      "aa87ca22be8b05378eb1c71ef320ad746e1d3b628ba79b9859f741e082542a3855"
          + "02f25dbf55296c3a545e3872760ab7",
      "3617de4a96262c6f5d9e98bf9292dc29f8f41dbd289a147ce9da3113b5f0b8c00a"
          + "60b1ce1d7e819d7a431d7c90ea0e5f",
      "ffffffffffffffffffffffffffffffffffffffffffffffffc7634d81f4372ddf58"
          + "1a0db248b0a77aecec196accc52973"),
  /** secp521r1. */
  P521(
      "P-521",
      "2b81040023",
      "01ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
          + "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
      "0051953eb9618e1c9a1f929a21a0b68540eea2da725b99b315f3b8b489918ef109"
          + "e156193951ec7e937b1652c0bd3bb1bf073573df883d2c34f1ef451fd46b503f00",
      "00c6858e06b70404e9cd9e3ecb662395b4429c648139053fb521f828af606b4d3d"
          + "baa14b5e77efe75928fe1dc127a2ffa8de3348b3c1856a429bf97e7e31c2e5bd66",
      "011839296a789a3bc0045c8a5fb42c7d1bd998f54449579b446817afbd17273e66"
          + "2c97ee72995ef42640c550b9013fad0761353c7086a272c24088be94769fd16650",
      "01ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
          + "fa51868783bf2f966b7fcc0148f709a5d03bb5c9b8899c47aebb6fb71e91386409");

  private final String label;
  private final String oid;
  private final BigInteger prime;
  private final ECParameterSpec parameters;

  EcCurve(String label, String oid, String p, String b, String x, String y, String n) {
    this.label = label;
    this.oid = oid;
    this.prime = new BigInteger(p, 16);
    // SP 800-186, 3.2.1: a is p - 3 on each of these curves, and the cofactor is 1.
    BigInteger a = prime.subtract(BigInteger.valueOf(3));
    EllipticCurve curve = new EllipticCurve(new ECFieldFp(prime), a, new BigInteger(b, 16));
    ECPoint generator = new ECPoint(new BigInteger(x, 16), new BigInteger(y, 16));
    this.parameters = new ECParameterSpec(curve, generator, new BigInteger(n, 16), 1);
  }

  /** The curve of a key; empty for any other curve. */
  public static Optional<EcCurve> of(ECKey key) {
    return Arrays.stream(values()).filter(curve -> curve.matches(key.getParams())).findFirst();
  }

  static Optional<EcCurve> ofOid(String oid) {
    return Arrays.stream(values()).filter(curve -> curve.oid.equals(oid)).findFirst();
  }

  /** The NIST name, such as {@code P-256}. */
  public String label() {
    return label;
  }

  /** The order n of the curve: private keys and both halves of a signature are below it. */
  public BigInteger order() {
    return parameters.getOrder();
  }

  /** The length in bytes of a coordinate and of each half of a signature: 32, 48 or 66. */
  public int bytes() {
    return (prime.bitLength() + 7) / 8;
  }

  /**
   * Returns whether a point satisfies the equation of the curve, y² = x³ + ax + b. Any other point
   * would move the computation to a weaker curve. The point at infinity is not a public key either.
   * The cofactor is 1, so every other point of the curve has the full order.
   */
  public boolean contains(ECPoint point) {
    if (point.equals(ECPoint.POINT_INFINITY)
        || !isCoordinate(point.getAffineX())
        || !isCoordinate(point.getAffineY())) {
      return false;
    }
    EllipticCurve curve = parameters.getCurve();
    BigInteger x = point.getAffineX();
    BigInteger right = x.modPow(TWO, prime).add(curve.getA()).multiply(x).add(curve.getB());
    return point.getAffineY().modPow(TWO, prime).equals(right.mod(prime));
  }

  ECParameterSpec parameters() {
    return parameters;
  }

  private boolean isCoordinate(BigInteger value) {
    return value.signum() >= 0 && value.compareTo(prime) < 0;
  }

  private boolean matches(ECParameterSpec other) {
    return other.getCurve().getField().equals(parameters.getCurve().getField())
        && other.getCurve().getA().equals(parameters.getCurve().getA())
        && other.getCurve().getB().equals(parameters.getCurve().getB())
        && other.getGenerator().equals(parameters.getGenerator())
        && other.getOrder().equals(parameters.getOrder())
        && other.getCofactor() == parameters.getCofactor();
  }
}
