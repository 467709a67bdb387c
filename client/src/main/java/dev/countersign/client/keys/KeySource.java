package dev.countersign.client.keys;

import dev.countersign.signatures.SigningKey;
import java.security.PrivateKey;

/**
 * Where the private key comes from. It is asked before each signature, so that a key which was
 * replaced is used from the next request on; it answers from memory unless something changed.
 *
 * <p>{@link PrivateKeyFile}, {@link KeyStoreFile}, {@link Pkcs11Token} and {@link ExternalKey} are
 * those that come with it. One of your own is a lambda; it may be called by several threads at a
 * time.
 */
@FunctionalInterface
public interface KeySource {

  /**
   * The key to sign with now.
   *
   * @param clientId under which the public key is registered, the keyid of signatures
   * @throws KeyException when there is no key that can be used
   */
  SigningKey signingKey(String clientId);

  /**
   * An RSA key in memory, which stays the same.
   *
   * @throws KeyException for a key of another kind or of fewer than 2048 bits, and for one whose
   *     provider keeps it to itself: that is for {@link Pkcs11Token} or {@link ExternalKey}
   */
  static KeySource of(PrivateKey key) {
    return RsaKeys.checked(key, "the private key")::as;
  }
}
