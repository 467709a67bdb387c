package dev.countersign.signatures.algorithms;

import dev.countersign.signatures.keys.CryptoProvider;
import java.security.InvalidKeyException;
import java.security.Key;
import java.security.SignatureException;

/** Signs and verifies by one algorithm, and knows which keys fit it. */
public sealed interface SignatureScheme permits KeyPairScheme, HmacScheme {

  /**
   * Checks that a key is suitable for verifying.
   *
   * @throws UnfitKeyException with what was expected and what was received
   */
  void checkVerificationKey(Key key);

  /** As {@link #checkVerificationKey}, for a key to sign with. */
  void checkSigningKey(Key key);

  /** Tries whether the provider verifies with this key, which has passed the check. */
  void tryVerification(Key key, CryptoProvider crypto) throws InvalidKeyException;

  /** As {@link #tryVerification}, for a key to sign with. */
  void trySigning(Key key, CryptoProvider crypto) throws InvalidKeyException;

  byte[] sign(byte[] base, Key key, CryptoProvider crypto)
      throws InvalidKeyException, SignatureException;

  boolean verifies(byte[] base, byte[] signature, Key key, CryptoProvider crypto)
      throws InvalidKeyException;
}
