package dev.countersign.signatures.keys;

import static dev.countersign.signatures.keys.KeyFileException.Reason.FORMAT_UNSUPPORTED;
import static dev.countersign.signatures.keys.KeyFileException.Reason.MALFORMED;
import static dev.countersign.signatures.keys.KeyFileException.Reason.NOT_PEM;
import static dev.countersign.signatures.keys.KeyFileException.Reason.NOT_RSA;
import static dev.countersign.signatures.keys.KeyFileException.Reason.PRIVATE_KEY;

import java.nio.file.Path;
import java.security.PublicKey;
import java.security.interfaces.RSAPrivateCrtKey;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.RSAPublicKeySpec;

/**
 * Reads an RSA public key from text: PEM (<a
 * href="https://www.rfc-editor.org/rfc/rfc7468#section-13">RFC 7468, section 13</a>) as {@code
 * PUBLIC KEY}, {@code RSA PUBLIC KEY} or {@code CERTIFICATE}, or the base64 of one of them without
 * header lines. Of a certificate the key alone is taken; nothing about it is trusted or checked.
 *
 * <p>A private key in any form is refused with {@link KeyFileException.Reason#PRIVATE_KEY}, before
 * anything else about the text is looked at. Whether a key is strong enough is asked of {@link
 * RsaKeyRules}.
 */
public final class RsaPublicKeys {
  private RsaPublicKeys() {}

  /**
   * Reads the one public key in this text.
   *
   * @throws KeyFileException where the text is anything but one RSA public key
   */
  public static RSAPublicKey read(String text, CryptoProvider provider) {
    String bounded = KeyText.bounded(text);
    if (KeyForm.showsPrivateKey(bounded)) {
      throw new KeyFileException(
          PRIVATE_KEY,
          "this is a private key, a public key belongs here. It has left its owner: treat it as"
              + " leaked and make a new pair ("
              + RsaKeyRules.NEW_KEY
              + "), then give the public key (openssl pkey -in private.pem -pubout)");
    }
    return RsaNumbers.publicKey(numbers(bounded), provider);
  }

  /** PEM text in UTF-8 (or UTF-16 with its mark), or DER. */
  public static RSAPublicKey read(byte[] bytes, CryptoProvider provider) {
    return read(KeyText.of(bytes), provider);
  }

  /** As {@link #read(byte[], CryptoProvider)}; messages begin with the file's name. */
  public static RSAPublicKey readFile(Path file, CryptoProvider provider) {
    try {
      return read(KeyText.ofFile(file), provider);
    } catch (KeyFileException e) {
      throw e.in(file);
    }
  }

  /** The public half of a private key. */
  public static RSAPublicKey of(RSAPrivateCrtKey key, CryptoProvider provider) {
    return RsaNumbers.publicKey(
        new RSAPublicKeySpec(key.getModulus(), key.getPublicExponent()), provider);
  }

  /** The key as {@code PUBLIC KEY} PEM, lines of 64, ending in a line feed. */
  public static String toPem(PublicKey key) {
    return Pem.write("PUBLIC KEY", RsaNumbers.encoded(key, "X.509"));
  }

  private static RSAPublicKeySpec numbers(String text) {
    return switch (KeyForm.of(text)) {
      case SPKI_PUBLIC -> RsaDer.subjectPublicKeyInfo(Pem.read(text));
      case PKCS1_PUBLIC -> RsaDer.pkcs1PublicKey(Pem.read(text));
      case CERTIFICATE -> RsaDer.certificate(Pem.read(text));
      case SSH_PUBLIC ->
          throw unsupported("an OpenSSH key", "ssh-keygen -e -m PKCS8 -f id_rsa.pub");
      case SSH_OTHER_PUBLIC ->
          throw new KeyFileException(
              NOT_RSA,
              "this is an OpenSSH key of another algorithm, an RSA key is needed: "
                  + RsaKeyRules.NEW_KEY);
      case CERTIFICATE_REQUEST ->
          throw unsupported("a certificate request", "openssl req -in FILE -noout -pubkey");
      case BASE64_OF_PEM ->
          throw unsupported("a PEM text that was base64-encoded once more", "base64 -d FILE");
      case FOREIGN_PUBLIC ->
          throw unsupported("a JWK, XML or PGP key", "openssl pkey -in private.pem -pubout");
      default -> throw unknown(text);
    };
  }

  private static KeyFileException unsupported(String what, String command) {
    return new KeyFileException(
        FORMAT_UNSUPPORTED, "this is " + what + ", a PEM public key is needed: " + command);
  }

  private static KeyFileException unknown(String text) {
    if (!text.contains("-----")) {
      return new KeyFileException(
          NOT_PEM,
          "this is no key: paste the whole PEM text, from -----BEGIN PUBLIC KEY----- to"
              + " -----END PUBLIC KEY-----");
    }
    Pem.read(text);
    return new KeyFileException(
        MALFORMED, "the PEM block holds no public key: openssl pkey -in private.pem -pubout");
  }
}
