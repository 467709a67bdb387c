package dev.countersign.signatures;

import dev.countersign.signatures.keys.CryptoProvider;
import java.security.InvalidKeyException;
import java.security.Key;
import java.security.SignatureException;

/** How an algorithm signs and verifies, and which keys it does that with. */
sealed interface SignatureScheme permits KeyPairScheme, HmacScheme {

  /**
   * Passes silently where the key is fit to verify with.
   *
   * @throws UnfitKeyException with what was expected and what came
   */
  void checkVerificationKey(Key key);

  /** As {@link #checkVerificationKey}, for a key to sign with. */
  void checkSigningKey(Key key);

  /** Finds out whether the provider verifies with this key, which has passed the check. */
  void tryVerification(Key key, CryptoProvider crypto) throws InvalidKeyException;

  /** As {@link #tryVerification}, for a key to sign with. */
  void trySigning(Key key, CryptoProvider crypto) throws InvalidKeyException;

  byte[] sign(byte[] base, Key key, CryptoProvider crypto)
      throws InvalidKeyException, SignatureException;

  boolean verifies(byte[] base, byte[] signature, Key key, CryptoProvider crypto)
      throws InvalidKeyException;
}
