package dev.countersign.signatures.keys;

import static dev.countersign.signatures.keys.KeyFileException.Reason.ALGORITHM_UNSUPPORTED;
import static dev.countersign.signatures.keys.KeyFileException.Reason.ENCRYPTED;
import static dev.countersign.signatures.keys.KeyFileException.Reason.FORMAT_UNSUPPORTED;
import static dev.countersign.signatures.keys.KeyFileException.Reason.MALFORMED;
import static dev.countersign.signatures.keys.KeyFileException.Reason.NOT_PEM;
import static dev.countersign.signatures.keys.KeyFileException.Reason.PUBLIC_KEY;

/** Explains why a text is not a public or a private key in PEM, and what to use instead. */
final class KeyRefusal {
  private KeyRefusal() {}

  private static final String TO_PEM = "ssh-keygen -e -m PKCS8 -f ";

  /** Returns the refusal of a text that is not a public key. */
  static KeyFileException ofPublic(KeyTextKind form, KeyText text) {
    return switch (form) {
      case SSH_PUBLIC, SSH_OTHER_PUBLIC -> notPublic("an OpenSSH key", ssh(text.text()));
      case CERTIFICATE_REQUEST ->
          notPublic("a certificate request", openssl(text, "req", "-noout -pubkey"));
      case PKCS7 ->
          notPublic(
              "a PKCS#7 structure with certificates",
              openssl(text, "pkcs7", "-print_certs | openssl x509 -pubkey -noout"));
      case REVOCATION_LIST ->
          notPublic(
              "a certificate revocation list (CRL), which has no key",
              openssl(text, "crl", "-noout -issuer") + " names the issuer; use its certificate");
      case BASE64_OF_PEM -> notPublic("a PEM text that was base64-encoded again", "base64 -d FILE");
      case JWK_PUBLIC -> notPublic("a JWK", jwk("Public", "spki"));
      case JSON_PUBLIC -> notPublic("JSON", json(text.text()));
      case XML_PUBLIC -> notPublic("XML", xml("SubjectPublicKeyInfo"));
      case PGP_PUBLIC ->
          notPublic(
              "a PGP key",
              "gpg --import FILE, then gpg --export-ssh-key KEYID! | " + TO_PEM + "/dev/stdin");
      default -> unknownPublic(text);
    };
  }

  // Node.js is the only common program that converts a JWK. Azure puts the JWK in the member "key".
  private static String jwk(String half, String type) {
    return "node -p 'const j = JSON.parse(require(\"fs\").readFileSync(0)); crypto.create"
        + half
        + "Key({key: j.key ?? j, format: \"jwk\"}).export({type: \""
        + type
        + "\", format: \"pem\"})' < FILE";
  }

  private static String xml(String structure) {
    return "pwsh -c '$k = [Security.Cryptography.RSA]::Create();"
        + " $k.FromXmlString([Console]::In.ReadToEnd()); $k.Export"
        + structure
        + "Pem()' < FILE";
  }

  private static String ssh(String text) {
    if (text.contains("BEGIN SSH2")) {
      return "ssh-keygen -i -f FILE | " + TO_PEM + "/dev/stdin";
    }
    return text.strip().startsWith("AAAA")
        ? "(printf 'ssh-rsa '; cat FILE) | " + TO_PEM + "/dev/stdin"
        : TO_PEM + "FILE";
  }

  private static String json(String text) {
    return text.contains("BEGIN ")
        ? "jq -r '.. | strings | select(contains(\"BEGIN \"))' FILE"
        : "jq -r .PublicKey FILE | base64 -d | openssl pkey -pubin -inform DER";
  }

  /** A command of OpenSSL on the file, whose text is PEM, DER, or the base64 of DER. */
  private static String openssl(KeyText text, String command, String options) {
    String tool = "openssl " + command;
    if (text.isDer()) {
      return tool + " -inform DER -in FILE " + options;
    }
    return text.text().contains("-----BEGIN")
        ? tool + " -in FILE " + options
        : "base64 -d FILE | " + tool + " -inform DER " + options;
  }

  private static KeyFileException notPublic(String what, String command) {
    return unsupported(what, "public", command);
  }

  private static KeyFileException unknownPublic(KeyText text) {
    requireBlock(text, "PUBLIC KEY");
    return new KeyFileException(
        MALFORMED,
        "the PEM block contains no public key; "
            + openssl(text, "asn1parse", "-i")
            + " shows what it contains");
  }

  /** Returns the refusal of a text that is not a private key. */
  static KeyFileException ofPrivate(KeyTextKind form, KeyText text, String newKey) {
    return switch (form) {
      case ENCRYPTED_PRIVATE ->
          new KeyFileException(
              ENCRYPTED,
              "the private key is protected by a passphrase; decrypt it: "
                  + openssl(text, "pkcs8 -topk8 -nocrypt", "-out private.pem"));
      case OPENSSH_PRIVATE -> notPrivate("an OpenSSH key", "ssh-keygen -p -m PKCS8 -f FILE");
      case BASE64_OF_PEM ->
          notPrivate("a PEM text that was base64-encoded again", "base64 -d FILE");
      case JWK_PRIVATE -> notPrivate("a JWK", jwk("Private", "pkcs8"));
      case JSON_PRIVATE ->
          notPrivate("JSON", "jq -r '.. | strings | select(contains(\"PRIVATE KEY\"))' FILE");
      case XML_PRIVATE -> notPrivate("XML", xml("Pkcs8PrivateKey"));
      case PGP_PRIVATE -> notPrivate("a PGP key", newKey);
      case PUTTY_PRIVATE ->
          notPrivate("a PuTTY key", "puttygen FILE -O private-openssh -o private.pem");
      case PKCS12 -> notPrivate("a PKCS#12 key store", openssl(text, "pkcs12", "-nocerts -nodes"));
      case DSA_PRIVATE ->
          new KeyFileException(
              ALGORITHM_UNSUPPORTED,
              "this is a DSA key; an RSA, EC or Ed25519 key is needed: " + newKey);
      case UNKNOWN, PKCS8_PRIVATE, PKCS1_PRIVATE, SEC1_PRIVATE -> unknownPrivate(text);
      default -> publicKey(text.text());
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

  private static KeyFileException notPrivate(String what, String command) {
    return unsupported(what, "private", command);
  }

  private static KeyFileException unknownPrivate(KeyText text) {
    requireBlock(text, "PRIVATE KEY");
    return new KeyFileException(MALFORMED, "the PEM block contains no private key");
  }

  private static KeyFileException unsupported(String what, String needed, String command) {
    return new KeyFileException(
        FORMAT_UNSUPPORTED, "this is " + what + "; a PEM " + needed + " key is needed: " + command);
  }

  private static void requireBlock(KeyText text, String label) {
    if (!text.text().contains("-----")) {
      throw new KeyFileException(
          NOT_PEM,
          "this is not a key: paste the whole PEM text, from -----BEGIN "
              + label
              + "----- to -----END "
              + label
              + "-----");
    }
    text.der();
  }
}
