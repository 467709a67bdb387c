package dev.countersign.signatures.digest;

import dev.countersign.signatures.keys.CryptoProvider;

/** The digest algorithms whose status is Active (RFC 9530 sections 5 and 7.2). */
enum DigestAlgorithm {
  SHA_256("sha-256", "SHA-256", 32),
  SHA_512("sha-512", "SHA-512", 64);

  private final String key;
  private final String jcaName;
  private final int length;

  DigestAlgorithm(String key, String jcaName, int length) {
    this.key = key;
    this.jcaName = jcaName;
    this.length = length;
  }

  /** The name in the registry and in the field. */
  String key() {
    return key;
  }

  /** The digest's length in bytes. */
  int length() {
    return length;
  }

  byte[] digest(byte[] body, CryptoProvider crypto) {
    return crypto.digest(jcaName).digest(body);
  }
}
