package dev.countersign.server.clients;

import dev.countersign.signatures.SignatureAlgorithm;
import dev.countersign.signatures.VerificationKey;
import dev.countersign.signatures.keys.CryptoProvider;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.interfaces.RSAPublicKey;
import java.util.List;
import java.util.stream.Stream;

/** A few key pairs, made once: making one takes a tenth of a second. */
public final class TestKeys {
  private static final List<KeyPair> PAIRS = Stream.generate(TestKeys::pair).limit(4).toList();

  private TestKeys() {}

  public static RSAPublicKey publicKey(int index) {
    return (RSAPublicKey) PAIRS.get(index).getPublic();
  }

  public static KeyPair keyPair(int index) {
    return PAIRS.get(index);
  }

  public static VerificationKey verificationKey(int index) {
    return new VerificationKey(
        SignatureAlgorithm.RSA_V1_5_SHA256, publicKey(index), CryptoProvider.jdk());
  }

  private static KeyPair pair() {
    KeyPairGenerator generator = CryptoProvider.jdk().keyPairGenerator("RSA");
    generator.initialize(2048);
    return generator.generateKeyPair();
  }
}
