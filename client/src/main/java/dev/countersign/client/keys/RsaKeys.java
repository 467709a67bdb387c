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
   * consistent and large enough.
   */
  static PreparedKey checked(PrivateKey key, String whose) {
    byte[] der = key.getEncoded();
    if (der == null || !"PKCS#8".equals(key.getFormat())) {
      throw new KeyException(
          whose + " does not leave its provider: sign with Pkcs11Token or ExternalKey");
    }
    try {
      return checked(der, whose);
    } finally {
      Arrays.fill(der, (byte) 0);
    }
  }

  /** Reads a key in PEM, or in DER as PKCS#8 or PKCS#1. */
  static PreparedKey checked(byte[] bytes, String whose) {
    try {
      RSAPrivateCrtKey key = RsaPrivateKeys.read(bytes, CryptoProvider.jdk());
      checkSize(key.getModulus().bitLength(), whose);
      return PreparedKey.of(key);
    } catch (KeyFileException e) {
      throw new KeyException(whose + ": " + e.getMessage());
    }
  }

  static void checkSize(int bits, String whose) {
    if (bits < RsaKeyRules.MIN_BITS || bits > RsaKeyRules.MAX_BITS) {
      throw new KeyException(
          whose
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
