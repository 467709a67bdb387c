package dev.countersign.signatures.keys;

import static dev.countersign.signatures.keys.KeyFileException.Reason.FORMAT_UNSUPPORTED;
import static dev.countersign.signatures.keys.KeyFileException.Reason.MALFORMED;
import static dev.countersign.signatures.keys.KeyFileException.Reason.NOT_PEM;
import static dev.countersign.signatures.keys.KeyFileException.Reason.PRIVATE_KEY;

/** Explains why a text is not a public key in PEM, and what to use instead. */
final class PublicKeyRefusal {
  private PublicKeyRefusal() {}

  /** Refuses a text that contains a private key, before anything else about it is examined. */
  static void requireNoPrivateKey(String text, String newKey) {
    if (KeyTextKind.showsPrivateKey(text)) {
      throw new KeyFileException(
          PRIVATE_KEY,
          "this is a private key, a public key belongs here. It has left its owner: treat it as"
              + " leaked and make a new pair ("
              + newKey
              + "), then give the public key (openssl pkey -in private.pem -pubout)");
    }
  }

  static KeyFileException of(KeyTextKind form, String text) {
    return switch (form) {
      case SSH_PUBLIC -> unsupported("an OpenSSH key", "ssh-keygen -e -m PKCS8 -f id_rsa.pub");
      case SSH_OTHER_PUBLIC ->
          unsupported("an OpenSSH key", "ssh-keygen -e -m PKCS8 -f id_ecdsa.pub");
      case CERTIFICATE_REQUEST ->
          unsupported("a certificate request", "openssl req -in FILE -noout -pubkey");
      case BASE64_OF_PEM ->
          unsupported("a PEM text that was base64-encoded once more", "base64 -d FILE");
      case FOREIGN_PUBLIC ->
          unsupported("a JWK, XML or PGP key", "openssl pkey -in private.pem -pubout");
      default -> unknown(text);
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
