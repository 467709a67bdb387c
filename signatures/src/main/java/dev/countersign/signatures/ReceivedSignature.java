package dev.countersign.signatures;

import dev.countersign.signatures.base.ComponentIdentifier;
import dev.countersign.signatures.base.HttpMessage;
import dev.countersign.signatures.base.SignatureBase;
import dev.countersign.signatures.base.SignatureInput;
import dev.countersign.signatures.base.SignatureParameters;
import dev.countersign.signatures.base.VerificationException;
import dev.countersign.signatures.base.VerificationFailure;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A received signature whose components and parameters match its profile. It must not be trusted
 * yet. {@link ClaimedSignature#checkProfile} creates it.
 *
 * <p>{@link #checkTime} is the next step. The last step returns a {@link VerifiedSignature}, the
 * only proof that this library gives.
 */
public final class ReceivedSignature {
  private final SignatureProfile profile;
  private final HttpMessage message;
  private final String label;
  private final SignatureInput input;
  private final String signatureParams;
  private final byte[] signature;

  ReceivedSignature(
      SignatureProfile profile,
      HttpMessage message,
      String label,
      SignatureInput input,
      String signatureParams,
      byte[] signature) {
    this.profile = profile;
    this.message = message;
    this.label = label;
    this.input = input;
    this.signatureParams = signatureParams;
    this.signature = signature;
  }

  /** The label of the signature, which is the same in Signature-Input and Signature. */
  public String label() {
    return label;
  }

  /** The covered components in their order. None of them is verified yet. */
  public List<ComponentIdentifier> components() {
    return input.components();
  }

  /** The signature parameters, which are not verified yet. */
  public SignatureParameters parameters() {
    return input.parameters();
  }

  /** Returns whether the signature claims to cover the named component, without parameters. */
  public boolean covers(String name) {
    for (ComponentIdentifier component : input.components()) {
      if (component.isBare(name)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Returns whether the signature claims to cover this exact component, with the same parameters.
   */
  public boolean covers(ComponentIdentifier component) {
    return input.covers(component);
  }

  /**
   * Returns whether the signature claims to cover the whole value of a field: with no parameters,
   * or with {@code sf} or {@code bs}.
   */
  boolean coversWhole(String field) {
    for (ComponentIdentifier component : input.components()) {
      if (component.isWhole(field)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Checks {@code created} and {@code expires} against the clock, and Date against {@code created}.
   *
   * @throws VerificationException {@link VerificationFailure#CREATED_TOO_OLD}, {@link
   *     VerificationFailure#CREATED_IN_FUTURE}, {@link VerificationFailure#EXPIRED}, {@link
   *     VerificationFailure#DATE_MISSING}, {@link VerificationFailure#DATE_MALFORMED} or {@link
   *     VerificationFailure#DATE_MISMATCH}
   */
  public FreshSignature checkTime(Instant now) {
    profile.window().check(this, message, now);
    return new FreshSignature(this);
  }

  /**
   * Checks Content-Digest as the profile and the message's framing require, and returns a
   * description of the body to expect.
   *
   * @throws VerificationException when the field is missing, malformed or unexpected
   */
  ExpectedBody checkDigest() {
    return ExpectedBody.of(this, message, profile.bodyRule());
  }

  /** Verifies the signature, and returns the base and the key that verified it. */
  VerifiedBase verify(List<VerificationKey> keys) {
    if (keys.isEmpty()) {
      throw new VerificationException(
          VerificationFailure.KEY_UNKNOWN,
          "no key is known for this signature; compare keyid letter by letter");
    }
    boolean asReceived = profile.parameterRules().paramsAsReceived();
    SignatureBase base = base(asReceived ? signatureParams : input.signatureParams());
    List<VerificationKey> usable = keys.stream().filter(this::mayUse).toList();
    if (usable.isEmpty()) {
      throw wrongAlgorithm(keys);
    }
    Optional<VerifiedBase> verified = verify(base, usable);
    if (verified.isEmpty() && asReceived) {
      // Serializes the parameters only when the text as received did not verify, so that a
      // signature over that text causes no extra work.
      String serialized = input.signatureParams();
      if (!serialized.equals(signatureParams)) {
        verified = verify(base(serialized), usable);
      }
    }
    return verified.orElseThrow(() -> VerificationException.mismatch(base));
  }

  private Optional<VerifiedBase> verify(SignatureBase base, List<VerificationKey> keys) {
    byte[] signed = base.bytes();
    for (VerificationKey key : keys) {
      if (key.verifies(signed, signature)) {
        return Optional.of(new VerifiedBase(base, key));
      }
    }
    return Optional.empty();
  }

  /**
   * Creates the signature base with this text as {@code @signature-params} (RFC 9421 section 3.2,
   * step 7).
   */
  private SignatureBase base(String text) {
    try {
      return SignatureBase.of(input.components(), text, message, profile.fieldTypes());
    } catch (VerificationException e) {
      throw e.withPosition(label, signatureParams);
    }
  }

  /**
   * RFC 9421 sections 3.2 (step 6) and 7.3.6: the profile, the key and {@code alg} must agree on
   * the algorithm.
   */
  private boolean mayUse(VerificationKey key) {
    return profile.parameterRules().algorithms().contains(key.algorithm())
        && (input.parameters().alg().isEmpty()
            || key.algorithm().isNamed(input.parameters().alg().get()));
  }

  private VerificationException wrongAlgorithm(List<VerificationKey> keys) {
    List<String> names =
        keys.stream().map(key -> key.algorithm().displayName()).distinct().toList();
    return new VerificationException(
        VerificationFailure.ALGORITHM_WRONG,
        "the key is for "
            + String.join(" and ", names)
            + input.parameters().alg().map(alg -> ", but alg names another algorithm").orElse("")
            + "; sign with the algorithm of the key, and check that the profile accepts it");
  }

  /** A signature base, and the key that verified its signature. */
  record VerifiedBase(SignatureBase base, VerificationKey key) {}
}
