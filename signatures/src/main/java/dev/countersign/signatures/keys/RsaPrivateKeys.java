package dev.countersign.signatures.keys;

import static dev.countersign.signatures.keys.KeyFileException.Reason.NOT_RSA;

import java.nio.file.Path;
import java.security.PrivateKey;
import java.security.interfaces.RSAPrivateCrtKey;
import java.security.spec.RSAPrivateCrtKeySpec;

/**
 * Reads an RSA private key from text: PKCS#8 (<a
 * href="https://www.rfc-editor.org/rfc/rfc7468#section-10">RFC 7468, section 10</a>) or PKCS#1
 * ({@code RSA PRIVATE KEY}), each with or without its header lines; all whitespace is ignored. The
 * key's numbers must be consistent: if one digit is wrong, the first signature can reveal the
 * private key. {@link RsaKeyRules} decides whether the key is strong enough.
 */
public final class RsaPrivateKeys {
  private RsaPrivateKeys() {}

  /**
   * Reads the only private key in this text.
   *
   * @throws KeyFileException when the text is not exactly one unencrypted RSA private key
   */
  public static RSAPrivateCrtKey read(String text, CryptoProvider provider) {
    return RsaNumbers.privateKey(numbers(KeyText.of(text)), provider);
  }

  /** Reads PEM text in UTF-8 (or UTF-16 with its byte order mark), or DER. */
  public static RSAPrivateCrtKey read(byte[] bytes, CryptoProvider provider) {
    return RsaNumbers.privateKey(numbers(KeyText.of(bytes)), provider);
  }

  /**
   * Reads the key in a file, as {@link #read(byte[], CryptoProvider)} does; messages begin with the
   * file's name.
   */
  public static RSAPrivateCrtKey readFile(Path file, CryptoProvider provider) {
    try {
      return RsaNumbers.privateKey(numbers(KeyText.ofFile(file)), provider);
    } catch (KeyFileException e) {
      throw e.in(file);
    }
  }

  /** The key as unencrypted PKCS#8 PEM: anyone who reads the result can sign. */
  public static String toPem(PrivateKey key) {
    return PrivateKeys.toPem(key);
  }

  private static RSAPrivateCrtKeySpec numbers(KeyText text) {
    KeyTextKind form = text.kind();
    return switch (form) {
      case PKCS8_PRIVATE -> RsaDer.privateKey(PrivateKeyInfo.of(text.der()));
      case PKCS1_PRIVATE -> RsaDer.pkcs1PrivateKey(text.der());
      case SEC1_PRIVATE, DSA_PRIVATE ->
          throw new KeyFileException(
              NOT_RSA,
              "this is an EC or DSA key; an RSA key is needed: " + RsaKeyRules.NEW_KEY_COMMAND);
      default -> throw KeyRefusal.ofPrivate(form, text, RsaKeyRules.NEW_KEY_COMMAND);
    };
  }
}
