package dev.countersign.protocol;

import dev.countersign.signatures.SignatureAlgorithm;
import dev.countersign.signatures.SignatureProfile;
import dev.countersign.signatures.base.ComponentIdentifier;
import dev.countersign.signatures.digest.DigestAlgorithm;
import java.util.List;

/**
 * The signatures of the partner interface, as profiles of RFC 9421 (section 1.4): what a client
 * signs and what a service accepts.
 */
public final class PartnerProfile {
  /**
   * The signature of every request. It has the label {@code sig}. It covers exactly these
   * components, in this order: {@code @method}, {@code @target-uri}, {@code content-digest} if
   * there is a body, {@code date}, and {@code idempotency-key} if it is sent. The required
   * parameters are {@code created}, {@code keyid} and {@code alg}. The only algorithm is {@code
   * rsa-v1_5-sha256}. Date is the same instant as {@code created}, with a tolerance of one second.
   *
   * <p>Clients sign {@code @signature-params} exactly as spelled in Signature-Input, or serialized
   * as in RFC 9421 section 2.3. {@linkplain SignatureProfile#allowSignatureParamsAsReceived() Both
   * forms are accepted}.
   */
  public static final SignatureProfile REQUEST =
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

  /** The label of the {@linkplain #nextKey second signature} of a request for a new key. */
  public static final String NEXT_KEY_LABEL = "sig-next";

  /** The tag of the second signature of a request for a new key. */
  public static final String NEXT_KEY_TAG = "countersign-next-key";

  private PartnerProfile() {}

  /**
   * The second signature of a request that registers a new key, made with the new key. It proves
   * that the sender holds the private half, and covers the first signature (RFC 9421 section 4.3).
   * Because of the tag, a service never accepts a signature with another purpose as this proof.
   *
   * @param label the label of the first signature
   */
  public static SignatureProfile nextKey(String label) {
    return SignatureProfile.covering(
            List.of(
                ComponentIdentifier.of("@method"),
                ComponentIdentifier.of("@target-uri"),
                ComponentIdentifier.of("content-digest"),
                ComponentIdentifier.of("date"),
                ComponentIdentifier.of("signature").withKey(label)))
        .withNothingElseCovered()
        .withRequiredParameters("alg")
        .withAlgorithms(SignatureAlgorithm.RSA_V1_5_SHA256)
        .allowSignatureParamsAsReceived()
        .withTag(NEXT_KEY_TAG)
        .withLabel(NEXT_KEY_LABEL);
  }
}
