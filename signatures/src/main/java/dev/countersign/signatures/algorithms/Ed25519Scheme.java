package dev.countersign.signatures.algorithms;

import dev.countersign.signatures.keys.CryptoProvider;
import dev.countersign.signatures.keys.Ed25519KeyRules;
import dev.countersign.signatures.keys.KeyFileException;
import java.security.InvalidKeyException;
import java.security.Key;
import java.security.interfaces.EdECKey;
import java.security.interfaces.EdECPrivateKey;
import java.security.interfaces.EdECPublicKey;
import java.security.spec.NamedParameterSpec;

/**
 * Ed25519 in its plain variant, without prehashing and without a context (RFC 8032 section 5.1).
 */
public final class Ed25519Scheme implements KeyPairScheme {
  private static final int SIGNATURE_BYTES = 64;
  private static final JcaSignature JCA = JcaSignature.of("Ed25519");

  @Override
  public JcaSignature jca() {
    return JCA;
  }

  @Override
  public void checkVerificationKey(Key key) {
    if (!(key instanceof EdECPublicKey ed)) {
      throw UnfitKeyException.mismatch("an Ed25519 public key", key);
    }
    checkCurve(ed);
    try {
      Ed25519KeyRules.check(ed);
    } catch (KeyFileException e) {
      throw UnfitKeyException.mismatch("a valid key", "refused: " + e.getMessage());
    }
  }

  @Override
  public void checkSigningKey(Key key) {
    if (!(key instanceof EdECPrivateKey ed)) {
      throw UnfitKeyException.mismatch("an Ed25519 private key", key);
    }
    checkCurve(ed);
  }

  // RFC 8032 section 5.1.7, step 1: a signature has 64 octets. JDK 17 accepts some signatures to
  // which zeros were appended.
  @Override
  public boolean verifies(byte[] base, byte[] signature, Key key, CryptoProvider crypto)
      throws InvalidKeyException {
    return signature.length == SIGNATURE_BYTES
        && KeyPairScheme.super.verifies(base, signature, key, crypto);
  }

  private static void checkCurve(EdECKey key) {
    String curve = key.getParams().getName();
    if (!curve.equals(NamedParameterSpec.ED25519.getName())) {
      throw UnfitKeyException.mismatch("an Ed25519 key", "one on " + curve);
    }
  }
}
