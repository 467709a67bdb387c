package dev.countersign.server.clients;

import dev.countersign.signatures.keys.CryptoProvider;
import dev.countersign.signatures.keys.KeyFileException;
import dev.countersign.signatures.keys.KeyFingerprint;
import dev.countersign.signatures.keys.RsaKeyRules;
import dev.countersign.signatures.keys.RsaPublicKeys;
import java.security.interfaces.RSAPublicKey;

/**
 * A public key as it was read from a text that somebody pasted, strong enough to be registered.
 *
 * @param fingerprint names the key
 * @param bits the size of its modulus
 * @param pem the key in our own words, so that nothing else of the text is ever shown
 */
public record KeyPreview(RSAPublicKey key, String fingerprint, int bits, String pem) {

  /**
   * Reads a key.
   *
   * @throws KeyFileException with the exact reason, and nothing of the text, where it holds no key
   *     that could be registered; a private key is told from all else first
   */
  public static KeyPreview read(String text) {
    RSAPublicKey key = RsaPublicKeys.read(text, CryptoProvider.jdk());
    RsaKeyRules.check(key);
    return new KeyPreview(
        key,
        KeyFingerprint.of(key).value(),
        key.getModulus().bitLength(),
        RsaPublicKeys.toPem(key));
  }

  /** Whether a text holds a private key, whole or in part, whatever field it was pasted into. */
  public static boolean showsPrivateKey(String text) {
    try {
      RsaPublicKeys.read(text, CryptoProvider.jdk());
      return false;
    } catch (KeyFileException refused) {
      return refused.reason() == KeyFileException.Reason.PRIVATE_KEY;
    }
  }

  /** Leaves the key out. */
  @Override
  public String toString() {
    return fingerprint + " (" + bits + " bits)";
  }
}
