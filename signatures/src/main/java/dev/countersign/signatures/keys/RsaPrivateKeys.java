package dev.countersign.signatures.keys;

import static dev.countersign.signatures.keys.KeyFileException.Reason.ENCRYPTED;
import static dev.countersign.signatures.keys.KeyFileException.Reason.FORMAT_UNSUPPORTED;
import static dev.countersign.signatures.keys.KeyFileException.Reason.MALFORMED;
import static dev.countersign.signatures.keys.KeyFileException.Reason.NOT_PEM;
import static dev.countersign.signatures.keys.KeyFileException.Reason.NOT_RSA;
import static dev.countersign.signatures.keys.KeyFileException.Reason.PUBLIC_KEY;

import java.nio.file.Path;
import java.security.PrivateKey;
import java.security.interfaces.RSAPrivateCrtKey;
import java.security.spec.RSAPrivateCrtKeySpec;

/**
 * Reads an RSA private key from text: PKCS#8 (<a
 * href="https://www.rfc-editor.org/rfc/rfc7468#section-10">RFC 7468, section 10</a>) or PKCS#1
 * ({@code RSA PRIVATE KEY}), each with or without its header lines; all whitespace is ignored. The
 * key's numbers must belong together: a key with one wrong digit in it would give itself away with
 * its first signature. Whether the key is strong enough is asked of {@link RsaKeyRules}.
 */
public final class RsaPrivateKeys {
  private RsaPrivateKeys() {}

  /**
   * Reads the one private key in this text.
   *
   * @throws KeyFileException where the text is anything but one RSA private key in the clear
   */
  public static RSAPrivateCrtKey read(String text, CryptoProvider provider) {
    return RsaNumbers.privateKey(numbers(KeyText.bounded(text)), provider);
  }

  /** PEM text in UTF-8 (or UTF-16 with its mark), or DER. */
  public static RSAPrivateCrtKey read(byte[] bytes, CryptoProvider provider) {
    return read(KeyText.of(bytes), provider);
  }

  /** As {@link #read(byte[], CryptoProvider)}; messages begin with the file's name. */
  public static RSAPrivateCrtKey readFile(Path file, CryptoProvider provider) {
    try {
      return read(KeyText.ofFile(file), provider);
    } catch (KeyFileException e) {
      throw e.in(file);
    }
  }

  /** The key as PKCS#8 PEM, unencrypted: whoever reads the result can sign. */
  public static String toPem(PrivateKey key) {
    return Pem.write("PRIVATE KEY", RsaNumbers.encoded(key, "PKCS#8"));
  }

  private static RSAPrivateCrtKeySpec numbers(String text) {
    return switch (KeyForm.of(text)) {
      case PKCS8_PRIVATE -> RsaDer.pkcs8PrivateKey(Pem.read(text));
      case PKCS1_PRIVATE -> RsaDer.pkcs1PrivateKey(Pem.read(text));
      case ENCRYPTED_PRIVATE ->
          throw new KeyFileException(
              ENCRYPTED,
              "the private key is protected by a passphrase, decrypt it:"
                  + " openssl pkcs8 -topk8 -nocrypt -in FILE -out private.pem");
      case OTHER_PRIVATE ->
          throw new KeyFileException(
              NOT_RSA, "this is an EC or DSA key, an RSA key is needed: " + RsaKeyRules.NEW_KEY);
      case OPENSSH_PRIVATE -> throw unsupported("an OpenSSH key", "ssh-keygen -p -m PKCS8 -f FILE");
      case BASE64_OF_PEM ->
          throw unsupported("a PEM text that was base64-encoded once more", "base64 -d FILE");
      case FOREIGN_PRIVATE ->
          throw unsupported("a JWK, XML, PGP, PuTTY or PKCS#12 key", RsaKeyRules.NEW_KEY);
      case SPKI_PUBLIC,
          PKCS1_PUBLIC,
          CERTIFICATE,
          CERTIFICATE_REQUEST,
          SSH_PUBLIC,
          SSH_OTHER_PUBLIC,
          FOREIGN_PUBLIC ->
          throw publicKey(text);
      case UNKNOWN -> throw unknown(text);
    };
  }

  private static KeyFileException publicKey(String text) {
    // A file of a certificate and its key has the private key too: only the choice is missing.
    Pem.requireOneBlock(text);
    return new KeyFileException(
        PUBLIC_KEY,
        "this is a public key or a certificate, the private key belongs here: the PEM text that"
            + " begins with -----BEGIN PRIVATE KEY-----");
  }

  private static KeyFileException unsupported(String what, String command) {
    return new KeyFileException(
        FORMAT_UNSUPPORTED, "this is " + what + ", a PEM private key is needed: " + command);
  }

  private static KeyFileException unknown(String text) {
    if (!text.contains("-----")) {
      return new KeyFileException(
          NOT_PEM,
          "this is no key: paste the whole PEM text, from -----BEGIN PRIVATE KEY----- to"
              + " -----END PRIVATE KEY-----");
    }
    Pem.read(text);
    return new KeyFileException(MALFORMED, "the PEM block holds no RSA private key");
  }
}
