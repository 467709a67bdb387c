package dev.countersign.signatures.algorithms;

import dev.countersign.signatures.keys.CryptoProvider;
import java.security.InvalidKeyException;
import java.security.Key;
import java.security.SignatureException;

/** An algorithm whose private key signs and whose public key verifies. */
sealed interface KeyPairScheme extends SignatureScheme
    permits RsaScheme, EcdsaScheme, Ed25519Scheme {

  JcaSignature jca();

  @Override
  default void tryVerification(Key key, CryptoProvider crypto) throws InvalidKeyException {
    jca().verifier(key, crypto);
  }

  @Override
  default void trySigning(Key key, CryptoProvider crypto) throws InvalidKeyException {
    jca().signer(key, crypto);
  }

  @Override
  default byte[] sign(byte[] base, Key key, CryptoProvider crypto)
      throws InvalidKeyException, SignatureException {
    return jca().sign(base, key, crypto);
  }

  @Override
  default boolean verifies(byte[] base, byte[] signature, Key key, CryptoProvider crypto)
      throws InvalidKeyException {
    return jca().verifies(base, signature, key, crypto);
  }
}
