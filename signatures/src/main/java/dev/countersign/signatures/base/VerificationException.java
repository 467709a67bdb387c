package dev.countersign.signatures.base;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Thrown when a signature is not accepted.
 *
 * <p>The message tells the caller what was expected, what was received and how to fix it. It
 * contains no key and no signature. There is no stack trace, because a refusal is an outcome and
 * not a defect. If a field breaks its grammar, the cause is the exception of its parser, usually a
 * {@link dev.countersign.signatures.fields.FieldParseException}, which can draw a caret at the
 * position.
 */
public final class VerificationException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final VerificationFailure failure;
  private final transient Evidence evidence;

  public VerificationException(VerificationFailure failure, String message) {
    this(failure, message, null, Evidence.NONE);
  }

  private VerificationException(
      VerificationFailure failure, String message, @Nullable Throwable cause, Evidence evidence) {
    super(message, cause, false, false);
    this.failure = failure;
    this.evidence = evidence;
  }

  /** The details that some failures have. */
  private record Evidence(
      @Nullable Comparison comparison,
      @Nullable SignatureBase base,
      @Nullable ComponentIdentifier component) {
    static final Evidence NONE = new Evidence(null, null, null);
  }

  /** Drops the details when an exception is deserialized. */
  private Object readResolve() {
    return new VerificationException(failure, String.valueOf(getMessage()));
  }

  /** The failure for a field that cannot be read. */
  public static VerificationException unreadable(
      VerificationFailure failure, String field, RuntimeException cause) {
    return new VerificationException(
        failure, field + ": " + cause.getMessage(), cause, Evidence.NONE);
  }

  public static VerificationException wrongCoverage(
      boolean exact, String expected, String received) {
    return new VerificationException(
        VerificationFailure.COMPONENTS_WRONG,
        "the signature must cover "
            + (exact ? expected + " in this order" : "at least " + expected)
            + ", but it covers "
            + received,
        null,
        new Evidence(new Comparison(expected, received), null, null));
  }

  static VerificationException faultyComponent(ComponentIdentifier component, String message) {
    return new VerificationException(
        VerificationFailure.COMPONENTS_WRONG, message, null, new Evidence(null, null, component));
  }

  /**
   * Returns a copy whose message also gives the position of the component in Signature-Input.
   * Returns this exception itself if it names no component, or if Signature-Input does not contain
   * the component.
   */
  public VerificationException withPosition(String label, String signatureParams) {
    ComponentIdentifier component = evidence.component();
    int position = component == null ? -1 : positionOf(component.serialize(), signatureParams);
    return position < 0
        ? this
        : new VerificationException(
            failure,
            getMessage() + " (position " + position + " of " + label + " in Signature-Input)",
            getCause(),
            evidence);
  }

  /**
   * The position of an item in a list, or -1. Only whole items match: {@code "date"} is not found
   * in {@code "date";bs}.
   */
  private static int positionOf(String item, String list) {
    int position = list.indexOf(item);
    while (position >= 0
        && !list.startsWith(" ", position + item.length())
        && !list.startsWith(")", position + item.length())) {
      position = list.indexOf(item, position + 1);
    }
    return position;
  }

  public static VerificationException mismatch(SignatureBase base) {
    return new VerificationException(
        VerificationFailure.SIGNATURE_MISMATCH,
        "the signature does not verify over the signature base as received; compare the two bases"
            + " line by line, then check that the registered public key belongs to the signing key",
        null,
        new Evidence(null, base, null));
  }

  /** The kind of failure, for programs: its name does not change. */
  public VerificationFailure failure() {
    return failure;
  }

  /** Expected and received component lists, for {@link VerificationFailure#COMPONENTS_WRONG}. */
  public Optional<Comparison> comparison() {
    return Optional.ofNullable(evidence.comparison());
  }

  /** The component that causes the refusal; empty unless there is exactly one. */
  public Optional<ComponentIdentifier> component() {
    return Optional.ofNullable(evidence.component());
  }

  /** The base as the verifier built it, for {@link VerificationFailure#SIGNATURE_MISMATCH}. */
  public Optional<SignatureBase> signatureBase() {
    return Optional.ofNullable(evidence.base());
  }

  /**
   * The components that a profile requires, and those that a signature covers.
   *
   * @param expected the components as the profile writes them
   * @param received the components as the message lists them
   */
  public record Comparison(String expected, String received) {}
}
