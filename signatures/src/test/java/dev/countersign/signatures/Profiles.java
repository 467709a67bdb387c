package dev.countersign.signatures;

import dev.countersign.signatures.base.ComponentIdentifier;
import dev.countersign.signatures.digest.DigestAlgorithm;

/** Profiles for tests. */
public final class Profiles {
  /** A profile with every rule: one label, an exact list, one algorithm, Date at created. */
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
