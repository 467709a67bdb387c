package dev.countersign.benchmarks;

import dev.countersign.protocol.PartnerProfile;
import dev.countersign.signatures.KeyLookup;
import dev.countersign.signatures.MessageSigner;
import dev.countersign.signatures.MessageVerifier;
import dev.countersign.signatures.SignatureAlgorithm;
import dev.countersign.signatures.SigningKey;
import dev.countersign.signatures.VerificationKey;
import dev.countersign.signatures.keys.CryptoProvider;
import dev.countersign.signatures.keys.RsaPrivateKeys;
import dev.countersign.signatures.keys.RsaPublicKeys;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.time.Clock;
import java.util.List;
import java.util.Map;

/** A partner with an RSA key of 2048 bits, and the verifier that knows the public half. */
final class Partner {
  static final String CLIENT_ID = "cl-benchmark";
  private static final int KEY_BITS = 2048; // as in openssl speed rsa2048

  private final CryptoProvider crypto;
  private final PublicKey publicKey;
  private final PrivateKey privateKey;

  /**
   * A partner with a new key.
   *
   * <p>The key goes through its text, as a registered one does: a native provider is fast only with
   * keys that it has created, and converts any other key at each use.
   */
  Partner(CryptoProvider crypto) {
    KeyPairGenerator generator = crypto.keyPairGenerator("RSA");
    generator.initialize(KEY_BITS);
    KeyPair pair = generator.generateKeyPair();
    this.crypto = crypto;
    this.publicKey = RsaPublicKeys.read(RsaPublicKeys.toPem(pair.getPublic()), crypto);
    this.privateKey = RsaPrivateKeys.read(RsaPrivateKeys.toPem(pair.getPrivate()), crypto);
  }

  CryptoProvider crypto() {
    return crypto;
  }

  MessageSigner signer() {
    return new MessageSigner(
        PartnerProfile.REQUEST,
        new SigningKey(CLIENT_ID, SignatureAlgorithm.RSA_V1_5_SHA256, privateKey, crypto));
  }

  MessageVerifier verifier() {
    VerificationKey key =
        new VerificationKey(SignatureAlgorithm.RSA_V1_5_SHA256, publicKey, crypto);
    Map<String, List<VerificationKey>> registered = Map.of(CLIENT_ID, List.of(key));
    KeyLookup keys = keyid -> registered.getOrDefault(keyid, List.of());
    return new MessageVerifier(PartnerProfile.REQUEST, keys, Clock.systemUTC(), crypto);
  }

  /** The yardstick: the same key with the provider's code only. */
  RawRsa raw() {
    return new RawRsa(crypto, publicKey, privateKey);
  }
}
