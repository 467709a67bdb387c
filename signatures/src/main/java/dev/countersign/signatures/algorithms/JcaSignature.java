package dev.countersign.signatures.algorithms;

import dev.countersign.signatures.keys.CryptoProvider;
import java.security.InvalidAlgorithmParameterException;
import java.security.InvalidKeyException;
import java.security.Key;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.SignatureException;
import java.security.spec.AlgorithmParameterSpec;
import org.jspecify.annotations.Nullable;

/**
 * A signature algorithm of the Java Cryptography Architecture (JCA), identified by its standard
 * name, with its parameters if it has any.
 */
final class JcaSignature {
  private final String name;
  private final @Nullable AlgorithmParameterSpec parameters;

  private JcaSignature(String name, @Nullable AlgorithmParameterSpec parameters) {
    this.name = name;
    this.parameters = parameters;
  }

  static JcaSignature of(String name) {
    return new JcaSignature(name, null);
  }

  static JcaSignature of(String name, AlgorithmParameterSpec parameters) {
    return new JcaSignature(name, parameters);
  }

  byte[] sign(byte[] base, Key key, CryptoProvider crypto)
      throws InvalidKeyException, SignatureException {
    Signature signer = signer(key, crypto);
    signer.update(base);
    return signer.sign();
  }

  boolean verifies(byte[] base, byte[] signature, Key key, CryptoProvider crypto)
      throws InvalidKeyException {
    Signature verifier = verifier(key, crypto);
    try {
      verifier.update(base);
      return verifier.verify(signature);
    } catch (SignatureException malformed) {
      return false;
    }
  }

  Signature signer(Key key, CryptoProvider crypto) throws InvalidKeyException {
    Signature signer = create(crypto);
    signer.initSign((PrivateKey) key);
    return signer;
  }

  // Design note: creates a new Signature each time. In a measurement, reusing Signature objects
  // saved only about one percent, and it would need protection against use by two threads.
  Signature verifier(Key key, CryptoProvider crypto) throws InvalidKeyException {
    Signature verifier = create(crypto);
    verifier.initVerify((PublicKey) key);
    return verifier;
  }

  private Signature create(CryptoProvider crypto) {
    Signature signature = crypto.signature(name);
    if (parameters != null) {
      try {
        signature.setParameter(parameters);
      } catch (InvalidAlgorithmParameterException e) {
        throw new IllegalStateException(
            crypto.name() + " does not accept the parameters of " + name, e);
      }
    }
    return signature;
  }
}
