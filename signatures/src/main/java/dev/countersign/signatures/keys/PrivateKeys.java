package dev.countersign.signatures.keys;

import java.nio.file.Path;
import java.security.PrivateKey;
import java.util.regex.Pattern;

/**
 * Reads a private key for any signature algorithm from text. Keys for RSA, RSASSA-PSS, EC on P-256,
 * P-384 or P-521, and Ed25519 are read as PKCS#8 (<a
 * href="https://www.rfc-editor.org/rfc/rfc7468#section-10">RFC 7468, section 10</a>). An RSA key
 * may also be in PKCS#1 ({@code RSA PRIVATE KEY}), an EC key in SEC 1 ({@code EC PRIVATE KEY}). The
 * header lines may be missing, and all whitespace is ignored. The key's numbers must be consistent.
 * If the file contains the public key, they must also match it.
 *
 * <p>The provider must offer the key's {@code KeyFactory}; see {@link PublicKeys}.
 */
public final class PrivateKeys {
  // "openssl ecparam -genkey" writes the curve before the key, although the key names its curve as
  // well.
  private static final Pattern EC_PARAMETERS =
      Pattern.compile(
          "-----BEGIN EC PARAMETERS-----[A-Za-z0-9+/=\\s]{0,4096}-----END EC PARAMETERS-----");

  private PrivateKeys() {}

  /**
   * Reads the only private key in this text.
   *
   * @throws KeyFileException when the text is not exactly one unencrypted private key
   */
  public static PrivateKey read(String text, CryptoProvider provider) {
    return read(KeyText.of(text), provider);
  }

  /**
   * Returns whether a text contains a private key, whole or in part, in any form and whatever its
   * header says. If in doubt, returns true. Use this method for texts that are stored, logged or
   * shown. The text may have any length.
   */
  public static boolean isIn(String text) {
    return PrivateKeyTraces.existIn(text);
  }

  private static PrivateKey read(KeyText given, CryptoProvider provider) {
    KeyText text = given.without(EC_PARAMETERS);
    KeyTextKind form = text.kind();
    return switch (form) {
      case PKCS8_PRIVATE -> PrivateKeyInfo.of(text.der()).privateKey(provider);
      case PKCS1_PRIVATE -> RsaNumbers.privateKey(RsaDer.pkcs1PrivateKey(text.der()), provider);
      case SEC1_PRIVATE -> EcDer.sec1(text.der()).privateKey(provider);
      default -> throw KeyRefusal.ofPrivate(form, text, KeyAlgorithm.NEW_KEY_COMMAND);
    };
  }

  /** Reads PEM text in UTF-8 (or UTF-16 with its byte order mark), or DER. */
  public static PrivateKey read(byte[] bytes, CryptoProvider provider) {
    return read(KeyText.of(bytes), provider);
  }

  /**
   * Reads a file like {@link #read(byte[], CryptoProvider)}; messages begin with the file's name.
   */
  public static PrivateKey readFile(Path file, CryptoProvider provider) {
    try {
      return read(KeyText.ofFile(file), provider);
    } catch (KeyFileException e) {
      throw e.in(file);
    }
  }

  /** The key as unencrypted PKCS#8 PEM: anyone who reads the result can sign. */
  public static String toPem(PrivateKey key) {
    return Pem.write("PRIVATE KEY", ProviderKey.encoded(key, "PKCS#8"));
  }
}
