package dev.countersign.signatures.keys;

import static dev.countersign.signatures.keys.KeyFileException.Reason.NOT_RSA;

import java.nio.file.Path;
import java.security.PublicKey;
import java.security.interfaces.RSAPrivateCrtKey;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.RSAPublicKeySpec;

/**
 * Reads an RSA public key from text: PEM (<a
 * href="https://www.rfc-editor.org/rfc/rfc7468#section-13">RFC 7468, section 13</a>) as {@code
 * PUBLIC KEY}, {@code RSA PUBLIC KEY} or {@code CERTIFICATE}, or the base64 of one of them without
 * header lines. From a certificate only the key is read; the certificate itself is neither trusted
 * nor checked.
 *
 * <p>A private key in any form is refused with {@link KeyFileException.Reason#PRIVATE_KEY}, before
 * anything else about the text is examined. {@link RsaKeyRules} decides whether a key is strong
 * enough.
 */
public final class RsaPublicKeys {
  private RsaPublicKeys() {}

  /**
   * Reads the only public key in this text.
   *
   * @throws KeyFileException when the text is not exactly one RSA public key
   */
  public static RSAPublicKey read(String text, CryptoProvider provider) {
    return read(KeyText.of(text), false, provider);
  }

  /** Reads PEM text in UTF-8 (or UTF-16 with its byte order mark), or DER. */
  public static RSAPublicKey read(byte[] bytes, CryptoProvider provider) {
    return read(KeyText.of(bytes), false, provider);
  }

  /**
   * Reads a file like {@link #read(byte[], CryptoProvider)}; messages begin with the file's name.
   */
  public static RSAPublicKey readFile(Path file, CryptoProvider provider) {
    return read(file, false, provider);
  }

  /**
   * Reads a key that somebody pasted. In addition to {@link #read(String, CryptoProvider)}, it
   * accepts invisible characters, other dashes in the BEGIN and END lines, quotes around the key,
   * and JSON with a single key, as AWS, Google Cloud and Vault return it.
   */
  public static RSAPublicKey readPasted(String text, CryptoProvider provider) {
    return read(KeyText.of(text), true, provider);
  }

  /**
   * Reads a pasted key like {@link #readPasted(String, CryptoProvider)} from the bytes of its text,
   * or a key in DER.
   */
  public static RSAPublicKey readPasted(byte[] bytes, CryptoProvider provider) {
    return read(KeyText.of(bytes), true, provider);
  }

  /**
   * Reads a file like {@link #readPasted(byte[], CryptoProvider)}; messages begin with the file's
   * name.
   */
  public static RSAPublicKey readPastedFile(Path file, CryptoProvider provider) {
    return read(file, true, provider);
  }

  private static RSAPublicKey read(Path file, boolean isPasted, CryptoProvider provider) {
    try {
      return read(KeyText.ofFile(file), isPasted, provider);
    } catch (KeyFileException e) {
      throw e.in(file);
    }
  }

  private static RSAPublicKey read(KeyText given, boolean isPasted, CryptoProvider provider) {
    KeyText text = given.requireNoPrivateKey(RsaKeyRules.NEW_KEY_COMMAND);
    return RsaNumbers.publicKey(keySpec(isPasted ? text.normalize() : text), provider);
  }

  /** The public half of a private key. */
  public static RSAPublicKey of(RSAPrivateCrtKey key, CryptoProvider provider) {
    return RsaNumbers.publicKey(
        new RSAPublicKeySpec(key.getModulus(), key.getPublicExponent()), provider);
  }

  /** The key as {@code PUBLIC KEY} PEM, in lines of 64 characters, with a final line feed. */
  public static String toPem(PublicKey key) {
    return PublicKeys.toPem(key);
  }

  private static RSAPublicKeySpec keySpec(KeyText text) {
    KeyTextKind form = text.kind();
    return switch (form) {
      case SPKI_PUBLIC -> RsaDer.publicKey(SubjectPublicKeyInfo.of(text.der()));
      case CERTIFICATE -> RsaDer.publicKey(SubjectPublicKeyInfo.ofCertificate(text.der()));
      case TRUSTED_CERTIFICATE ->
          RsaDer.publicKey(SubjectPublicKeyInfo.ofTrustedCertificate(text.der()));
      case PKCS1_PUBLIC -> RsaDer.pkcs1PublicKey(text.der());
      case SSH_OTHER_PUBLIC ->
          throw new KeyFileException(
              NOT_RSA,
              "this is an OpenSSH key of another algorithm; an RSA key is needed: "
                  + RsaKeyRules.NEW_KEY_COMMAND);
      default -> throw KeyRefusal.ofPublic(form, text);
    };
  }
}
