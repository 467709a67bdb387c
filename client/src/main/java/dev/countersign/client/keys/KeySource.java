package dev.countersign.client.keys;

import dev.countersign.signatures.SigningKey;

/**
 * Where the private key comes from. It is asked before each signature, so that a key which was
 * replaced is used from the next request on; it answers from memory unless something changed.
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
}
