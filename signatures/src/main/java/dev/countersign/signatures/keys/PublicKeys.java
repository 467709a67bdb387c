package dev.countersign.signatures.keys;

import java.nio.file.Path;
import java.security.PublicKey;

/**
 * Reads the public key of any signature algorithm from text: RSA, RSASSA-PSS, EC on P-256, P-384 or
 * P-521, and Ed25519. The text is a PEM block labelled {@code PUBLIC KEY} (<a
 * href="https://www.rfc-editor.org/rfc/rfc7468#section-13">RFC 7468, section 13</a>), {@code RSA
 * PUBLIC KEY} or {@code CERTIFICATE}, or the base64 of such a block without header lines. From a
 * certificate only the key is read; the certificate itself is neither trusted nor checked.
 *
 * <p>A private key in any form is refused with {@link KeyFileException.Reason#PRIVATE_KEY}, before
 * anything else about the text is examined. The point of an EC or Ed25519 key must lie on the key's
 * curve. The length of a key is checked later, when it is combined with an algorithm.
 *
 * <p>The provider must offer the key's {@code KeyFactory}, or else an {@link IllegalStateException}
 * is thrown. Corretto 2.5 has no {@code KeyFactory} for Ed25519 or RSASSA-PSS. It can verify with
 * an Ed25519 key that was read with {@link CryptoProvider#jdk()}, but not with a PSS-only key.
 */
public final class PublicKeys {
  private PublicKeys() {}

  /**
   * Reads the only public key in this text.
   *
   * @throws KeyFileException when the text is not exactly one public key
   */
  public static PublicKey read(String text, CryptoProvider provider) {
    return read(KeyText.of(text), false, provider);
  }

  /** Reads PEM text in UTF-8 (or UTF-16 with its byte order mark), or DER. */
  public static PublicKey read(byte[] bytes, CryptoProvider provider) {
    return read(KeyText.of(bytes), false, provider);
  }

  /**
   * Reads a file like {@link #read(byte[], CryptoProvider)}; messages begin with the file's name.
   */
  public static PublicKey readFile(Path file, CryptoProvider provider) {
    return read(file, false, provider);
  }

  /**
   * Reads a key that somebody pasted. In addition to {@link #read(String, CryptoProvider)}, it
   * accepts invisible characters, other dashes in the BEGIN and END lines, quotes around the key,
   * and JSON with a single key, as AWS, Google Cloud and Vault return it.
   */
  public static PublicKey readPasted(String text, CryptoProvider provider) {
    return read(KeyText.of(text), true, provider);
  }

  /**
   * Reads a pasted key like {@link #readPasted(String, CryptoProvider)} from the bytes of its text,
   * or a key in DER.
   */
  public static PublicKey readPasted(byte[] bytes, CryptoProvider provider) {
    return read(KeyText.of(bytes), true, provider);
  }

  /**
   * Reads a file like {@link #readPasted(byte[], CryptoProvider)}; messages begin with the file's
   * name.
   */
  public static PublicKey readPastedFile(Path file, CryptoProvider provider) {
    return read(file, true, provider);
  }

  private static PublicKey read(Path file, boolean isPasted, CryptoProvider provider) {
    try {
      return read(KeyText.ofFile(file), isPasted, provider);
    } catch (KeyFileException e) {
      throw e.in(file);
    }
  }

  private static PublicKey read(KeyText given, boolean isPasted, CryptoProvider provider) {
    KeyText bare = given.requireNoPrivateKey(KeyAlgorithm.NEW_KEY_COMMAND);
    KeyText text = isPasted ? bare.normalize() : bare;
    KeyTextKind form = text.kind();
    return switch (form) {
      case SPKI_PUBLIC -> SubjectPublicKeyInfo.of(text.der()).publicKey(provider);
      case CERTIFICATE -> SubjectPublicKeyInfo.ofCertificate(text.der()).publicKey(provider);
      case TRUSTED_CERTIFICATE ->
          SubjectPublicKeyInfo.ofTrustedCertificate(text.der()).publicKey(provider);
      case PKCS1_PUBLIC -> RsaNumbers.publicKey(RsaDer.pkcs1PublicKey(text.der()), provider);
      default -> throw KeyRefusal.ofPublic(form, text);
    };
  }

  /** The key as {@code PUBLIC KEY} PEM, in lines of 64 characters, with a final line feed. */
  public static String toPem(PublicKey key) {
    return Pem.write("PUBLIC KEY", ProviderKey.encoded(key, "X.509"));
  }
}
