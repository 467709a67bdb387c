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

  VerificationException(Failure failure, String message) {
    this(failure, message, null, null);
  }

  private VerificationException(
      Failure failure,
      String message,
      @Nullable Comparison comparison,
      @Nullable SignatureBase signatureBase) {
    super(message, null, false, false);
    this.failure = failure;
    this.comparison = comparison;
    this.signatureBase = signatureBase;
  }

  static VerificationException wrongComponents(String expected, String received) {
    return new VerificationException(
        Failure.COMPONENTS_WRONG,
        "the signature must cover " + expected + " in this order, it covers " + received,
        new Comparison(expected, received),
        null);
  }

  static VerificationException mismatch(SignatureBase base) {
    return new VerificationException(
        Failure.SIGNATURE_MISMATCH,
        "the signature does not verify over the signature base as received; compare the two bases"
            + " line by line, then check that the registered public key belongs to the signing key",
        null,
        base);
  }

  /** Why, as a stable name. */
  public Failure failure() {
    return failure;
  }

  /** Expected and received component lists, for {@link Failure#COMPONENTS_WRONG}. */
  public Optional<Comparison> comparison() {
    return Optional.ofNullable(comparison);
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
