package dev.countersign.signatures.keys;

import static dev.countersign.signatures.keys.KeyFileException.Reason.MALFORMED;
import static dev.countersign.signatures.keys.KeyFileException.Reason.WEAK;
import static java.math.BigInteger.ONE;
import static java.math.BigInteger.TWO;

import java.math.BigInteger;
import java.security.interfaces.EdECPublicKey;
import java.security.spec.EdECPoint;

/**
 * Checks whether an Ed25519 public key is safe for verification. It must be a point of the curve
 * -x² + y² = 1 + dx²y² in its canonical encoding (<a
 * href="https://www.rfc-editor.org/rfc/rfc8032#section-5.1.3">RFC 8032, section 5.1.3</a>). It must
 * not be one of the eight points of small order, for which anyone can make signatures.
 */
public final class Ed25519KeyRules {
  // RFC 8032, 5.1: the field's prime and the constant d.
  private static final BigInteger P = TWO.pow(255).subtract(BigInteger.valueOf(19));
  private static final BigInteger D = over(BigInteger.valueOf(-121665), BigInteger.valueOf(121666));

  private Ed25519KeyRules() {}

  /**
   * Returns normally if the key may be used.
   *
   * @throws KeyFileException with {@link KeyFileException.Reason#MALFORMED} or {@link
   *     KeyFileException.Reason#WEAK} and an explanation
   */
  public static void check(EdECPublicKey key) {
    check(key.getPoint());
  }

  static void check(EdECPoint point) {
    BigInteger y = point.getY();
    if (y.signum() < 0 || y.compareTo(P) >= 0 || !isSquare(xSquare(y))) {
      throw new KeyFileException(
          MALFORMED, "the public key is not a point on the curve Ed25519: it is damaged or forged");
    }
    BigInteger eightfold = y;
    for (int i = 0; i < 3; i++) {
      eightfold = doubled(eightfold);
    }
    // Eight times the point is the neutral element, (0, 1), if and only if the point's order
    // divides eight.
    if (eightfold.equals(ONE)) {
      throw new KeyFileException(
          WEAK,
          "the Ed25519 key is a point of small order, so anybody can sign for it. Make a new key: "
              + KeyAlgorithm.NEW_KEY_COMMAND);
    }
  }

  /** The y coordinate of the doubled point, (y² + x²) / (2 - y² + x²), where x² follows from y. */
  private static BigInteger doubled(BigInteger y) {
    BigInteger xSquare = xSquare(y);
    BigInteger ySquare = y.multiply(y);
    return over(ySquare.add(xSquare), TWO.subtract(ySquare).add(xSquare));
  }

  private static BigInteger xSquare(BigInteger y) {
    BigInteger ySquare = y.multiply(y);
    return over(ySquare.subtract(ONE), D.multiply(ySquare).add(ONE));
  }

  // Euler's criterion.
  private static boolean isSquare(BigInteger value) {
    return value.signum() == 0 || value.modPow(P.subtract(ONE).shiftRight(1), P).equals(ONE);
  }

  private static BigInteger over(BigInteger numerator, BigInteger denominator) {
    return numerator.multiply(denominator.modInverse(P)).mod(P);
  }
}
