package dev.countersign.client.keys;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.function.Supplier;
import javax.crypto.Cipher;
import javax.crypto.EncryptedPrivateKeyInfo;
import javax.crypto.SecretKey;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;

/**
 * A private key encrypted with a passphrase: EncryptedPrivateKeyInfo (<a
 * href="https://www.rfc-editor.org/rfc/rfc5958#section-3">RFC 5958, section 3</a>) by PBES2 (<a
 * href="https://www.rfc-editor.org/rfc/rfc8018#section-6.2">RFC 8018, section 6.2</a>).
 */
final class EncryptedKey {
  private static final String PBES2 = "PBES2";
  private static final String PBES2_OID = "1.2.840.113549.1.5.13";

  private static final String CONVERSION =
      "openssl pkcs8 -topk8 -v2 aes-256-cbc -v2prf hmacWithSHA256 -in FILE -out private.pem";

  private final String keyName;
  private final byte[] der;

  EncryptedKey(String keyName, byte[] der) {
    this.keyName = keyName;
    this.der = der;
  }

  /** Decrypts to PKCS#8, which the caller must wipe. This method wipes the passphrase. */
  byte[] decrypt(Supplier<char[]> passphrase) {
    EncryptedPrivateKeyInfo info = info();
    char[] secret = Secret.ask(passphrase, keyName, "passphrase");
    try {
      checkCharacters(secret, keyName);
      return requireSequence(decrypt(info, secret));
    } catch (NoSuchAlgorithmException e) {
      throw notSupported();
    } catch (GeneralSecurityException e) {
      // Design note: no cause, because details of a decryption must not reach a log.
      throw wrongPassphrase();
    } finally {
      Arrays.fill(secret, '\0');
    }
  }

  // Without this check, a passphrase with other characters would be reported as wrong, because the
  // JDK's PBEKey throws the same kind of exception.
  static void checkCharacters(char[] secret, String keyName) {
    for (char character : secret) {
      if (character < 0x20 || character > 0x7e) {
        throw new KeyException(
            keyName
                + ": the JDK accepts only passphrases of printable ASCII;"
                + " encrypt the key with such a passphrase: "
                + CONVERSION);
      }
    }
  }

  // About one wrong passphrase in 255 decrypts the key to noise that happens to end in valid
  // padding.
  private byte[] requireSequence(byte[] decrypted) {
    if (!isSequence(decrypted)) {
      Arrays.fill(decrypted, (byte) 0);
      throw wrongPassphrase();
    }
    return decrypted;
  }

  /** Returns whether the bytes are exactly one DER SEQUENCE. */
  static boolean isSequence(byte[] bytes) {
    if (bytes.length < 2 || bytes[0] != 0x30) {
      return false;
    }
    int first = bytes[1] & 0xff;
    if (first < 0x80) {
      return bytes.length == 2 + first;
    }
    int octets = first & 0x7f;
    if (octets == 0 || octets > 3 || bytes.length < 2 + octets) {
      return false;
    }
    int length = 0;
    for (int i = 0; i < octets; i++) {
      length = (length << 8) | (bytes[2 + i] & 0xff);
    }
    return bytes.length == 2 + octets + length;
  }

  private KeyException wrongPassphrase() {
    return new KeyException(keyName + ": the passphrase is wrong");
  }

  private static byte[] decrypt(EncryptedPrivateKeyInfo info, char[] secret)
      throws GeneralSecurityException {
    String name = algorithm(info);
    PBEKeySpec spec = new PBEKeySpec(secret);
    try {
      SecretKey key = SecretKeyFactory.getInstance(name).generateSecret(spec);
      Cipher cipher = Cipher.getInstance(name);
      cipher.init(Cipher.DECRYPT_MODE, key, info.getAlgParameters());
      return cipher.doFinal(info.getEncryptedData());
    } finally {
      spec.clearPassword();
    }
  }

  /** JDK 17 reports every PBES2 algorithm as PBES2; the parameters say which one it is. */
  private static String algorithm(EncryptedPrivateKeyInfo info) throws NoSuchAlgorithmException {
    String name = info.getAlgName();
    if (!name.equals(PBES2) && !name.equals(PBES2_OID)) {
      return name;
    }
    if (info.getAlgParameters() == null) {
      throw new NoSuchAlgorithmException(name);
    }
    return info.getAlgParameters().toString();
  }

  private EncryptedPrivateKeyInfo info() {
    try {
      return new EncryptedPrivateKeyInfo(der);
    } catch (IOException e) {
      throw notSupported();
    }
  }

  private KeyException notSupported() {
    return new KeyException(
        keyName
            + ": the key is damaged, or the JDK does not support its encryption. Convert it: "
            + CONVERSION);
  }
}
