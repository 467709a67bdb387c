package dev.countersign.server;

import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.spec.RSAPrivateKeySpec;
import java.security.spec.RSAPublicKeySpec;

/** Creates RSA key pairs from chosen numbers, such as weak keys that must be refused. */
final class CraftedKeyPairs {
  private CraftedKeyPairs() {}

  /**
   * Returns a pair that works, but that anybody can break: its modulus is the product of the first
   * odd primes. It has at least 2048 bits.
   */
  static KeyPair smooth() throws GeneralSecurityException {
    BigInteger modulus = BigInteger.ONE;
    BigInteger phi = BigInteger.ONE;
    for (BigInteger prime = BigInteger.valueOf(3);
        modulus.bitLength() < 2048;
        prime = prime.nextProbablePrime()) {
      modulus = modulus.multiply(prime);
      phi = phi.multiply(prime.subtract(BigInteger.ONE));
    }
    return of(modulus, BigInteger.valueOf(65_537), phi);
  }

  /**
   * Returns the key pair of these numbers.
   *
   * @param phi Euler's totient of the modulus
   */
  static KeyPair of(BigInteger modulus, BigInteger exponent, BigInteger phi)
      throws GeneralSecurityException {
    KeyFactory keys = KeyFactory.getInstance("RSA");
    return new KeyPair(
        keys.generatePublic(new RSAPublicKeySpec(modulus, exponent)),
        keys.generatePrivate(new RSAPrivateKeySpec(modulus, exponent.modInverse(phi))));
  }
}
