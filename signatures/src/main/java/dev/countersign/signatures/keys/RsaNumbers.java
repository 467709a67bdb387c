package dev.countersign.signatures.keys;

import static dev.countersign.signatures.keys.KeyFileException.Reason.MALFORMED;
import static dev.countersign.signatures.keys.KeyFileException.Reason.WEAK;
import static java.math.BigInteger.ONE;

import java.math.BigInteger;
import java.security.KeyFactory;
import java.security.interfaces.RSAPrivateCrtKey;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.RSAPrivateCrtKeySpec;
import java.security.spec.RSAPublicKeySpec;

/**
 * Turns the numbers of an RSA key into a provider's key, after checking that they are plausible.
 */
final class RsaNumbers {
  private static final String PSS = "RSASSA-PSS";

  private RsaNumbers() {}

  static RSAPublicKey publicKey(RSAPublicKeySpec numbers, CryptoProvider provider) {
    return publicKey(numbers, provider.keyFactory("RSA"));
  }

  static RSAPublicKey pssPublicKey(RSAPublicKeySpec numbers, CryptoProvider provider) {
    return publicKey(numbers, provider.keyFactory(PSS));
  }

  static RSAPrivateCrtKey privateKey(RSAPrivateCrtKeySpec numbers, CryptoProvider provider) {
    return privateKey(numbers, provider.keyFactory("RSA"));
  }

  static RSAPrivateCrtKey pssPrivateKey(RSAPrivateCrtKeySpec numbers, CryptoProvider provider) {
    return privateKey(numbers, provider.keyFactory(PSS));
  }

  private static RSAPublicKey publicKey(RSAPublicKeySpec numbers, KeyFactory factory) {
    requireCommonBounds(numbers.getModulus(), numbers.getPublicExponent());
    return (RSAPublicKey) ProviderKey.of(numbers, factory::generatePublic, factory);
  }

  private static RSAPrivateCrtKey privateKey(RSAPrivateCrtKeySpec numbers, KeyFactory factory) {
    requireCommonBounds(numbers.getModulus(), numbers.getPublicExponent());
    if (!areConsistent(numbers)) {
      throw new KeyFileException(
          MALFORMED, "the numbers of the private key do not belong together: the key is damaged");
    }
    return (RSAPrivateCrtKey) ProviderKey.of(numbers, factory::generatePrivate, factory);
  }

  // These bounds are common to all providers; the bounds for registration are narrower
  // (RsaKeyRules).
  private static void requireCommonBounds(BigInteger modulus, BigInteger exponent) {
    int bits = modulus.bitLength();
    if (bits < 512 || bits > 16384) {
      throw new KeyFileException(
          WEAK,
          "the key has "
              + bits
              + " bits; 2048 to 8192 are allowed: "
              + RsaKeyRules.NEW_KEY_COMMAND);
    }
    if (exponent.bitLength() < 2 || exponent.bitLength() > 64 || !exponent.testBit(0)) {
      throw new KeyFileException(
          WEAK,
          "the public exponent has "
              + exponent.bitLength()
              + " bits or is even; use 65537: "
              + RsaKeyRules.NEW_KEY_COMMAND);
    }
  }

  /** Returns whether a private key's eight numbers are consistent (RFC 8017, 3.2). */
  private static boolean areConsistent(RSAPrivateCrtKeySpec key) {
    BigInteger p = key.getPrimeP();
    BigInteger q = key.getPrimeQ();
    return p.compareTo(ONE) > 0
        && q.compareTo(ONE) > 0
        && p.multiply(q).equals(key.getModulus())
        && exponentsMatch(key, p.subtract(ONE), key.getPrimeExponentP())
        && exponentsMatch(key, q.subtract(ONE), key.getPrimeExponentQ())
        && key.getCrtCoefficient().compareTo(p) < 0
        && key.getCrtCoefficient().multiply(q).mod(p).equals(ONE)
        && key.getPrivateExponent().compareTo(key.getModulus()) < 0;
  }

  private static boolean exponentsMatch(
      RSAPrivateCrtKeySpec key, BigInteger order, BigInteger exponent) {
    return key.getPrivateExponent().mod(order).equals(exponent)
        && key.getPublicExponent().multiply(exponent).mod(order).equals(ONE);
  }
}
