package dev.countersign.client.keys;

import dev.countersign.signatures.SigningKey;
import java.security.PrivateKey;

/**
 * The source of the private key. It is called before each signature, so a replaced key is used from
 * the next request on. It answers from memory unless something has changed.
 *
 * <p>{@link PrivateKeyFile}, {@link KeyStoreFile}, {@link Pkcs11Token} and {@link ExternalKey} are
 * included. A source of your own can be a lambda; several threads may call it at the same time.
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
   * @throws KeyException for a key of another kind or of fewer than 2048 bits, and for one whose
   *     provider does not reveal it: use {@link Pkcs11Token} or {@link ExternalKey} for those
   */
  static KeySource of(PrivateKey key) {
    return RsaKeys.checked(key, "the private key")::as;
  }
}
