package dev.countersign.client.keys;

import java.io.IOException;
import java.security.AlgorithmParameters;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import javax.crypto.Cipher;
import javax.crypto.EncryptedPrivateKeyInfo;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.PBEKeySpec;
import javax.crypto.spec.PBEParameterSpec;

/**
 * Encrypts a private key with a passphrase, in the format that {@link EncryptedKey} reads: PBES2
 * (<a href="https://www.rfc-editor.org/rfc/rfc8018#section-6.2">RFC 8018, section 6.2</a>) with
 * PBKDF2, HMAC-SHA-256 and AES-256-CBC.
 */
final class KeyEncryption {
  private static final String ALGORITHM = "PBEWithHmacSHA256AndAES_256";
  // The rounds of PBKDF2. The number is OWASP's recommendation for HMAC-SHA-512, not for the
  // HMAC-SHA-256 used here. With this number, each read takes a few tenths of a second.
  private static final int ITERATIONS = 210_000;
  // The length of the salt and of the initialization vector, in bytes: one block of AES.
  private static final int BLOCK_SIZE = 16;
  // The length of a line of PEM, in characters (RFC 7468 section 2).
  private static final int LINE_LENGTH = 64;

  private final SecureRandom random = new SecureRandom();

  /** Encrypts the key as {@code BEGIN ENCRYPTED PRIVATE KEY} (RFC 7468 section 11). */
  String toPem(PrivateKey key, char[] secret) {
    byte[] der = key.getEncoded();
    try {
      byte[] lineFeed = {'\n'};
      String base64 =
          Base64.getMimeEncoder(LINE_LENGTH, lineFeed).encodeToString(encrypted(der, secret));
      return "-----BEGIN ENCRYPTED PRIVATE KEY-----\n"
          + base64
          + "\n-----END ENCRYPTED PRIVATE KEY-----\n";
    } catch (GeneralSecurityException | IOException e) {
      // Design note: the exception has no cause, because details of an encryption must not reach a
      // log.
      throw new KeyException("this JDK does not support encryption with " + ALGORITHM);
    } finally {
      Arrays.fill(der, (byte) 0);
    }
  }

  private byte[] encrypted(byte[] der, char[] secret) throws GeneralSecurityException, IOException {
    PBEKeySpec spec = new PBEKeySpec(secret);
    try {
      Cipher cipher = Cipher.getInstance(ALGORITHM);
      cipher.init(
          Cipher.ENCRYPT_MODE,
          SecretKeyFactory.getInstance(ALGORITHM).generateSecret(spec),
          new PBEParameterSpec(random(), ITERATIONS, new IvParameterSpec(random())));
      byte[] encrypted = cipher.doFinal(der);
      // The JDK knows the object identifier of PBES2 only by this name.
      AlgorithmParameters parameters = AlgorithmParameters.getInstance("PBES2");
      parameters.init(cipher.getParameters().getEncoded());
      return new EncryptedPrivateKeyInfo(parameters, encrypted).getEncoded();
    } finally {
      spec.clearPassword();
    }
  }

  private byte[] random() {
    byte[] bytes = new byte[BLOCK_SIZE];
    random.nextBytes(bytes);
    return bytes;
  }
}
