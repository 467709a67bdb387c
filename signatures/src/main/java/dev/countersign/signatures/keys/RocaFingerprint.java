package dev.countersign.signatures.keys;

import java.math.BigInteger;
import java.util.BitSet;
import java.util.Map;
import java.util.TreeMap;

/**
 * Detects keys of the flawed Infineon library (CVE-2017-15361, "ROCA") by their modulus. All primes
 * of that library have the form k·M + (65537^a mod M), where M is the product of the first primes.
 * Therefore the modulus is also a power of 65537 modulo each of these first primes. This is the
 * test of <a href="https://crocs.fi.muni.cz/public/papers/rsa_ccs17">Nemec et al., The Return of
 * Coppersmith's Attack, section 2.3</a>, for the primes up to 167, which are factors of M for every
 * key size. About one sound key in 240 million is mistaken for a flawed key.
 */
final class RocaFingerprint {
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
