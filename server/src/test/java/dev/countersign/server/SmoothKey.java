package dev.countersign.server;

import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.spec.RSAPrivateKeySpec;
import java.security.spec.RSAPublicKeySpec;

/** Key pairs from given numbers, such as a pair that works and that anybody could break. */
final class SmoothKey {
  private SmoothKey() {}

  /** A modulus of at least 2048 bits: the product of all small odd primes. */
  static KeyPair pair() throws GeneralSecurityException {
    BigInteger modulus = BigInteger.ONE;
    BigInteger phi = BigInteger.ONE;
    for (BigInteger prime = BigInteger.valueOf(3);
        modulus.bitLength() < 2048;
        prime = prime.nextProbablePrime()) {
      modulus = modulus.multiply(prime);
      phi = phi.multiply(prime.subtract(BigInteger.ONE));
    }
    return pair(modulus, BigInteger.valueOf(65_537), phi);
  }

  /** The key pair of these numbers. */
  static KeyPair pair(BigInteger modulus, BigInteger exponent, BigInteger phi)
      throws GeneralSecurityException {
    KeyFactory keys = KeyFactory.getInstance("RSA");
    return new KeyPair(
        keys.generatePublic(new RSAPublicKeySpec(modulus, exponent)),
        keys.generatePrivate(new RSAPrivateKeySpec(modulus, exponent.modInverse(phi))));
  }
}
