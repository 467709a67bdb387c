package dev.countersign.signatures.keys;

import static dev.countersign.signatures.keys.KeyFileException.Reason.MALFORMED;
import static java.nio.charset.StandardCharsets.US_ASCII;

import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.KeySpec;

/**
 * Creates a provider's key from numbers, exports a key as bytes, and checks that two keys are a
 * pair.
 */
final class ProviderKey {
  private static final byte[] MESSAGE = "one pair".getBytes(US_ASCII);

  private ProviderKey() {}

  static <K extends Key> K of(KeySpec numbers, Creation<K> creation, KeyFactory factory) {
    try {
      return creation.create(numbers);
    } catch (InvalidKeySpecException | RuntimeException e) {
      // Design note: no cause, because a provider's exception may quote the key.
      throw new KeyFileException(
          MALFORMED,
          CryptoProvider.describe(factory.getProvider())
              + " does not accept this "
              + factory.getAlgorithm()
              + " key");
    }
  }

  /** The key in DER. Throws an exception if the provider does not reveal the key. */
  static byte[] encoded(Key key, String format) {
    byte[] encoded = key.getEncoded();
    if (encoded == null || !format.equals(key.getFormat())) {
      throw new IllegalArgumentException(
          "the " + key.getAlgorithm() + " key cannot be exported as " + format);
    }
    return encoded;
  }

  /** Checks that two keys are a pair, by making and verifying a signature. */
  static void requirePair(
      PrivateKey privateKey, PublicKey publicKey, String algorithm, CryptoProvider provider) {
    if (!match(privateKey, publicKey, algorithm, provider)) {
      throw notAPair();
    }
  }

  /** The refusal of a file with a public key that does not match its private key. */
  static KeyFileException notAPair() {
    return new KeyFileException(
        MALFORMED,
        "the public key in the file does not match its private key: the file is damaged");
  }

  private static boolean match(
      PrivateKey privateKey, PublicKey publicKey, String algorithm, CryptoProvider provider) {
    Signature signature = provider.signature(algorithm);
    try {
      signature.initSign(privateKey);
      signature.update(MESSAGE);
      byte[] signed = signature.sign();
      signature.initVerify(publicKey);
      signature.update(MESSAGE);
      return signature.verify(signed);
    } catch (GeneralSecurityException e) {
      return false;
    }
  }

  @FunctionalInterface
  interface Creation<K> {
    K create(KeySpec numbers) throws InvalidKeySpecException;
  }
}
