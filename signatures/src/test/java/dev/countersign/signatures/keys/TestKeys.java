package dev.countersign.signatures.keys;

import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.interfaces.RSAPrivateCrtKey;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.ECGenParameterSpec;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** One fresh pair per test run, in every form that needs no other program. */
final class TestKeys {
  private static final Map<String, KeyPair> PAIRS = new HashMap<>();
  private static final KeyPair PAIR = pair();
  static final RSAPrivateCrtKey PRIVATE = (RSAPrivateCrtKey) PAIR.getPrivate();
  static final RSAPublicKey PUBLIC = (RSAPublicKey) PAIR.getPublic();
  static final String PRIVATE_PEM = RsaPrivateKeys.toPem(PRIVATE);
  static final String PUBLIC_PEM = RsaPublicKeys.toPem(PUBLIC);

  private TestKeys() {}

  /** A pair of every signing kind, by the name of its JCA algorithm or its curve. */
  static List<KeyPair> everyKind() {
    return Stream.of("RSA", "RSASSA-PSS", "secp256r1", "secp384r1", "secp521r1", "Ed25519")
        .map(TestKeys::pair)
        .toList();
  }

  static synchronized KeyPair pair(String kind) {
    return PAIRS.computeIfAbsent(kind, TestKeys::generate);
  }

  private static KeyPair generate(String kind) {
    boolean curve = kind.startsWith("secp");
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance(curve ? "EC" : kind);
      if (curve) {
        generator.initialize(new ECGenParameterSpec(kind));
      } else if (kind.startsWith("RSA")) {
        generator.initialize(2048);
      }
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }

  static byte[] pkcs1Private() {
    // version, AlgorithmIdentifier and the header of the OCTET STRING take 26 bytes for 2048 bits.
    return Arrays.copyOfRange(PRIVATE.getEncoded(), 26, PRIVATE.getEncoded().length);
  }

  static byte[] pkcs1Public() {
    return Arrays.copyOfRange(PUBLIC.getEncoded(), 24, PUBLIC.getEncoded().length);
  }

  static String bare(byte[] der) {
    return Base64.getEncoder().encodeToString(der);
  }

  private static KeyPair pair() {
    KeyPairGenerator generator = CryptoProvider.jdk().keyPairGenerator("RSA");
    generator.initialize(2048);
    return generator.generateKeyPair();
  }
}
