package dev.countersign.client.keys;

import dev.countersign.signatures.SigningKey;
import java.security.PrivateKey;

/**
 * The source of the private key. It is called before each signature, so a replaced key is used from
 * the next request on. It returns the key from memory unless the key has changed.
 *
 * <p>This package contains {@link PrivateKeyFile}, {@link KeyStoreFile}, {@link Pkcs11Token} and
 * {@link ExternalKey}. You can also write your own source, for example as a lambda. Several threads
 * may call a source at the same time.
 */
@FunctionalInterface
public interface KeySource {

  /**
   * Returns the key to sign with now.
   *
   * @param clientId the clientId under which the public key is registered; it is the keyid of the
   *     signatures
   * @throws KeyException when there is no usable key
   */
  SigningKey signingKey(String clientId);

  /**
   * A fixed RSA key in memory.
   *
   * @throws KeyException if the key is not an RSA key of 2048 to 8192 bits, or if its provider does
   *     not reveal it; for a key that stays in its provider, use {@link Pkcs11Token} or {@link
   *     ExternalKey}
   */
  static KeySource of(PrivateKey key) {
    return RsaKeys.checked(key, "the private key")::as;
  }
}
