package dev.countersign.signatures.keys;

import static dev.countersign.signatures.keys.KeyFileException.Reason.MALFORMED;

import java.math.BigInteger;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.spec.ECPoint;
import java.security.spec.ECPrivateKeySpec;
import java.security.spec.ECPublicKeySpec;
import java.util.List;

/**
 * The content of an EC key file: the curve, and the public point, the secret number, or both. A
 * PKCS#8 file can have two public points.
 */
final class EcNumbers {
  private static final String SIGNATURE = "SHA256withECDSA";

  private final EcCurve curve;
  private final List<ECPoint> points;
  private final BigInteger secret;

  private EcNumbers(EcCurve curve, List<ECPoint> points, BigInteger secret) {
    this.curve = curve;
    this.points = List.copyOf(points);
    this.secret = secret;
  }

  static EcNumbers ofPublic(EcCurve curve, ECPoint point) {
    requirePoint(curve, point);
    return new EcNumbers(curve, List.of(point), BigInteger.ZERO);
  }

  /** A private key, with every public point that the file has. */
  static EcNumbers ofPrivate(EcCurve curve, BigInteger secret, List<ECPoint> points) {
    if (secret.signum() <= 0 || secret.compareTo(curve.order()) >= 0) {
      throw new KeyFileException(
          MALFORMED, "the secret number of the EC key is out of range: the key is damaged");
    }
    points.forEach(point -> requirePoint(curve, point));
    return new EcNumbers(curve, points, secret);
  }

  PublicKey publicKey(CryptoProvider provider) {
    return publicKey(points.get(0), provider.keyFactory("EC"));
  }

  PrivateKey privateKey(CryptoProvider provider) {
    KeyFactory factory = provider.keyFactory("EC");
    PrivateKey key =
        ProviderKey.of(
            new ECPrivateKeySpec(secret, curve.parameters()), factory::generatePrivate, factory);
    for (ECPoint point : points) {
      ProviderKey.requirePair(key, publicKey(point, factory), SIGNATURE, provider);
    }
    return key;
  }

  private PublicKey publicKey(ECPoint point, KeyFactory factory) {
    return ProviderKey.of(
        new ECPublicKeySpec(point, curve.parameters()), factory::generatePublic, factory);
  }

  private static void requirePoint(EcCurve curve, ECPoint point) {
    // Not every provider's KeyFactory checks the point (SP 800-186, appendix D.1).
    if (!curve.contains(point)) {
      throw new KeyFileException(
          MALFORMED,
          "the public key is not a point on the curve "
              + curve.label()
              + ": it is damaged or forged");
    }
  }
}
