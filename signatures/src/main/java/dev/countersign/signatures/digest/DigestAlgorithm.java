package dev.countersign.signatures.digest;

import dev.countersign.signatures.keys.CryptoProvider;
import java.security.MessageDigest;

/**
 * The digest algorithms that the IANA registry lists as Active, in our order of preference. The
 * registry's Deprecated algorithms (md5, sha, unixsum, unixcksum, adler, crc32c) do not protect
 * against attackers (RFC 9530 section 5), so they are missing here.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9530#section-7.2">RFC 9530 7.2</a>
 */
public enum DigestAlgorithm {
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

  /** The name in the registry and in the fields, such as {@code sha-256}. */
  public String key() {
    return key;
  }

  /** The digest's length in bytes. */
  int length() {
    return length;
  }

  MessageDigest start(CryptoProvider crypto) {
    return crypto.digest(jcaName);
  }
}
