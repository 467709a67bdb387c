package dev.countersign.signatures.keys;

import static dev.countersign.signatures.keys.KeyFileException.Reason.ALGORITHM_UNSUPPORTED;
import static dev.countersign.signatures.keys.KeyFileException.Reason.ENCRYPTED;
import static dev.countersign.signatures.keys.KeyFileException.Reason.FORMAT_UNSUPPORTED;
import static dev.countersign.signatures.keys.KeyFileException.Reason.MALFORMED;
import static dev.countersign.signatures.keys.KeyFileException.Reason.NOT_PEM;
import static dev.countersign.signatures.keys.KeyFileException.Reason.PUBLIC_KEY;

/** Explains why a text is not a private key in PEM, and what to use instead. */
final class PrivateKeyRefusal {
  private PrivateKeyRefusal() {}

  static KeyFileException of(KeyTextKind form, String text, String newKey) {
    return switch (form) {
      case ENCRYPTED_PRIVATE ->
          new KeyFileException(
              ENCRYPTED,
              "the private key is protected by a passphrase, decrypt it:"
                  + " openssl pkcs8 -topk8 -nocrypt -in FILE -out private.pem");
      case OPENSSH_PRIVATE -> unsupported("an OpenSSH key", "ssh-keygen -p -m PKCS8 -f FILE");
      case BASE64_OF_PEM ->
          unsupported("a PEM text that was base64-encoded once more", "base64 -d FILE");
      case FOREIGN_PRIVATE -> unsupported("a JWK, XML, PGP, PuTTY or PKCS#12 key", newKey);
      case OTHER_PRIVATE ->
          new KeyFileException(
              ALGORITHM_UNSUPPORTED,
              "this is a DSA key, an RSA, EC or Ed25519 key is needed: " + newKey);
      case SPKI_PUBLIC,
          PKCS1_PUBLIC,
          CERTIFICATE,
          CERTIFICATE_REQUEST,
          SSH_PUBLIC,
          SSH_OTHER_PUBLIC,
          FOREIGN_PUBLIC ->
          publicKey(text);
      default -> unknown(text);
    };
  }

  private static KeyFileException publicKey(String text) {
    // A file with a certificate and its key does contain the private key, but it is unclear which
    // to use.
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
    return new KeyFileException(MALFORMED, "the PEM block holds no private key");
  }
}
