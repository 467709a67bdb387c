package dev.countersign.signatures;

import dev.countersign.signatures.keys.CryptoProvider;
import java.security.InvalidKeyException;
import java.security.PublicKey;
import java.security.Signature;
import java.security.SignatureException;

/**
 * A public key together with the one algorithm that it may be used for.
 *
 * <p>The algorithm comes from the key's registration and never from a message (RFC 9421 section
 * 7.3.6).
 *
 * @param algorithm what the key is registered for
 * @param publicKey the key
 * @param crypto which provider does the work
 */
public record VerificationKey(
    SignatureAlgorithm algorithm, PublicKey publicKey, CryptoProvider crypto) {

  /**
   * @throws IllegalArgumentException for a key of another kind, or of fewer than 2048 bits
   */
  public VerificationKey {
    algorithm.checkKey(publicKey);
  }

  boolean verifies(byte[] base, byte[] signature) {
    try {
      Signature verifier = crypto.signature(algorithm.jcaName());
      verifier.initVerify(publicKey);
      verifier.update(base);
      return verifier.verify(signature);
    } catch (SignatureException wrongLength) {
      return false;
    } catch (InvalidKeyException e) {
      throw new IllegalArgumentException(
          "the key cannot be used for " + algorithm.registeredName(), e);
    }
  }
}
