package dev.countersign.signatures.keys;

import static dev.countersign.signatures.keys.KeyFileException.Reason.WEAK;
import static java.math.BigInteger.ONE;
import static java.math.BigInteger.TWO;
import static java.math.BigInteger.ZERO;

import java.math.BigInteger;
import java.security.interfaces.RSAPublicKey;
import java.util.BitSet;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * Checks whether an RSA public key is strong enough to be registered. The first checks are for its
 * size and exponent. The other checks look for traces that known broken key generators leave in a
 * public key. They are the partial validation of <a
 * href="https://doi.org/10.6028/NIST.SP.800-89">NIST SP 800-89, section 5.3.3</a>, a search for
 * primes that lie too close together (CVE-2022-26320), and the fingerprint of ROCA
 * (CVE-2017-15361).
 */
public final class RsaKeyRules {
  /** The minimum size of a modulus in bits. */
  public static final int MIN_BITS = 2048;

  /** The maximum size of a modulus in bits; verification with a larger modulus costs too much. */
  public static final int MAX_BITS = 8192;

  /** The command for a new RSA key, for use in messages. */
  static final String NEW_KEY_COMMAND = "openssl genrsa -out private.pem 2048";

  private static final BigInteger MIN_EXPONENT = BigInteger.valueOf(65537);
  private static final BigInteger MAX_EXPONENT = ONE.shiftLeft(32);
  // The number of values that hasCloseFactors tries for its number a.
  private static final int FERMAT_ROUNDS = 100;

  // The product of all primes below 752. SP 800-89: the modulus must have none of them as a factor.
  private static final BigInteger SMALL_PRIMES_PRODUCT =
      IntStream.range(2, 752)
          .mapToObj(BigInteger::valueOf)
          .filter(number -> number.isProbablePrime(50))
          .reduce(ONE, BigInteger::multiply);

  private RsaKeyRules() {}

  /**
   * Returns normally if the key may be registered. This takes hundredths of a second for a key of
   * 2048 bits and several seconds for a key of 8192 bits. If others send you keys, limit the number
   * of concurrent checks.
   *
   * @throws KeyFileException with {@link KeyFileException.Reason#WEAK} and an explanation
   */
  public static void check(RSAPublicKey key) {
    checkBounds(key);
    checkModulus(key.getModulus());
  }

  /**
   * Returns normally if size and exponent, and therefore the cost of a verification, are within
   * bounds. This takes almost no time, and does not examine the factors of the modulus.
   *
   * @throws KeyFileException with {@link KeyFileException.Reason#WEAK} and an explanation
   */
  public static void checkBounds(RSAPublicKey key) {
    BigInteger modulus = key.getModulus();
    checkSize(modulus.signum() > 0 ? modulus.bitLength() : 0);
    checkExponent(key.getPublicExponent());
  }

  private static void checkSize(int bits) {
    if (bits < MIN_BITS) {
      throw weak("the key has " + bits + " bits; at least " + MIN_BITS + " are needed");
    }
    if (bits > MAX_BITS) {
      throw weak("the key has " + bits + " bits; at most " + MAX_BITS + " are allowed");
    }
  }

  private static void checkExponent(BigInteger exponent) {
    if (exponent.compareTo(MIN_EXPONENT) < 0
        || exponent.compareTo(MAX_EXPONENT) > 0
        || !exponent.testBit(0)) {
      String value = exponent.bitLength() <= 64 ? exponent.toString() : "longer than 64 bits";
      throw weak("the public exponent must be odd and 65537 to 2^32, was " + value);
    }
  }

  private static void checkModulus(BigInteger modulus) {
    if (!modulus.testBit(0)) {
      throw weak("the modulus is even, so it is not a product of two large primes");
    }
    if (!modulus.gcd(SMALL_PRIMES_PRODUCT).equals(ONE)) {
      throw weak("the modulus has a factor below 752, so it is not a product of two large primes");
    }
    if (RocaFingerprint.matches(modulus)) {
      throw weak("the key comes from a chip with the ROCA flaw (CVE-2017-15361) and can be broken");
    }
    if (hasCloseFactors(modulus)) {
      throw weak("the modulus is a square or its primes lie too close together (CVE-2022-26320)");
    }
    if (passesFermatTest(modulus)) {
      throw weak(
          "the modulus is a prime or its factors are closely related;"
              + " it must be a product of two random primes");
    }
  }

  /**
   * Applies Fermat's primality test with base 2. Every odd prime passes. A product of two primes p
   * and q passes only if the order of 2 modulo p divides q - 1, and the order of 2 modulo q divides
   * p - 1. Random primes of this size practically never have such a relation.
   */
  private static boolean passesFermatTest(BigInteger modulus) {
    // Design note: if the modulus is prime, BigInteger.isProbablePrime takes seconds.
    return TWO.modPow(modulus.subtract(ONE), modulus).equals(ONE);
  }

  /**
   * Applies Fermat's factorization method. It searches for numbers a and b with n = a² - b², which
   * is (a + b)(a - b). The search begins with the first a above the square root of n.
   */
  private static boolean hasCloseFactors(BigInteger modulus) {
    BigInteger[] root = modulus.sqrtAndRemainder();
    if (root[1].signum() == 0) {
      return true;
    }
    BigInteger a = root[0].add(ONE);
    BigInteger square = a.multiply(a).subtract(modulus);
    for (int i = 0; i < FERMAT_ROUNDS; i++) {
      if (isSquare(square)) {
        return true;
      }
      square = square.add(a.shiftLeft(1)).add(ONE);
      a = a.add(ONE);
    }
    return false;
  }

  private static boolean isSquare(BigInteger number) {
    // In base 16, a square ends in 0, 1, 4 or 9. Most roots need not be computed after this test.
    int last = number.intValue() & 15;
    boolean mayBeSquare = last == 0 || last == 1 || last == 4 || last == 9;
    return mayBeSquare && number.sqrtAndRemainder()[1].equals(ZERO);
  }

  private static KeyFileException weak(String what) {
    return new KeyFileException(WEAK, what + ". Make a new key: " + NEW_KEY_COMMAND);
  }

  /**
   * Detects keys of the flawed Infineon library (CVE-2017-15361, "ROCA") by their modulus. All
   * primes of that library have the form k·M + (65537^a mod M), where M is the product of the first
   * primes. Therefore the modulus is also a power of 65537 modulo each of these first primes. This
   * is the test of <a href="https://crocs.fi.muni.cz/public/papers/rsa_ccs17">Nemec et al., The
   * Return of Coppersmith's Attack, section 2.3</a>, for the primes up to 167, which are factors of
   * M for every key size. About one sound key in 240 million is mistaken for a flawed key.
   */
  static final class RocaFingerprint {
    private static final Map<Integer, BitSet> POWERS_OF_65537 = powers();

    private RocaFingerprint() {}

    static boolean matches(BigInteger modulus) {
      return POWERS_OF_65537.entrySet().stream()
          .allMatch(
              entry -> {
                BigInteger prime = BigInteger.valueOf(entry.getKey());
                return entry.getValue().get(modulus.mod(prime).intValue());
              });
    }

    private static Map<Integer, BitSet> powers() {
      Map<Integer, BitSet> powers = new TreeMap<>();
      for (int prime = 3; prime <= 167; prime += 2) {
        if (BigInteger.valueOf(prime).isProbablePrime(50)) {
          powers.put(prime, powersModulo(prime));
        }
      }
      return powers;
    }

    private static BitSet powersModulo(int prime) {
      BitSet powers = new BitSet(prime);
      for (int power = 1; !powers.get(power); power = power * (65537 % prime) % prime) {
        powers.set(power);
      }
      return powers;
    }
  }
}
