package dev.countersign.client.keys;

import dev.countersign.signatures.keys.CryptoProvider;
import dev.countersign.signatures.keys.KeyFileException;
import dev.countersign.signatures.keys.RsaKeyRules;
import dev.countersign.signatures.keys.RsaPrivateKeys;
import java.security.PrivateKey;
import java.security.interfaces.RSAPrivateCrtKey;
import java.util.Arrays;

/** Checks a private key once, when it is loaded. Signing does not check the key again. */
final class RsaKeys {
  private RsaKeys() {}

  /**
   * Converts a key of any provider to a key of this package, and checks that its numbers are
   * consistent and its size is allowed.
   */
  static PreparedKey checked(PrivateKey key, String keyName) {
    byte[] der = key.getEncoded();
    if (der == null || !"PKCS#8".equals(key.getFormat())) {
      throw new KeyException(
          keyName + " does not leave its provider: sign with Pkcs11Token or ExternalKey");
    }
    try {
      return checked(der, keyName);
    } finally {
      Arrays.fill(der, (byte) 0);
    }
  }

  /** Reads a key in PEM, or in DER as PKCS#8 or PKCS#1. */
  static PreparedKey checked(byte[] bytes, String keyName) {
    try {
      RSAPrivateCrtKey key = RsaPrivateKeys.read(bytes, CryptoProvider.jdk());
      checkSize(key.getModulus().bitLength(), keyName);
      return PreparedKey.of(key);
    } catch (KeyFileException e) {
      throw new KeyException(keyName + ": " + e.getMessage());
    }
  }

  static void checkSize(int bits, String keyName) {
    if (bits < RsaKeyRules.MIN_BITS || bits > RsaKeyRules.MAX_BITS) {
      throw new KeyException(
          keyName
              + " must have "
              + RsaKeyRules.MIN_BITS
              + " to "
              + RsaKeyRules.MAX_BITS
              + " bits, it has "
              + bits
              + ": make a new one with NewKeyPair or openssl genrsa");
    }
  }
}
