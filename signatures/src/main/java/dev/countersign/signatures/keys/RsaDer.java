package dev.countersign.signatures.keys;

import static dev.countersign.signatures.keys.KeyFileException.Reason.MALFORMED;
import static dev.countersign.signatures.keys.KeyFileException.Reason.NOT_RSA;

import java.math.BigInteger;
import java.security.spec.AlgorithmParameterSpec;
import java.security.spec.RSAPrivateCrtKeySpec;
import java.security.spec.RSAPublicKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Reads the numbers of an RSA key from its PKCS#1 structure (<a
 * href="https://www.rfc-editor.org/rfc/rfc8017#appendix-A.1">RFC 8017, appendix A.1</a>). Providers
 * do not read the structure, so the same files are accepted with every provider, and no provider's
 * exception can quote a key.
 */
final class RsaDer {
  private RsaDer() {}

  /** The numbers of a plain RSA key. A key that is only for RSASSA-PSS is refused. */
  static RSAPublicKeySpec publicKey(SubjectPublicKeyInfo info) {
    requirePlainRsa(info.algorithm());
    return pkcs1PublicKey(info.key(), null);
  }

  static RSAPrivateCrtKeySpec privateKey(PrivateKeyInfo info) {
    requirePlainRsa(info.algorithm());
    return pkcs8PrivateKey(info, null);
  }

  static RSAPublicKeySpec pssPublicKey(SubjectPublicKeyInfo info) {
    return pkcs1PublicKey(info.key(), PssParameters.read(info.algorithm().parameters()));
  }

  static RSAPrivateCrtKeySpec pssPrivateKey(PrivateKeyInfo info) {
    return pkcs8PrivateKey(info, PssParameters.read(info.algorithm().parameters()));
  }

  static RSAPublicKeySpec pkcs1PublicKey(byte[] der) {
    return pkcs1PublicKey(Der.of(der), null);
  }

  static RSAPrivateCrtKeySpec pkcs1PrivateKey(byte[] der) {
    return pkcs1PrivateKey(Der.of(der), null);
  }

  private static RSAPrivateCrtKeySpec pkcs8PrivateKey(
      PrivateKeyInfo info, @Nullable AlgorithmParameterSpec parameters) {
    RSAPrivateCrtKeySpec key = pkcs1PrivateKey(info.key(), parameters);
    info.publicKey().ifPresent(half -> requirePair(key, pkcs1PublicKey(half, parameters)));
    return key;
  }

  private static void requirePair(RSAPrivateCrtKeySpec key, RSAPublicKeySpec half) {
    if (!half.getModulus().equals(key.getModulus())
        || !half.getPublicExponent().equals(key.getPublicExponent())) {
      throw ProviderKey.notAPair();
    }
  }

  private static RSAPublicKeySpec pkcs1PublicKey(
      Der reader, @Nullable AlgorithmParameterSpec parameters) {
    Der numbers = reader.enter(Der.SEQUENCE);
    reader.requireEnd();
    RSAPublicKeySpec key = new RSAPublicKeySpec(numbers.integer(), numbers.integer(), parameters);
    numbers.requireEnd();
    return key;
  }

  private static RSAPrivateCrtKeySpec pkcs1PrivateKey(
      Der reader, @Nullable AlgorithmParameterSpec parameters) {
    Der numbers = reader.enter(Der.SEQUENCE);
    reader.requireEnd();
    // RFC 8017, A.1.2: version 1 is for more than two primes, which hardly any provider supports.
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
            numbers.integer(),
            parameters);
    numbers.requireEnd();
    return key;
  }

  private static void requirePlainRsa(AlgorithmIdentifier algorithm) {
    if (!algorithm.is(KeyAlgorithm.RSA)) {
      throw new KeyFileException(
          NOT_RSA,
          "the key is "
              + algorithm.description()
              + "; a plain RSA key (rsaEncryption) is needed: "
              + RsaKeyRules.NEW_KEY_COMMAND);
    }
    // RFC 8017, A.1: the parameters are NULL; some tools omit them.
    algorithm.parameters().skipIfPresent(Der.NULL);
    algorithm.parameters().requireEnd();
  }
}
