package dev.countersign.signatures.keys;

import static dev.countersign.signatures.keys.KeyFileException.Reason.MALFORMED;
import static java.nio.charset.StandardCharsets.US_ASCII;

import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;

/** Checks whether two halves are one key pair, by making and verifying a signature. */
final class KeyHalves {
  private static final byte[] MESSAGE = "one pair".getBytes(US_ASCII);

  private KeyHalves() {}

  static void requireMatch(
      PrivateKey privateKey, PublicKey publicKey, String algorithm, CryptoProvider provider) {
    if (!match(privateKey, publicKey, algorithm, provider)) {
      throw new KeyFileException(
          MALFORMED, "the public key in the file is not that of its private key: it is damaged");
    }
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
}
