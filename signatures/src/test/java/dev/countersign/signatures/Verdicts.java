package dev.countersign.signatures;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.countersign.signatures.base.HttpMessage;
import dev.countersign.signatures.base.VerificationException;
import dev.countersign.signatures.base.VerificationFailure;
import dev.countersign.signatures.keys.CryptoProvider;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;

/**
 * The verdict of a verifier that knows Alice's key on a message, by default at its signing time.
 */
final class Verdicts {
  private Verdicts() {}

  static VerifiedSignature accepted(SignatureProfile profile, HttpMessage message) {
    return accepted(profile, message, "");
  }

  static VerifiedSignature accepted(SignatureProfile profile, HttpMessage message, String body) {
    return verify(profile, AliceVerification.NOW, message, body);
  }

  static VerifiedSignature acceptedAt(Instant now, SignatureProfile profile, HttpMessage message) {
    return verify(profile, now, message, "");
  }

  static VerificationException refused(
      VerificationFailure failure, SignatureProfile profile, HttpMessage message) {
    return refused(failure, profile, message, "");
  }

  static VerificationException refused(
      VerificationFailure failure, SignatureProfile profile, HttpMessage message, String body) {
    return is(failure, () -> accepted(profile, message, body));
  }

  static VerificationException refusedAt(
      Instant now, VerificationFailure failure, SignatureProfile profile, HttpMessage message) {
    return is(failure, () -> acceptedAt(now, profile, message));
  }

  /** Checks that the message is refused for this reason, and that no other exception is thrown. */
  static VerificationException is(VerificationFailure failure, Runnable verification) {
    VerificationException refusal =
        catchThrowableOfType(VerificationException.class, verification::run);
    assertThat(refusal).as("a refusal").isNotNull();
    assertThat(refusal.failure()).as(refusal.getMessage()).isEqualTo(failure);
    return refusal;
  }

  static Clock clock(Instant now) {
    return Clock.fixed(now, ZoneOffset.UTC);
  }

  private static VerifiedSignature verify(
      SignatureProfile profile, Instant now, HttpMessage message, String body) {
    return AliceVerification.verifier(profile, now, CryptoProvider.jdk())
        .verify(message, body.getBytes(UTF_8));
  }
}
