package dev.countersign.server.integrations;

import dev.countersign.protocol.PartnerProfile;
import dev.countersign.protocol.Reason;
import dev.countersign.server.access.SignedRequest;
import dev.countersign.server.access.outcome.Denial;
import dev.countersign.server.access.outcome.DeniedException;
import dev.countersign.signatures.ReceivedSignature;
import dev.countersign.signatures.SignatureAlgorithm;
import dev.countersign.signatures.SignatureProfile;
import dev.countersign.signatures.VerificationKey;
import dev.countersign.signatures.base.VerificationException;
import dev.countersign.signatures.base.VerificationFailure;
import dev.countersign.signatures.keys.CryptoProvider;
import java.security.interfaces.RSAPublicKey;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Checks that the client holds the private half of the new key. The proof is a second signature of
 * the request, made with the new key. It also covers the present key's signature (RFC 9421 section
 * 4.3).
 *
 * <p>Without this proof, a client could register somebody else's key. Requests that the owner of
 * that key signs for another service would then pass as requests from this client.
 */
final class NextKeyProof {
  // 100 years, in effect no limit. The age of the request's first signature has been checked, and
  // requireSameParameters requires the same created in both signatures.
  private static final Duration NO_LIMIT = Duration.ofDays(36_500);

  private final CryptoProvider crypto;
  private final Clock clock;

  NextKeyProof(CryptoProvider crypto, Clock clock) {
    this.crypto = crypto;
    this.clock = clock;
  }

  private static SignatureProfile profile(String label) {
    return PartnerProfile.nextKey(label).withMaximumAge(NO_LIMIT).withMaximumSkew(NO_LIMIT);
  }

  /**
   * Checks the proof.
   *
   * @throws DeniedException {@link Reason#POSSESSION_UNPROVEN} with the problem
   */
  void require(SignedRequest request, RSAPublicKey next) {
    try {
      ReceivedSignature received = request.parseFurtherSignature(profile(request.label()));
      requireSameParameters(received, request);
      received
          .checkTime(clock.instant())
          .checkDigest()
          .verify(List.of(new VerificationKey(SignatureAlgorithm.RSA_V1_5_SHA256, next, crypto)));
    } catch (VerificationException refused) {
      throw denial(refused).asException();
    }
  }

  private static void requireSameParameters(ReceivedSignature received, SignedRequest request) {
    Instant created = Instant.ofEpochSecond(received.parameters().created().orElseThrow());
    if (!created.equals(request.created())) {
      throw unproven(
          "created must be the same as in "
              + request.label()
              + ", "
              + request.created().getEpochSecond());
    }
    if (!received.parameters().keyid().equals(Optional.of(request.client().clientId()))) {
      throw unproven("keyid must be the same as in " + request.label() + ", the clientId");
    }
  }

  private Denial denial(VerificationException refused) {
    if (refused.failure() == VerificationFailure.SIGNATURE_MISMATCH) {
      return unproven(
              "it does not verify with publicKey; sign with the private key of that key pair")
          .denial()
          .withMember(Denial.SIGNATURE_BASE, refused.signatureBase().orElseThrow().text());
    }
    Denial denial = unproven(String.valueOf(refused.getMessage())).denial();
    return refused
        .comparison()
        .map(c -> denial.withMember("expected", c.expected()).withMember("received", c.received()))
        .orElse(denial);
  }

  private static DeniedException unproven(String why) {
    return new DeniedException(
        Reason.POSSESSION_UNPROVEN, PartnerProfile.NEXT_KEY_LABEL + ": " + why);
  }
}
