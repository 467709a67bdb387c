package dev.countersign.signatures.keys;

import static dev.countersign.signatures.keys.KeyFileException.Reason.WEAK;
import static dev.countersign.signatures.keys.Refusal.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.security.interfaces.RSAPublicKey;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Keys of broken generators, made by their published recipes from a fixed seed. */
class RsaKeyRulesTest {
  private static final BigInteger F4 = BigInteger.valueOf(65537);
  private static final Random SEEDED = new Random(9421);

  @Test
  void check_soundKeys_pass() {
    RsaKeyRules.check(key(sound(2048), F4));
    RsaKeyRules.check(key(sound(3072), F4.add(BigInteger.TWO)));
    RsaKeyRules.check(key(sound(2048), BigInteger.ONE.shiftLeft(32).subtract(BigInteger.ONE)));
  }

  @Test
  void check_maximum_is8192Bits() {
    // Any odd number without small factors is sufficient, and is found at once.
    BigInteger modulus = new BigInteger(8192, SEEDED).setBit(8191).setBit(0);
    while (!modulus.gcd(primesUpTo(751)).equals(BigInteger.ONE)) {
      modulus = modulus.add(BigInteger.TWO);
    }
    RsaKeyRules.check(key(modulus, F4));
    BigInteger longer = modulus.shiftLeft(1).setBit(0);
    assertRefused(WEAK, () -> RsaKeyRules.check(key(longer, F4))).contains("at most 8192");
  }

  @Test
  void check_exponentOutsideTheBounds_isWeak() {
    BigInteger modulus = sound(2048);
    for (long exponent : new long[] {1, 3, 65535, 65538, (1L << 32) + 1}) {
      assertRefused(WEAK, () -> RsaKeyRules.check(key(modulus, BigInteger.valueOf(exponent))))
          .contains("odd and 65537 to 2^32, was " + exponent);
    }
  }

  @Test
  void checkBounds_judgesSizeAndExponentAlone() {
    BigInteger even = BigInteger.ONE.shiftLeft(2047);

    RsaKeyRules.checkBounds(key(even, F4));
    assertRefused(WEAK, () -> RsaKeyRules.checkBounds(key(even.shiftRight(1), F4)))
        .contains("at least 2048");
    assertRefused(WEAK, () -> RsaKeyRules.checkBounds(key(even, BigInteger.valueOf(3))))
        .contains("was 3");
  }

  @Test
  void check_evenModulus_isWeak() {
    assertWeak(sound(2048).subtract(BigInteger.ONE), "even");
  }

  @Test
  void check_smallFactor_isWeak() {
    assertWeak(prime(2044).multiply(BigInteger.valueOf(751)), "a factor below 752");
  }

  @Test
  void check_square_isWeak() {
    assertWeak(largePrime().pow(2), "a square");
  }

  @Test
  void check_neighbouringPrimes_isWeak() {
    BigInteger p = largePrime();
    assertWeak(p.multiply(p.nextProbablePrime()), "too close together");
  }

  @Test
  void check_primeModulus_isWeak() {
    assertWeak(prime(2048), "is a prime");
  }

  @Test
  void check_rocaKey_isWeak() {
    assertWeak(rocaPrime().multiply(rocaPrime()), "CVE-2017-15361");
  }

  @Test
  void check_soundModuli_areNotTakenForRoca() {
    for (int i = 0; i < 10_000; i++) {
      BigInteger number = new BigInteger(2048, SEEDED).setBit(2047).setBit(0);
      assertThat(RsaKeyRules.RocaFingerprint.matches(number)).isFalse();
    }
  }

  private static void assertWeak(BigInteger modulus, String reason) {
    assertRefused(WEAK, () -> RsaKeyRules.check(key(modulus, F4))).contains(reason);
  }

  /** k·M + (65537^a mod M), M the product of the first 126 primes: 1024-bit primes of ROCA. */
  private static BigInteger rocaPrime() {
    BigInteger m = primesUpTo(701);
    while (true) {
      BigInteger k = new BigInteger(1024 - m.bitLength(), SEEDED).setBit(1023 - m.bitLength());
      BigInteger prime = k.multiply(m).add(F4.modPow(new BigInteger(256, SEEDED), m));
      if (prime.bitLength() == 1024 && prime.testBit(1022) && prime.isProbablePrime(50)) {
        return prime;
      }
    }
  }

  private static BigInteger primesUpTo(int last) {
    return IntStream.rangeClosed(2, last)
        .mapToObj(BigInteger::valueOf)
        .filter(number -> number.isProbablePrime(50))
        .reduce(BigInteger.ONE, BigInteger::multiply);
  }

  /** 1024 bits with the first two set, so that its square has 2048. */
  private static BigInteger largePrime() {
    BigInteger prime = prime(1024);
    return prime.testBit(1022) ? prime : largePrime();
  }

  private static BigInteger sound(int bits) {
    while (true) {
      BigInteger modulus = prime(bits / 2).multiply(prime(bits / 2));
      if (modulus.bitLength() == bits) {
        return modulus;
      }
    }
  }

  private static BigInteger prime(int bits) {
    return BigInteger.probablePrime(bits, SEEDED);
  }

  /** A key that bypasses the checks of any provider. */
  private static RSAPublicKey key(BigInteger modulus, BigInteger exponent) {
    return new Numbers(modulus, exponent);
  }

  private record Numbers(BigInteger modulus, BigInteger exponent) implements RSAPublicKey {
    @Override
    public BigInteger getModulus() {
      return modulus;
    }

    @Override
    public BigInteger getPublicExponent() {
      return exponent;
    }

    @Override
    public String getAlgorithm() {
      return "RSA";
    }

    @Override
    public String getFormat() {
      return "X.509";
    }

    @Override
    public byte[] getEncoded() {
      return new byte[0];
    }
  }
}
