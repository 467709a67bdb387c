package dev.countersign.signatures;

import dev.countersign.signatures.keys.CryptoProvider;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.SecureRandom;
import java.security.spec.ECGenParameterSpec;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;

/** Fresh key pairs or secrets for every algorithm, one per kind and test run, made by the JDK. */
final class AlgorithmKeys {
  private static final Map<String, KeyPair> PAIRS = new HashMap<>();
  private static final Map<String, KeyPair> OTHERS = new HashMap<>();
  private static final Map<SignatureAlgorithm, SecretKey> SECRETS =
      new EnumMap<>(SignatureAlgorithm.class);

  private AlgorithmKeys() {}

  static SigningKey signing(SignatureAlgorithm algorithm, CryptoProvider crypto) {
    return isHmac(algorithm)
        ? new SigningKey("key", algorithm, secret(algorithm), crypto)
        : new SigningKey("key", algorithm, pair(algorithm).getPrivate(), crypto);
  }

  static VerificationKey verification(SignatureAlgorithm algorithm, CryptoProvider crypto) {
    return isHmac(algorithm)
        ? new VerificationKey(algorithm, secret(algorithm), crypto)
        : new VerificationKey(algorithm, pair(algorithm).getPublic(), crypto);
  }

  static boolean isHmac(SignatureAlgorithm algorithm) {
    return algorithm == SignatureAlgorithm.HMAC_SHA256 || algorithm.name().startsWith("JWS_HS");
  }

  static synchronized SecretKey secret(SignatureAlgorithm algorithm) {
    return SECRETS.computeIfAbsent(algorithm, any -> new SecretKeySpec(random(64), "HMAC"));
  }

  /** Keyed only by the kind of key, so that algorithms of one kind share a pair. */
  static KeyPair pair(SignatureAlgorithm algorithm) {
    return pair(kind(algorithm));
  }

  /** A second pair of the same kind. */
  static synchronized KeyPair another(SignatureAlgorithm algorithm) {
    return OTHERS.computeIfAbsent(kind(algorithm), AlgorithmKeys::generate);
  }

  static String kind(SignatureAlgorithm algorithm) {
    return switch (algorithm) {
      case ECDSA_P256_SHA256, JWS_ES256 -> "secp256r1";
      case ECDSA_P384_SHA384, JWS_ES384 -> "secp384r1";
      case JWS_ES512 -> "secp521r1";
      case ED25519, JWS_EDDSA -> "Ed25519";
      default -> "RSA";
    };
  }

  /** A pair, by the name of its JCA algorithm or of its curve. */
  static synchronized KeyPair pair(String kind) {
    return PAIRS.computeIfAbsent(kind, AlgorithmKeys::generate);
  }

  static KeyPair rsa(int bits) {
    KeyPairGenerator generator = CryptoProvider.jdk().keyPairGenerator("RSA");
    generator.initialize(bits);
    return generator.generateKeyPair();
  }

  static byte[] random(int length) {
    byte[] bytes = new byte[length];
    new SecureRandom().nextBytes(bytes);
    return bytes;
  }

  private static KeyPair generate(String kind) {
    Optional<String> curve = Optional.of(kind).filter(name -> name.startsWith("secp"));
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance(curve.isPresent() ? "EC" : kind);
      if (curve.isPresent()) {
        generator.initialize(new ECGenParameterSpec(kind));
      } else if (kind.startsWith("RSA")) {
        generator.initialize(2048);
      }
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }
}
