package dev.countersign.signatures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.countersign.signatures.base.VerificationException;
import dev.countersign.signatures.base.VerificationFailure;
import dev.countersign.signatures.keys.CryptoProvider;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;

/** Verifies as a server that knows Alice's key, at the time of her requests. */
final class AliceVerification {
  static final long CREATED = 1709622489;
  static final Instant NOW = Instant.ofEpochSecond(CREATED);

  private AliceVerification() {}

  static VerifiedSignature verify(WireRequest request) {
    return verify(request, Profiles.PARTNER_V1, NOW);
  }

  static VerifiedSignature verify(WireRequest request, SignatureProfile profile, Instant now) {
    return verifier(profile, now, CryptoProvider.jdk()).verify(request, request.body());
  }

  static MessageVerifier verifier(SignatureProfile profile, Instant now, CryptoProvider crypto) {
    List<VerificationKey> keys = List.of(HandSigner.ALICE.verificationKey(crypto));
    return new MessageVerifier(
        profile,
        keyid -> keyid.equals("cl-alice") ? keys : List.of(),
        Clock.fixed(now, ZoneOffset.UTC),
        crypto);
  }

  static VerificationException refusal(WireRequest request, SignatureProfile profile, Instant now) {
    VerificationException refusal =
        catchThrowableOfType(VerificationException.class, () -> verify(request, profile, now));
    assertThat(refusal).as("a refusal of " + request).isNotNull();
    return refusal;
  }

  /** Checks the reason; only a mismatch comes with the base. */
  static VerificationException assertRefused(VerificationFailure failure, WireRequest request) {
    VerificationException refusal = refusal(request, Profiles.PARTNER_V1, NOW);
    assertThat(refusal.failure()).as(refusal.getMessage()).isEqualTo(failure);
    assertThat(refusal.signatureBase().isPresent())
        .isEqualTo(failure == VerificationFailure.SIGNATURE_MISMATCH);
    return refusal;
  }

  static void assertAccepted(WireRequest request) {
    assertThat(verify(request).parameters().keyid()).contains(HandSigner.ALICE.clientId());
  }
}
