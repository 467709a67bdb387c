package dev.countersign.signatures.httpclient;

import dev.countersign.signatures.MessageSigner;
import dev.countersign.signatures.MessageVerifier;
import dev.countersign.signatures.Profiles;
import dev.countersign.signatures.SignatureAlgorithm;
import dev.countersign.signatures.SignatureProfile;
import dev.countersign.signatures.SigningKey;
import dev.countersign.signatures.VerificationKey;
import dev.countersign.signatures.base.SignatureInput;
import dev.countersign.signatures.keys.CryptoProvider;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;

/** A signer and a verifier that know each other. */
final class SignedHttp {
  static final Instant NOW = Instant.parse("2024-03-05T07:08:09Z");

  private static final CryptoProvider CRYPTO = CryptoProvider.jdk();
  private static final SignatureAlgorithm ALGORITHM = SignatureAlgorithm.RSA_V1_5_SHA256;
  private static final KeyPair KEYS = newKeyPair();

  /** For responses, bound to the request and to its signature (RFC 9421 section 2.4). */
  private static final SignatureProfile RESPONSE_PROFILE =
      SignatureProfile.covering(
          SignatureInput.parse(
                  "(\"@status\" \"@method\";req \"@target-uri\";req \"signature\";req;key=\"sig\")")
              .components());

  static final HttpRequestSigner SIGNER =
      new HttpRequestSigner(signer(Profiles.PARTNER_V1), CRYPTO);

  static final MessageVerifier VERIFIER = verifier(Profiles.PARTNER_V1);

  static final MessageSigner RESPONSE_SIGNER = signer(RESPONSE_PROFILE);

  static final MessageVerifier RESPONSE_VERIFIER = verifier(RESPONSE_PROFILE);

  private static MessageSigner signer(SignatureProfile profile) {
    return new MessageSigner(
        profile, new SigningKey("cl-alice", ALGORITHM, KEYS.getPrivate(), CRYPTO));
  }

  private static MessageVerifier verifier(SignatureProfile profile) {
    return new MessageVerifier(
        profile,
        keyid -> List.of(new VerificationKey(ALGORITHM, KEYS.getPublic(), CRYPTO)),
        Clock.fixed(NOW, ZoneOffset.UTC),
        CRYPTO);
  }

  private SignedHttp() {}

  private static KeyPair newKeyPair() {
    KeyPairGenerator generator = CRYPTO.keyPairGenerator("RSA");
    generator.initialize(2048);
    return generator.generateKeyPair();
  }
}
