package dev.countersign.client;

import dev.countersign.client.keys.KeySource;
import dev.countersign.protocol.PartnerProfile;
import dev.countersign.signatures.MessageVerifier;
import dev.countersign.signatures.SignatureAlgorithm;
import dev.countersign.signatures.SigningKey;
import dev.countersign.signatures.VerificationKey;
import dev.countersign.signatures.keys.CryptoProvider;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.time.Clock;
import java.util.List;

/** A key pair, generated once, and both of its halves. */
final class TestKey {
  static final String CLIENT_ID = "cl-partner";

  private static final CryptoProvider CRYPTO = CryptoProvider.jdk();
  private static final SignatureAlgorithm ALGORITHM = SignatureAlgorithm.RSA_V1_5_SHA256;
  static final KeyPair PAIR = newKeyPair();
  static final KeySource SOURCE =
      clientId -> new SigningKey(clientId, ALGORITHM, PAIR.getPrivate(), CRYPTO);

  private TestKey() {}

  private static KeyPair newKeyPair() {
    KeyPairGenerator generator = CRYPTO.keyPairGenerator("RSA");
    generator.initialize(2048);
    return generator.generateKeyPair();
  }

  static MessageVerifier verifier(Clock clock) {
    return new MessageVerifier(
        PartnerProfile.REQUEST,
        keyid ->
            keyid.equals(CLIENT_ID)
                ? List.of(new VerificationKey(ALGORITHM, PAIR.getPublic(), CRYPTO))
                : List.of(),
        clock,
        CRYPTO);
  }
}
