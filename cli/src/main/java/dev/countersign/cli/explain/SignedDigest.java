package dev.countersign.cli.explain;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.countersign.signatures.keys.CryptoProvider;
import java.math.BigInteger;
import java.security.interfaces.RSAPublicKey;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The digest that a signer signed, recovered from the signature with the public key.
 *
 * <p>RSASSA-PKCS1-v1_5 (<a href="https://www.rfc-editor.org/rfc/rfc8017#section-9.2">RFC 8017
 * section 9.2</a>) signs padding, the name of a hash function and the digest itself. If the public
 * key recovers that padding, it belongs to the private key that signed, and only the signature base
 * is wrong. Otherwise the key is wrong. Once the digest is known, testing a guess of the signed
 * text takes only one hash.
 *
 * @param hash the name of the hash, such as {@code SHA-256}
 * @param hex the digest in hexadecimal
 */
record SignedDigest(String hash, String hex) {
  /** RFC 8017 section 9.2 note 1: the bytes that precede the digest, in hexadecimal. */
  private static final Map<String, String> HASH_BY_PREFIX =
      Map.of(
          "3021300906052b0e03021a05000414", "SHA-1",
          "3031300d060960864801650304020105000420", "SHA-256",
          "3041300d060960864801650304020205000430", "SHA-384",
          "3051300d060960864801650304020305000440", "SHA-512");

  /**
   * Reads a signature; empty if it was not made with RSASSA-PKCS1-v1_5 by the matching private key.
   */
  static Optional<SignedDigest> read(byte[] signature, RSAPublicKey key) {
    int length = (key.getModulus().bitLength() + 7) / 8;
    BigInteger number = new BigInteger(1, signature);
    if (signature.length != length || number.compareTo(key.getModulus()) >= 0) {
      return Optional.empty();
    }
    String padded =
        String.format(
            Locale.ROOT,
            "%0" + length * 2 + "x",
            number.modPow(key.getPublicExponent(), key.getModulus()));
    int end = padded.indexOf("00", 4);
    while (end % 2 != 0 && end > 0) {
      end = padded.indexOf("00", end + 1);
    }
    return end > 0 && padded.substring(0, end).matches("0001(ff)+")
        ? ofDigestInfo(padded.substring(end + 2))
        : Optional.empty();
  }

  private static Optional<SignedDigest> ofDigestInfo(String info) {
    return HASH_BY_PREFIX.entrySet().stream()
        .filter(entry -> info.startsWith(entry.getKey()))
        .map(entry -> new SignedDigest(entry.getValue(), info.substring(entry.getKey().length())))
        .findFirst();
  }

  /** Returns whether this text was signed. */
  boolean isOf(String text) {
    return isOf(text.getBytes(ISO_8859_1));
  }

  /**
   * Returns whether the text was hashed twice: its digest, in bytes or in hexadecimal, was hashed
   * again and signed.
   */
  boolean isOfDigestOf(String text) {
    byte[] once = digest(text.getBytes(ISO_8859_1));
    return isOf(once) || isOf(HexFormat.of().formatHex(once));
  }

  private boolean isOf(byte[] bytes) {
    return HexFormat.of().formatHex(digest(bytes)).equals(hex);
  }

  private byte[] digest(byte[] bytes) {
    return CryptoProvider.jdk().digest(hash).digest(bytes);
  }
}
