package dev.countersign.signatures.algorithms;

import java.security.Key;
import java.security.PrivateKey;
import java.security.PublicKey;

/** Reports that a key does not fit its algorithm. The message contains no key material. */
public final class UnfitKeyException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  UnfitKeyException(String message) {
    super(message);
  }

  /** Creates the exception with the message {@code needs EXPECTED, was ACTUAL}. */
  static UnfitKeyException mismatch(String expected, String actual) {
    return new UnfitKeyException("needs " + expected + ", was " + actual);
  }

  static UnfitKeyException mismatch(String expected, Key actual) {
    return mismatch(expected, describe(actual));
  }

  // The caller chooses the algorithm name of a secret, so the message does not repeat it.
  private static String describe(Key key) {
    if (key instanceof PublicKey) {
      return "a public key of " + key.getAlgorithm();
    }
    return key instanceof PrivateKey ? "a private key of " + key.getAlgorithm() : "a secret";
  }
}
