package dev.countersign.signatures.keys;

import static dev.countersign.signatures.keys.KeyFileException.Reason.ALGORITHM_UNSUPPORTED;
import static dev.countersign.signatures.keys.KeyFileException.Reason.ENCRYPTED;
import static dev.countersign.signatures.keys.KeyFileException.Reason.FORMAT_UNSUPPORTED;
import static dev.countersign.signatures.keys.KeyFileException.Reason.MALFORMED;
import static dev.countersign.signatures.keys.KeyFileException.Reason.NOT_PEM;
import static dev.countersign.signatures.keys.KeyFileException.Reason.PRIVATE_KEY;
import static dev.countersign.signatures.keys.KeyFileException.Reason.PUBLIC_KEY;

/** Explains why a text is not a public or a private key in PEM, and what to use instead. */
final class KeyRefusal {
  private KeyRefusal() {}

  /**
   * Refuses a text that contains a private key, before anything else about the text is examined.
   */
  static void requireNoPrivateKey(String text, String newKey) {
    if (KeyTextKind.showsPrivateKey(text)) {
      throw new KeyFileException(
          PRIVATE_KEY,
          "this is a private key; a public key is needed. It has left its owner: treat it as"
              + " leaked and make a new pair ("
              + newKey
              + "), then give the public key (openssl pkey -in private.pem -pubout)");
    }
  }

  /** Returns the refusal of a text that is not a public key. */
  static KeyFileException ofPublic(KeyTextKind form, String text) {
    return switch (form) {
      case SSH_PUBLIC ->
          unsupportedPublic("an OpenSSH key", "ssh-keygen -e -m PKCS8 -f id_rsa.pub");
      case SSH_OTHER_PUBLIC ->
          unsupportedPublic("an OpenSSH key", "ssh-keygen -e -m PKCS8 -f id_ecdsa.pub");
      case CERTIFICATE_REQUEST ->
          unsupportedPublic("a certificate request", "openssl req -in FILE -noout -pubkey");
      case BASE64_OF_PEM ->
          unsupportedPublic("a PEM text that was base64-encoded again", "base64 -d FILE");
      case FOREIGN_PUBLIC ->
          unsupportedPublic("a JWK, XML or PGP key", "openssl pkey -in private.pem -pubout");
      default -> unknownPublic(text);
    };
  }

  private static KeyFileException unsupportedPublic(String what, String command) {
    return unsupported(what, "public", command);
  }

  private static KeyFileException unknownPublic(String text) {
    requireBlock(text, "PUBLIC KEY");
    return new KeyFileException(
        MALFORMED, "the PEM block contains no public key: openssl pkey -in private.pem -pubout");
  }

  /** Returns the refusal of a text that is not a private key. */
  static KeyFileException ofPrivate(KeyTextKind form, String text, String newKey) {
    return switch (form) {
      case ENCRYPTED_PRIVATE ->
          new KeyFileException(
              ENCRYPTED,
              "the private key is protected by a passphrase; decrypt it:"
                  + " openssl pkcs8 -topk8 -nocrypt -in FILE -out private.pem");
      case OPENSSH_PRIVATE ->
          unsupportedPrivate("an OpenSSH key", "ssh-keygen -p -m PKCS8 -f FILE");
      case BASE64_OF_PEM ->
          unsupportedPrivate("a PEM text that was base64-encoded again", "base64 -d FILE");
      case FOREIGN_PRIVATE -> unsupportedPrivate("a JWK, XML, PGP, PuTTY or PKCS#12 key", newKey);
      case OTHER_PRIVATE ->
          new KeyFileException(
              ALGORITHM_UNSUPPORTED,
              "this is a DSA key; an RSA, EC or Ed25519 key is needed: " + newKey);
      case SPKI_PUBLIC,
          PKCS1_PUBLIC,
          CERTIFICATE,
          CERTIFICATE_REQUEST,
          SSH_PUBLIC,
          SSH_OTHER_PUBLIC,
          FOREIGN_PUBLIC ->
          publicKey(text);
      default -> unknownPrivate(text);
    };
  }

  private static KeyFileException publicKey(String text) {
    // A file with a certificate and its private key does contain a private key, so it is refused
    // for having more than one block.
    Pem.requireOneBlock(text);
    return new KeyFileException(
        PUBLIC_KEY,
        "this is a public key or a certificate; a private key is needed: the PEM text that"
            + " begins with -----BEGIN PRIVATE KEY-----");
  }

  private static KeyFileException unsupportedPrivate(String what, String command) {
    return unsupported(what, "private", command);
  }

  private static KeyFileException unknownPrivate(String text) {
    requireBlock(text, "PRIVATE KEY");
    return new KeyFileException(MALFORMED, "the PEM block contains no private key");
  }

  private static KeyFileException unsupported(String what, String needed, String command) {
    return new KeyFileException(
        FORMAT_UNSUPPORTED, "this is " + what + "; a PEM " + needed + " key is needed: " + command);
  }

  private static void requireBlock(String text, String label) {
    if (!text.contains("-----")) {
      throw new KeyFileException(
          NOT_PEM,
          "this is not a key: paste the whole PEM text, from -----BEGIN "
              + label
              + "----- to -----END "
              + label
              + "-----");
    }
    Pem.read(text);
  }
}
