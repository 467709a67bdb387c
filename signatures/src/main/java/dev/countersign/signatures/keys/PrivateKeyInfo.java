package dev.countersign.signatures.keys;

import static dev.countersign.signatures.keys.KeyFileException.Reason.MALFORMED;
import static java.math.BigInteger.ONE;

import java.security.PrivateKey;
import java.util.Optional;

/**
 * A private key preceded by its algorithm: PKCS#8 (<a
 * href="https://www.rfc-editor.org/rfc/rfc5958#section-2">RFC 5958, section 2</a>).
 */
final class PrivateKeyInfo {
  // The tag of the field publicKey: [1] IMPLICIT BIT STRING.
  private static final int PUBLIC_KEY = 0x81;

  private final AlgorithmIdentifier algorithm;
  private final Der key;
  private final Optional<Der> publicKey;

  private PrivateKeyInfo(AlgorithmIdentifier algorithm, Der key, Optional<Der> publicKey) {
    this.algorithm = algorithm;
    this.key = key;
    this.publicKey = publicKey;
  }

  static PrivateKeyInfo of(byte[] der) {
    Der reader = Der.of(der);
    Der info = reader.enter(Der.SEQUENCE);
    reader.requireEnd();
    // RFC 5958, 2: version 1 if the public key follows, or else 0. Some tools write the wrong one,
    // as wolfSSL did (https://github.com/wolfSSL/wolfssl/pull/10427), so both are read alike.
    if (info.integer().compareTo(ONE) > 0) {
      throw new KeyFileException(MALFORMED, "the PKCS#8 version must be 0 or 1");
    }
    AlgorithmIdentifier algorithm = AlgorithmIdentifier.read(info);
    Der key = info.enter(Der.OCTET_STRING);
    info.skipIfPresent(Der.context(0));
    Optional<Der> publicKey =
        info.nextIs(PUBLIC_KEY) ? Optional.of(info.bitString(PUBLIC_KEY)) : Optional.empty();
    info.requireEnd();
    return new PrivateKeyInfo(algorithm, key, publicKey);
  }

  AlgorithmIdentifier algorithm() {
    return algorithm;
  }

  Der key() {
    return key;
  }

  /** The public half, if the file contains it. */
  Optional<Der> publicKey() {
    return publicKey;
  }

  PrivateKey privateKey(CryptoProvider provider) {
    return algorithm.keyAlgorithm().privateKey(this, provider);
  }
}
