package dev.countersign.signatures.algorithms;

import dev.countersign.signatures.keys.CryptoProvider;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.MessageDigest;
import java.security.interfaces.RSAPublicKey;
import java.util.Arrays;
import java.util.HexFormat;
import javax.crypto.Cipher;

/**
 * EMSA-PKCS1-v1_5 (RFC 8017 section 9.2): the encoding of a message that RSASSA-PKCS1-v1_5 signs.
 * Verification compares encodings as a whole.
 *
 * <p>In the encoding, the hash algorithm has NULL parameters (appendix B.1). Some providers also
 * accept an encoding without these parameters and others do not, so two nodes of one service could
 * disagree. Here, the provider only applies the key and computes the hash. The result is compared
 * with the only valid encoding (section 8.2.2) and is never parsed.
 */
final class EmsaPkcs1 {
  private final String hash;
  private final byte[] digestInfo;

  private EmsaPkcs1(String hash, String digestInfo) {
    this.hash = hash;
    this.digestInfo = HexFormat.of().parseHex(digestInfo);
  }

  /**
   * Returns the encoding for a hash.
   *
   * @param hash {@code SHA-256}, {@code SHA-384} or {@code SHA-512}
   */
  static EmsaPkcs1 of(String hash) {
    // RFC 8017 section 9.2 note 1: the DER encoding of DigestInfo, up to the digest.
    return switch (hash) {
      case "SHA-256" -> new EmsaPkcs1(hash, "3031300d060960864801650304020105000420");
      case "SHA-384" -> new EmsaPkcs1(hash, "3041300d060960864801650304020205000430");
      case "SHA-512" -> new EmsaPkcs1(hash, "3051300d060960864801650304020305000440");
      default -> throw new IllegalArgumentException(hash);
    };
  }

  /** The name of the algorithm in the JCA, such as {@code SHA256withRSA}. */
  String jcaName() {
    return hash.replace("-", "") + "withRSA";
  }

  /**
   * Verifies a signature with a cipher that applies RSA without padding (RFC 8017 section 8.2.2).
   */
  boolean verifies(
      byte[] message, byte[] signature, RSAPublicKey key, Cipher rsa, CryptoProvider crypto)
      throws InvalidKeyException {
    int length = (key.getModulus().bitLength() + 7) / 8;
    if (signature.length != length) {
      return false;
    }
    // RFC 8017 section 5.2.2 step 1: the signature must be less than the modulus. Checked here
    // because providers throw different exceptions if it is not.
    if (new BigInteger(1, signature).compareTo(key.getModulus()) >= 0) {
      return false;
    }
    rsa.init(Cipher.ENCRYPT_MODE, key);
    try {
      byte[] encoded = rsa.doFinal(signature);
      return MessageDigest.isEqual(encoded, encode(message, length, crypto));
    } catch (GeneralSecurityException refused) {
      return false;
    }
  }

  private byte[] encode(byte[] message, int length, CryptoProvider crypto) {
    byte[] digest = crypto.digest(hash).digest(message);
    byte[] encoded = new byte[length];
    int infoStart = length - digest.length - digestInfo.length;
    encoded[1] = 1;
    Arrays.fill(encoded, 2, infoStart - 1, (byte) 0xff);
    System.arraycopy(digestInfo, 0, encoded, infoStart, digestInfo.length);
    System.arraycopy(digest, 0, encoded, length - digest.length, digest.length);
    return encoded;
  }
}
