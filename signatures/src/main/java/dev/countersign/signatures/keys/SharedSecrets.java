package dev.countersign.signatures.keys;

import static dev.countersign.signatures.keys.KeyFileException.Reason.PRIVATE_KEY;
import static dev.countersign.signatures.keys.KeyFileException.Reason.PUBLIC_KEY;

import java.nio.file.Path;
import java.util.Arrays;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;

/**
 * Reads a shared secret for HMAC from base64 text (<a
 * href="https://www.rfc-editor.org/rfc/rfc4648#section-4">RFC 4648, section 4</a>); all whitespace
 * is ignored. Text that contains a private or public key is refused: a public key is known to
 * everyone, so a verifier that used it as a secret would accept signatures from everyone.
 */
public final class SharedSecrets {
  private SharedSecrets() {}

  /**
   * Reads the only secret in this text.
   *
   * @param minBytes the minimum length in bytes: that of the algorithm's hash, 32, 48 or 64
   * @throws KeyFileException when the text is not one base64-encoded secret of at least the minimum
   *     length
   */
  public static SecretKey read(String text, int minBytes) {
    return read(KeyText.of(text), minBytes);
  }

  private static SecretKey read(KeyText given, int minBytes) {
    String text = given.text();
    if (PrivateKeyTraces.existIn(text)) {
      throw refusal(PRIVATE_KEY, "a private key. It has left its owner: treat it as leaked");
    }
    if (text.contains("-----") || SharedSecretRules.isKeyText(text)) {
      throw refusal(PUBLIC_KEY, "a public key or a certificate, which is known to everybody");
    }
    byte[] secret = Pem.base64(text, 0, text.length());
    try {
      SharedSecretRules.check(secret, minBytes);
      return new SecretKeySpec(secret, "HMAC");
    } finally {
      Arrays.fill(secret, (byte) 0);
    }
  }

  /**
   * Reads the secret in a file, as {@link #read(String, int)} does; messages begin with the file's
   * name.
   */
  public static SecretKey readFile(Path file, int minBytes) {
    try {
      return read(KeyText.ofFile(file), minBytes);
    } catch (KeyFileException e) {
      throw e.in(file);
    }
  }

  private static KeyFileException refusal(KeyFileException.Reason reason, String what) {
    return new KeyFileException(
        reason, "this is " + what + ". A shared secret is needed: " + SharedSecretRules.NEW);
  }
}
