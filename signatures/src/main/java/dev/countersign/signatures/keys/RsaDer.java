package dev.countersign.signatures.keys;

import static dev.countersign.signatures.keys.KeyFileException.Reason.MALFORMED;
import static dev.countersign.signatures.keys.KeyFileException.Reason.NOT_RSA;
import static java.math.BigInteger.ONE;

import java.math.BigInteger;
import java.security.spec.RSAPrivateCrtKeySpec;
import java.security.spec.RSAPublicKeySpec;
import java.util.Map;

/**
 * The structures around an RSA key's numbers: PKCS#1 (<a
 * href="https://www.rfc-editor.org/rfc/rfc8017#appendix-A.1">RFC 8017, appendix A.1</a>), PKCS#8
 * (RFC 5958), SubjectPublicKeyInfo and certificates (RFC 5280). They are read here and not by a
 * provider, so that every provider takes the same files and no exception of theirs quotes a key.
 */
final class RsaDer {
  private static final String RSA_ENCRYPTION = "2a864886f70d010101";
  private static final Map<String, String> OTHER_ALGORITHMS =
      Map.of(
          "2a864886f70d01010a", "an RSASSA-PSS key (its own OID allows PSS signatures alone)",
          "2a8648ce3d0201", "an EC key",
          "2a8648ce380401", "a DSA key",
          "2b6570", "an Ed25519 key",
          "2b6571", "an Ed448 key",
          "2b656e", "an X25519 key");

  private RsaDer() {}

  static RSAPublicKeySpec subjectPublicKeyInfo(byte[] der) {
    Der reader = Der.of(der);
    RSAPublicKeySpec key = subjectPublicKeyInfo(reader);
    reader.end();
    return key;
  }

  static RSAPublicKeySpec certificate(byte[] der) {
    Der reader = Der.of(der);
    Der certificate = reader.enter(Der.SEQUENCE);
    reader.end();
    Der signed = certificate.enter(Der.SEQUENCE);
    certificate.skip(Der.SEQUENCE);
    certificate.skip(Der.BIT_STRING);
    certificate.end();
    // RFC 5280, 4.1: version, serial number, algorithm, issuer, validity, subject, then the key.
    signed.skipIfPresent(Der.context(0));
    signed.skip(Der.INTEGER);
    for (int i = 0; i < 4; i++) {
      signed.skip(Der.SEQUENCE);
    }
    return subjectPublicKeyInfo(signed);
  }

  static RSAPublicKeySpec pkcs1PublicKey(byte[] der) {
    return pkcs1PublicKey(Der.of(der));
  }

  static RSAPrivateCrtKeySpec pkcs8PrivateKey(byte[] der) {
    Der reader = Der.of(der);
    Der key = reader.enter(Der.SEQUENCE);
    reader.end();
    // RFC 5958, 2: version 0, or 1 where the public key follows.
    if (key.integer().compareTo(ONE) > 0) {
      throw new KeyFileException(MALFORMED, "the PKCS#8 version must be 0 or 1");
    }
    requireRsa(key.enter(Der.SEQUENCE));
    Der numbers = key.enter(Der.OCTET_STRING);
    key.skipIfPresent(Der.context(0));
    key.skipIfPresent(0x81);
    key.end();
    return pkcs1PrivateKey(numbers);
  }

  static RSAPrivateCrtKeySpec pkcs1PrivateKey(byte[] der) {
    return pkcs1PrivateKey(Der.of(der));
  }

  private static RSAPublicKeySpec subjectPublicKeyInfo(Der reader) {
    Der info = reader.enter(Der.SEQUENCE);
    requireRsa(info.enter(Der.SEQUENCE));
    Der numbers = info.bitString();
    info.end();
    return pkcs1PublicKey(numbers);
  }

  private static RSAPublicKeySpec pkcs1PublicKey(Der reader) {
    Der numbers = reader.enter(Der.SEQUENCE);
    reader.end();
    RSAPublicKeySpec key = new RSAPublicKeySpec(numbers.integer(), numbers.integer());
    numbers.end();
    return key;
  }

  private static RSAPrivateCrtKeySpec pkcs1PrivateKey(Der reader) {
    Der numbers = reader.enter(Der.SEQUENCE);
    reader.end();
    // RFC 8017, A.1.2: version 1 has more than two primes, which hardly any provider takes.
    if (numbers.integer().signum() != 0) {
      throw new KeyFileException(MALFORMED, "an RSA key of more than two primes is not supported");
    }
    BigInteger modulus = numbers.integer();
    BigInteger publicExponent = numbers.integer();
    BigInteger privateExponent = numbers.integer();
    BigInteger p = numbers.integer();
    BigInteger q = numbers.integer();
    RSAPrivateCrtKeySpec key =
        new RSAPrivateCrtKeySpec(
            modulus,
            publicExponent,
            privateExponent,
            p,
            q,
            numbers.integer(),
            numbers.integer(),
            numbers.integer());
    numbers.end();
    return key;
  }

  private static void requireRsa(Der algorithm) {
    String oid = algorithm.objectIdentifier();
    if (!oid.equals(RSA_ENCRYPTION)) {
      throw new KeyFileException(
          NOT_RSA,
          "the key is "
              + OTHER_ALGORITHMS.getOrDefault(oid, "of another algorithm")
              + ", a plain RSA key (rsaEncryption) is needed: "
              + RsaKeyRules.NEW_KEY);
    }
    algorithm.skipIfPresent(Der.NULL);
    algorithm.end();
  }
}
