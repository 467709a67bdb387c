package dev.countersign.signatures.keys;

import java.security.PrivateKey;
import java.security.PublicKey;
import java.util.Arrays;
import java.util.Optional;

/** The algorithms whose keys can be read, each with its object identifier in a key file. */
enum KeyAlgorithm {
  /** rsaEncryption, RFC 8017, appendix A.1: for RSASSA-PKCS1-v1_5 and RSASSA-PSS. */
  RSA("2a864886f70d010101", "an RSA key") {
    @Override
    PublicKey publicKey(SubjectPublicKeyInfo info, CryptoProvider provider) {
      return RsaNumbers.publicKey(RsaDer.publicKey(info), provider);
    }

    @Override
    PrivateKey privateKey(PrivateKeyInfo info, CryptoProvider provider) {
      return RsaNumbers.privateKey(RsaDer.privateKey(info), provider);
    }
  },
  /** id-RSASSA-PSS, RFC 8017, appendix A.2.3: only for RSASSA-PSS. */
  RSASSA_PSS("2a864886f70d01010a", "an RSASSA-PSS key (its OID allows only PSS signatures)") {
    @Override
    PublicKey publicKey(SubjectPublicKeyInfo info, CryptoProvider provider) {
      return RsaNumbers.pssPublicKey(RsaDer.pssPublicKey(info), provider);
    }

    @Override
    PrivateKey privateKey(PrivateKeyInfo info, CryptoProvider provider) {
      return RsaNumbers.pssPrivateKey(RsaDer.pssPrivateKey(info), provider);
    }
  },
  /** id-ecPublicKey, RFC 5480, section 2.1.1. */
  EC("2a8648ce3d0201", "an EC key") {
    @Override
    PublicKey publicKey(SubjectPublicKeyInfo info, CryptoProvider provider) {
      return EcDer.publicKey(info).publicKey(provider);
    }

    @Override
    PrivateKey privateKey(PrivateKeyInfo info, CryptoProvider provider) {
      return EcDer.privateKey(info).privateKey(provider);
    }
  },
  /** id-Ed25519, RFC 8410, section 3. */
  ED25519("2b6570", "an Ed25519 key") {
    @Override
    PublicKey publicKey(SubjectPublicKeyInfo info, CryptoProvider provider) {
      return Ed25519Der.publicKey(info, provider);
    }

    @Override
    PrivateKey privateKey(PrivateKeyInfo info, CryptoProvider provider) {
      return Ed25519Der.privateKey(info, provider);
    }
  };

  /** The command for a new RSA key, for use in messages. Every service accepts RSA. */
  static final String NEW_KEY_COMMAND =
      "openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:3072 -out private.pem";

  private final String oid;
  private final String description;

  KeyAlgorithm(String oid, String description) {
    this.oid = oid;
    this.description = description;
  }

  /** The algorithm with this object identifier, given as the hexadecimal of its DER content. */
  static Optional<KeyAlgorithm> of(String oid) {
    return Arrays.stream(values()).filter(algorithm -> algorithm.oid.equals(oid)).findFirst();
  }

  String description() {
    return description;
  }

  abstract PublicKey publicKey(SubjectPublicKeyInfo info, CryptoProvider provider);

  abstract PrivateKey privateKey(PrivateKeyInfo info, CryptoProvider provider);
}
