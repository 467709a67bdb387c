package dev.countersign.client.keys;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads the text of a private key, and decrypts it if it is encrypted PKCS#8. */
final class PemKey {
  // RFC 7468 section 11.
  private static final Pattern ENCRYPTED =
      Pattern.compile(
          "-----BEGIN ENCRYPTED PRIVATE KEY-----([A-Za-z0-9+/=\\s]*)"
              + "-----END ENCRYPTED PRIVATE KEY-----");
  // OpenSSL's format before PKCS#8 (RFC 1421). It derives the encryption key with a single round of
  // MD5.
  private static final Pattern TRADITIONAL = Pattern.compile("Proc-Type: ?4, ?ENCRYPTED");

  private final Path path;
  private final @Nullable Supplier<char[]> passphrase;

  PemKey(Path path, @Nullable Supplier<char[]> passphrase) {
    this.path = path;
    this.passphrase = passphrase;
  }

  PreparedKey read(byte[] bytes) {
    String text = new String(bytes, StandardCharsets.ISO_8859_1);
    if (TRADITIONAL.matcher(text).find()) {
      throw new KeyException(
          path
              + ": the key is encrypted in a format older than PKCS#8, convert it:"
              + " openssl pkcs8 -topk8 -in FILE -out private.pem");
    }
    Matcher encrypted = ENCRYPTED.matcher(text);
    return encrypted.find() ? decrypted(encrypted.group(1)) : checked(bytes);
  }

  private PreparedKey decrypted(String base64) {
    if (passphrase == null) {
      throw new KeyException(
          path
              + ": the private key is protected by a passphrase, give it:"
              + " PrivateKeyFile.of(path, passphrase)");
    }
    byte[] der = new EncryptedKey(path.toString(), bytes(base64)).decrypt(passphrase);
    try {
      return checked(der);
    } finally {
      Arrays.fill(der, (byte) 0);
    }
  }

  private byte[] bytes(String base64) {
    try {
      return Base64.getDecoder().decode(base64.replaceAll("\\s", ""));
    } catch (IllegalArgumentException e) {
      throw new KeyException(path + ": the key is not base64, copy the whole file again");
    }
  }

  private PreparedKey checked(byte[] bytes) {
    return RsaKeys.checked(bytes, path.toString());
  }
}
