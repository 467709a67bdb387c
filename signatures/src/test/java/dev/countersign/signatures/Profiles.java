package dev.countersign.signatures;

import dev.countersign.signatures.base.ComponentIdentifier;
import dev.countersign.signatures.digest.DigestAlgorithm;

/** Profiles for tests. */
public final class Profiles {
  /**
   * A strict profile: one label, no components but those listed, one algorithm, and a Date that is
   * the same time as {@code created}.
   */
  public static final SignatureProfile PARTNER_V1 =
      SignatureProfile.covering("@method", "@target-uri")
          .withDateAtCreated()
          .withCoveredWhereSent(ComponentIdentifier.of("idempotency-key"))
          .withNothingElseCovered()
          .withDigestOnlyWithBody()
          .withDigestAlgorithm(DigestAlgorithm.SHA_256)
          .withRequiredParameters("alg")
          .withAlgorithms(SignatureAlgorithm.RSA_V1_5_SHA256)
          .allowSignatureParamsAsReceived()
          .withLabel("sig");

  private Profiles() {}
}
