package dev.countersign.server.clients;

import dev.countersign.signatures.keys.CryptoProvider;
import dev.countersign.signatures.keys.KeyFileException;
import dev.countersign.signatures.keys.KeyFingerprint;
import dev.countersign.signatures.keys.PrivateKeys;
import dev.countersign.signatures.keys.RsaKeyRules;
import dev.countersign.signatures.keys.RsaPublicKeys;
import java.security.interfaces.RSAPublicKey;

/**
 * A public key that was pasted as text, strong enough to be registered.
 *
 * @param fingerprint the key's fingerprint
 * @param bits the size of its modulus
 * @param pem the key, re-encoded so that no other part of the text is ever shown
 */
public record KeyPreview(RSAPublicKey key, String fingerprint, int bits, String pem) {

  /**
   * Reads a key that somebody pasted, even with invisible characters, in quotes or in JSON.
   *
   * @throws KeyFileException if the text holds no key that could be registered; the message gives
   *     the reason and never quotes the text. A private key is detected before any other problem
   */
  public static KeyPreview read(String text) {
    RSAPublicKey key = RsaPublicKeys.readPasted(text, CryptoProvider.jdk());
    RsaKeyRules.check(key);
    return new KeyPreview(
        key,
        KeyFingerprint.of(key).value(),
        key.getModulus().bitLength(),
        RsaPublicKeys.toPem(key));
  }

  /**
   * Returns whether a text contains a private key or a part of one. Used for every field that a
   * private key might be pasted into.
   */
  public static boolean containsPrivateKey(String text) {
    return PrivateKeys.isIn(text);
  }

  /** Returns the fingerprint and the size, without the key. */
  @Override
  public String toString() {
    return fingerprint + " (" + bits + " bits)";
  }
}
