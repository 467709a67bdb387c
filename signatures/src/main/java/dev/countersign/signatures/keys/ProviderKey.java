package dev.countersign.signatures.keys;

import static dev.countersign.signatures.keys.KeyFileException.Reason.MALFORMED;

import java.security.Key;
import java.security.KeyFactory;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.KeySpec;

/** Converts key numbers to a provider's key, and a provider's key to bytes. */
final class ProviderKey {
  private ProviderKey() {}

  static <K extends Key> K of(KeySpec numbers, Creation<K> creation, KeyFactory factory) {
    try {
      return creation.create(numbers);
    } catch (InvalidKeySpecException | RuntimeException e) {
      // Design note: no cause, because a provider's exception may quote the key.
      throw new KeyFileException(
          MALFORMED,
          CryptoProvider.describe(factory.getProvider())
              + " does not take this "
              + factory.getAlgorithm()
              + " key");
    }
  }

  /** The key in DER, if its provider reveals it. */
  static byte[] encoded(Key key, String format) {
    byte[] encoded = key.getEncoded();
    if (encoded == null || !format.equals(key.getFormat())) {
      throw new IllegalArgumentException(
          "the " + key.getAlgorithm() + " key cannot be exported as " + format);
    }
    return encoded;
  }

  @FunctionalInterface
  interface Creation<K> {
    K create(KeySpec numbers) throws InvalidKeySpecException;
  }
}
