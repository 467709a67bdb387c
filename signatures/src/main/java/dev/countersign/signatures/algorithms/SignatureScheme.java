package dev.countersign.signatures.algorithms;

import dev.countersign.signatures.keys.CryptoProvider;
import java.security.InvalidKeyException;
import java.security.Key;
import java.security.SignatureException;

/** Signs and verifies with one algorithm, and knows which keys fit that algorithm. */
public sealed interface SignatureScheme permits KeyPairScheme, HmacScheme {

  /**
   * Checks that a key is suitable for verifying.
   *
   * @throws UnfitKeyException whose message describes the expected key and the received key
   */
  void checkVerificationKey(Key key);

  /** Like {@link #checkVerificationKey}, but checks that a key is suitable for signing. */
  void checkSigningKey(Key key);

  /**
   * Checks that the provider accepts this key for verifying. The key has already passed {@link
   * #checkVerificationKey}.
   */
  void tryVerification(Key key, CryptoProvider crypto) throws InvalidKeyException;

  /** Like {@link #tryVerification}, but for a key that signs. */
  void trySigning(Key key, CryptoProvider crypto) throws InvalidKeyException;

  byte[] sign(byte[] base, Key key, CryptoProvider crypto)
      throws InvalidKeyException, SignatureException;

  boolean verifies(byte[] base, byte[] signature, Key key, CryptoProvider crypto)
      throws InvalidKeyException;
}
