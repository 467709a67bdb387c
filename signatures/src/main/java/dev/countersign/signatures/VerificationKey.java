package dev.countersign.signatures;

import dev.countersign.signatures.keys.CryptoProvider;
import java.security.InvalidKeyException;
import java.security.Key;
import java.security.PublicKey;
import javax.crypto.SecretKey;

/**
 * A public key, or a shared secret, and the only algorithm that it may be used for.
 *
 * <p>The algorithm comes from the key's registration and never from a message (RFC 9421 section
 * 7.3.6). A shared secret is used only inside this class and is never returned.
 */
public final class VerificationKey {
  private final SignatureAlgorithm algorithm;
  private final Key key;
  private final CryptoProvider crypto;

  /**
   * Creates a key from a public key.
   *
   * @param algorithm the algorithm that the key is registered for
   * @param crypto the provider that verifies
   * @throws IllegalArgumentException for a key whose kind or curve does not fit the algorithm, an
   *     RSA key of fewer than 2048 bits, or an HMAC algorithm
   */
  public VerificationKey(SignatureAlgorithm algorithm, PublicKey key, CryptoProvider crypto) {
    this(algorithm, (Key) key, crypto);
  }

  /**
   * Creates a key from a shared secret, for an HMAC algorithm.
   *
   * @param algorithm the algorithm that the secret is agreed for
   * @param crypto the provider that verifies
   * @throws IllegalArgumentException for an algorithm that needs a key pair, a secret shorter than
   *     the hash, or a secret that consists of the bytes of a key file
   */
  public VerificationKey(SignatureAlgorithm algorithm, SecretKey secret, CryptoProvider crypto) {
    this(algorithm, (Key) secret, crypto);
  }

  private VerificationKey(SignatureAlgorithm algorithm, Key key, CryptoProvider crypto) {
    algorithm.checkVerificationKey(key, crypto);
    this.algorithm = algorithm;
    this.key = key;
    this.crypto = crypto;
  }

  public SignatureAlgorithm algorithm() {
    return algorithm;
  }

  boolean verifies(byte[] base, byte[] signature) {
    try {
      return algorithm.verifies(base, signature, key, crypto);
    } catch (InvalidKeyException e) {
      // Design note: the exception has no cause, because a provider's exception may quote the key.
      throw new IllegalStateException(
          crypto.name() + " does not accept the key of " + algorithm.displayName());
    }
  }

  /** Names the algorithm, and reveals nothing about the key. */
  @Override
  public String toString() {
    return "VerificationKey[" + algorithm.displayName() + "]";
  }
}
