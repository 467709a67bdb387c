package dev.countersign.server.clients;

import dev.countersign.server.TestService;
import dev.countersign.signatures.SignatureAlgorithm;
import dev.countersign.signatures.VerificationKey;
import dev.countersign.signatures.keys.CryptoProvider;
import java.security.KeyPair;
import java.security.interfaces.RSAPublicKey;
import java.util.List;
import java.util.stream.Stream;

/** A few key pairs, generated once, because generating one takes a tenth of a second. */
public final class RsaKeyPairs {
  private static final List<KeyPair> PAIRS =
      Stream.generate(TestService::newKeyPair).limit(4).toList();

  private RsaKeyPairs() {}

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
}
