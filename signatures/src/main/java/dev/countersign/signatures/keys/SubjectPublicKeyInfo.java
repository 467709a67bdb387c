package dev.countersign.signatures.keys;

import java.security.PublicKey;

/**
 * A public key preceded by its algorithm, as in a {@code PUBLIC KEY} file and in a certificate (<a
 * href="https://www.rfc-editor.org/rfc/rfc5280#section-4.1">RFC 5280, section 4.1</a>).
 */
final class SubjectPublicKeyInfo {
  private final AlgorithmIdentifier algorithm;
  private final Der key;

  private SubjectPublicKeyInfo(Der reader) {
    Der info = reader.enter(Der.SEQUENCE);
    this.algorithm = AlgorithmIdentifier.read(info);
    this.key = info.bitString();
    info.requireEnd();
  }

  static SubjectPublicKeyInfo of(byte[] der) {
    Der reader = Der.of(der);
    SubjectPublicKeyInfo info = new SubjectPublicKeyInfo(reader);
    reader.requireEnd();
    return info;
  }

  /** The key of a certificate; the rest of the certificate is not examined. */
  static SubjectPublicKeyInfo ofCertificate(byte[] der) {
    Der reader = Der.of(der);
    SubjectPublicKeyInfo info = ofCertificate(reader);
    reader.requireEnd();
    return info;
  }

  /** The key of a certificate that is followed by OpenSSL's trust settings. */
  static SubjectPublicKeyInfo ofTrustedCertificate(byte[] der) {
    Der reader = Der.of(der);
    SubjectPublicKeyInfo info = ofCertificate(reader);
    reader.skipIfPresent(Der.SEQUENCE);
    reader.requireEnd();
    return info;
  }

  private static SubjectPublicKeyInfo ofCertificate(Der reader) {
    Der certificate = reader.enter(Der.SEQUENCE);
    Der signed = certificate.enter(Der.SEQUENCE);
    certificate.skip(Der.SEQUENCE);
    certificate.skip(Der.BIT_STRING);
    certificate.requireEnd();
    // RFC 5280, 4.1: version, serial number, algorithm, issuer, validity, subject, then the key.
    signed.skipIfPresent(Der.context(0));
    signed.skip(Der.INTEGER);
    for (int i = 0; i < 4; i++) {
      signed.skip(Der.SEQUENCE);
    }
    return new SubjectPublicKeyInfo(signed);
  }

  AlgorithmIdentifier algorithm() {
    return algorithm;
  }

  Der key() {
    return key;
  }

  PublicKey publicKey(CryptoProvider provider) {
    return algorithm.keyAlgorithm().publicKey(this, provider);
  }
}
