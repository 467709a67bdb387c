package dev.countersign.signatures;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A signature was not accepted.
 *
 * <p>The message tells the caller what was expected, what came and how to mend it. It holds no key
 * and no signature. A stack trace is left out: a refusal is an outcome, not a defect.
 */
public final class VerificationException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final Failure failure;
  private final transient @Nullable Comparison comparison;
  private final transient @Nullable SignatureBase signatureBase;
  private final transient @Nullable ComponentIdentifier component;

  VerificationException(Failure failure, String message) {
    this(failure, message, null, null, null);
  }

  private VerificationException(
      Failure failure,
      String message,
      @Nullable Comparison comparison,
      @Nullable SignatureBase signatureBase,
      @Nullable ComponentIdentifier component) {
    super(message, null, false, false);
    this.failure = failure;
    this.comparison = comparison;
    this.signatureBase = signatureBase;
    this.component = component;
  }

  static VerificationException wrongComponents(boolean exact, String expected, String received) {
    return new VerificationException(
        Failure.COMPONENTS_WRONG,
        "the signature must cover "
            + (exact ? expected + " in this order" : "at least " + expected)
            + ", it covers "
            + received,
        new Comparison(expected, received),
        null,
        null);
  }

  static VerificationException wrongComponent(ComponentIdentifier component, String message) {
    return new VerificationException(Failure.COMPONENTS_WRONG, message, null, null, component);
  }

  /** This failure with the place of its component among those of a signature. */
  VerificationException in(String label, String signatureParams) {
    int place = component == null ? -1 : signatureParams.indexOf(component.serialize());
    return place < 0
        ? this
        : new VerificationException(
            failure,
            getMessage() + " (position " + place + " of " + label + " in Signature-Input)",
            comparison,
            signatureBase,
            component);
  }

  static VerificationException mismatch(SignatureBase base) {
    return new VerificationException(
        Failure.SIGNATURE_MISMATCH,
        "the signature does not verify over the signature base as received; compare the two bases"
            + " line by line, then check that the registered public key belongs to the signing key",
        null,
        base,
        null);
  }

  /** Why, as a stable name. */
  public Failure failure() {
    return failure;
  }

  /** Expected and received component lists, for {@link Failure#COMPONENTS_WRONG}. */
  public Optional<Comparison> comparison() {
    return Optional.ofNullable(comparison);
  }

  /** The component at fault, where it is a single one. */
  public Optional<ComponentIdentifier> component() {
    return Optional.ofNullable(component);
  }

  /** The base as the verifier built it, for {@link Failure#SIGNATURE_MISMATCH}. */
  public Optional<SignatureBase> signatureBase() {
    return Optional.ofNullable(signatureBase);
  }

  /**
   * What a profile asks for beside what a message has.
   *
   * @param expected as the profile writes it
   * @param received as the message had it
   */
  public record Comparison(String expected, String received) {}
}
