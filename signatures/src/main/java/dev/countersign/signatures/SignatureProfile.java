package dev.countersign.signatures;

import dev.countersign.signatures.Coverage.When;
import dev.countersign.signatures.ExpectedBody.BodyRule.Need;
import dev.countersign.signatures.base.ComponentIdentifier;
import dev.countersign.signatures.base.FieldType;
import dev.countersign.signatures.base.HttpMessage;
import dev.countersign.signatures.base.SignatureInput;
import dev.countersign.signatures.base.SignatureParameters;
import dev.countersign.signatures.base.StructuredFieldRegistry;
import dev.countersign.signatures.base.VerificationException;
import dev.countersign.signatures.base.VerificationFailure;
import dev.countersign.signatures.digest.DigestAlgorithm;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The requirements of an application for a signature (RFC 9421 section 1.4).
 *
 * <p>A profile begins with the required components:
 *
 * <pre>{@code
 * SignatureProfile profile =
 *     SignatureProfile.covering("@method", "@authority", "@path")
 *         .withTag("payments")
 *         .withAlgorithms(SignatureAlgorithm.ED25519);
 * }</pre>
 *
 * <p>Such a profile accepts a message with exactly one signature. The signature must name its key
 * by {@code keyid}, and it must cover Content-Digest if there is a body. Its {@code created} must
 * be at most 300 s old and at most 30 s in the future. Methods that begin with {@code with} make
 * the profile narrower or different. Methods that begin with {@code allow} make the profile weaker,
 * and their documentation says how.
 *
 * <p>The checks run in the order of their cost, the cheapest first. A caller that does nothing
 * between the checks should use {@link MessageVerifier}, which runs all of them.
 */
public final class SignatureProfile {
  private static final ComponentIdentifier CONTENT_DIGEST =
      ComponentIdentifier.of("content-digest");
  private static final ComponentIdentifier DATE = ComponentIdentifier.of("date");

  private final SignatureFields.SignatureChoice choice;
  private final Coverage coverage;
  private final ParameterRules parameterRules;
  private final TimeWindow window;
  private final ExpectedBody.BodyRule bodyRule;
  private final StructuredFieldRegistry fieldTypes;

  private SignatureProfile(
      SignatureFields.SignatureChoice choice,
      Coverage coverage,
      ParameterRules parameterRules,
      TimeWindow window,
      ExpectedBody.BodyRule bodyRule,
      StructuredFieldRegistry fieldTypes) {
    this.choice = choice;
    this.coverage = coverage;
    this.parameterRules = parameterRules;
    this.window = window;
    this.bodyRule = bodyRule;
    this.fieldTypes = fieldTypes;
  }

  /** A profile that requires at least these components, named without parameters. */
  public static SignatureProfile covering(String... names) {
    return covering(Stream.of(names).map(ComponentIdentifier::of).toList());
  }

  /**
   * A profile that requires at least these components, each with its parameters: {@code
   * "content-digest"} does not satisfy {@code "content-digest";req}. If the list is empty, a
   * message without a body may have a signature that covers only its own parameters.
   */
  public static SignatureProfile covering(List<ComponentIdentifier> components) {
    Coverage coverage = new Coverage(List.of(), false);
    for (ComponentIdentifier component : components) {
      coverage = coverage.with(component, When.ALWAYS);
    }
    if (components.stream().noneMatch(component -> component.isWhole(CONTENT_DIGEST.name()))) {
      coverage = coverage.with(CONTENT_DIGEST, When.WITH_BODY);
    }
    return new SignatureProfile(
        SignatureFields.SignatureChoice.ONLY_SIGNATURE,
        coverage,
        ParameterRules.requiring("created", "keyid"),
        TimeWindow.STANDARD,
        ExpectedBody.BodyRule.of(Need.WITH_BODY),
        StructuredFieldRegistry.registered());
  }

  /**
   * Accepts only the signature with this label, whatever other signatures the message has.
   *
   * @throws IllegalArgumentException for a label that is not a dictionary key
   */
  public SignatureProfile withLabel(String label) {
    return with(choice.withLabel(label));
  }

  /**
   * Ignores signatures with the given labels, because they serve another purpose. Accepts the only
   * remaining signature of the message, whatever its label.
   *
   * @throws IllegalArgumentException for a label that is not a dictionary key
   */
  public SignatureProfile withAnyLabelExcept(String... ignoredLabels) {
    return with(choice.withAnyLabelExcept(ignoredLabels));
  }

  /**
   * Requires this tag, so that a signature made for another application is not accepted here (RFC
   * 9421 section 7.2.7). If no label is required, the tag chooses the signature.
   *
   * @throws IllegalArgumentException for a tag that is not printable ASCII
   */
  public SignatureProfile withTag(String tag) {
    return with(choice.withTag(tag));
  }

  /**
   * Requires that a signature covers this component if the message has it. The component can be a
   * field, a part of the request (with {@code req}), a member of a dictionary (with {@code key}) or
   * a query parameter.
   *
   * @throws IllegalArgumentException for a trailer, which is known only after the body
   */
  public SignatureProfile withCoveredWhereSent(ComponentIdentifier component) {
    if (component.parameters().contains("tr")) {
      throw new IllegalArgumentException(
          "trailers are known only after the body, too late to require them where sent; require the"
              + " component of every message instead");
    }
    return with(coverage.with(component, When.WHERE_SENT));
  }

  /** Requires that a signature covers only these components, and in this order. */
  public SignatureProfile withNothingElseCovered() {
    return with(coverage.exactly());
  }

  /** Requires these signature parameters, in addition to those that are already required. */
  public SignatureProfile withRequiredParameters(String... names) {
    return with(parameterRules.withRequired(List.of(names)));
  }

  /**
   * Refuses signatures that have any of these parameters.
   *
   * @throws IllegalArgumentException for {@code created} or {@code keyid} while the profile
   *     requires it: call {@link #allowMissingCreated} or {@link #allowMissingKeyid} first
   */
  public SignatureProfile withForbiddenParameters(String... names) {
    return with(parameterRules.withForbidden(List.of(names)));
  }

  /**
   * Accepts only keys of these algorithms. By default, all registered algorithms are accepted, but
   * no JWS algorithms. A JWS algorithm is only for applications that agree on it (RFC 9421 section
   * 3.3.7).
   */
  public SignatureProfile withAlgorithms(SignatureAlgorithm... algorithms) {
    return with(parameterRules.withAlgorithms(List.of(algorithms)));
  }

  /** Sets the maximum age of a signature. */
  public SignatureProfile withMaximumAge(Duration age) {
    return with(window.withMaximumAge(age));
  }

  /** Sets how far a signer's clock may be ahead. */
  public SignatureProfile withMaximumSkew(Duration skew) {
    return with(window.withMaximumSkew(skew));
  }

  /**
   * Requires that a signature covers Date, and that Date and {@code created} are the same time,
   * with a tolerance of one second for rounding.
   */
  public SignatureProfile withDateAtCreated() {
    return with(coverage.with(DATE, When.ALWAYS)).with(window.withDateAtCreated());
  }

  /**
   * Requires Content-Digest to have a digest of this algorithm. By default, a digest of one
   * supported algorithm is enough. Every digest that the field has must match.
   */
  public SignatureProfile withDigestAlgorithm(DigestAlgorithm algorithm) {
    return with(bodyRule.withAlgorithm(algorithm));
  }

  /**
   * Refuses a Content-Digest on a message without a body. By default such a message may have the
   * digest of an empty body.
   */
  public SignatureProfile withDigestOnlyWithBody() {
    return with(bodyRule.with(Need.EXACTLY_WITH_BODY));
  }

  /** Declares that a field is a structured field of this type (RFC 9421 section 2.1.1). */
  public SignatureProfile withFieldType(String fieldName, FieldType type) {
    return new SignatureProfile(
        choice, coverage, parameterRules, window, bodyRule, fieldTypes.with(fieldName, type));
  }

  /**
   * Also accepts a signature that does not cover Date. The loss of security is small, because
   * {@code created} is signed and states the same time.
   */
  public SignatureProfile allowMissingDate() {
    return with(coverage.replace(DATE, When.OPTIONAL));
  }

  /**
   * Also accepts a signature without {@code created}. The age of such a signature is unknown. The
   * signature can be replayed forever unless {@code expires} or a nonce prevents that, and a
   * covered Date is not compared with anything.
   */
  public SignatureProfile allowMissingCreated() {
    return with(parameterRules.withoutRequired("created"));
  }

  /**
   * Also accepts a signature that does not name its key. The keys that {@link
   * KeyLookup#findWithoutKeyid()} returns are then tried.
   */
  public SignatureProfile allowMissingKeyid() {
    return with(parameterRules.withoutRequired("keyid"));
  }

  /**
   * Also accepts a body without a Content-Digest, or with a Content-Digest that is not covered.
   * Such a body may have been replaced on the way. If the profile requires Content-Digest to be
   * {@linkplain #withCoveredWhereSent covered where sent}, a Content-Digest that is sent must still
   * be covered.
   *
   * @throws IllegalStateException if the profile requires Content-Digest of every message, because
   *     then no body could be unsigned
   */
  public SignatureProfile allowUnsignedBody() {
    coverage
        .firstAlwaysCovered(component -> component.isWhole(CONTENT_DIGEST.name()))
        .ifPresent(
            demanded -> {
              throw new IllegalStateException(
                  "the profile requires "
                      + demanded
                      + " of every message, which leaves no body unsigned; name it in"
                      + " withCoveredWhereSent(…) instead of covering(…), or do not allow unsigned"
                      + " bodies");
            });
    return with(coverage.loosen(CONTENT_DIGEST, When.WITH_BODY)).with(bodyRule.with(Need.NEVER));
  }

  /**
   * Also accepts a signature over {@code @signature-params} exactly as it was received in
   * Signature-Input, for example with additional blanks. By RFC 9421 sections 2.3 and 3.2, a signer
   * must sign the serialization of the parameters. Most signers send that serialization, so for
   * them there is no difference.
   *
   * <p>The text as received is tried first. If the signature does not verify with it, and the
   * serialization differs, the serialization is tried. This second attempt costs one more operation
   * for each key. The loss of security is small, because both texts have the same components and
   * parameters. {@link VerifiedSignature#base()} is always the base that verified, so a recorded
   * message has the same base even if somebody changes the spelling of its Signature-Input.
   */
  public SignatureProfile allowSignatureParamsAsReceived() {
    return with(parameterRules.withParamsAsReceived());
  }

  private SignatureProfile with(SignatureFields.SignatureChoice other) {
    return new SignatureProfile(other, coverage, parameterRules, window, bodyRule, fieldTypes);
  }

  private SignatureProfile with(Coverage other) {
    return new SignatureProfile(choice, other, parameterRules, window, bodyRule, fieldTypes);
  }

  private SignatureProfile with(ParameterRules other) {
    return new SignatureProfile(choice, coverage, other, window, bodyRule, fieldTypes);
  }

  private SignatureProfile with(TimeWindow other) {
    return new SignatureProfile(choice, coverage, parameterRules, other, bodyRule, fieldTypes);
  }

  private SignatureProfile with(ExpectedBody.BodyRule other) {
    return new SignatureProfile(choice, coverage, parameterRules, window, other, fieldTypes);
  }

  /** The last instant at which a signature made at {@code created} is accepted. */
  public Instant endOf(Instant created) {
    return window.endOf(created);
  }

  /** The label that a signer with this profile uses: {@code sig} unless another label is set. */
  public String label() {
    return choice.label().orElse("sig");
  }

  /** The fields that are known to be structured, with their types. */
  public StructuredFieldRegistry fieldTypes() {
    return fieldTypes;
  }

  TimeWindow window() {
    return window;
  }

  ExpectedBody.BodyRule bodyRule() {
    return bodyRule;
  }

  ParameterRules parameterRules() {
    return parameterRules;
  }

  Coverage coverage() {
    return coverage;
  }

  Optional<String> tag() {
    return choice.tag();
  }

  /**
   * Reads the signature of a message from Signature-Input and Signature. Each check returns the
   * object that has the next check as a method, so no check can be skipped.
   *
   * @throws VerificationException {@link VerificationFailure#SIGNATURE_MISSING}, {@link
   *     VerificationFailure#SIGNATURE_MALFORMED}, {@link VerificationFailure#LABEL_MISSING} or
   *     {@link VerificationFailure#SIGNATURE_AMBIGUOUS}
   */
  public ClaimedSignature read(HttpMessage message) {
    SignatureFields fields = SignatureFields.of(message);
    return new ClaimedSignature(this, message, fields, choice.in(fields));
  }

  /**
   * Checks the components and parameters of a signature.
   *
   * @throws VerificationException when the components or parameters are not those that this profile
   *     requires
   */
  void checkInput(HttpMessage message, SignatureInput input) {
    coverage.check(input.components(), message);
    parameterRules.check(input.parameters(), choice.tag());
  }

  /**
   * Checks the times and the Content-Digest of a message that was just signed.
   *
   * @throws VerificationException when this profile would refuse the message
   */
  void checkSigned(HttpMessage message, SignatureInput input, Instant created) {
    new ReceivedSignature(this, message, label(), input, input.signatureParams(), new byte[0])
        .checkTime(created)
        .checkDigest();
  }

  /**
   * The value of Accept-Signature to send in answer to a message. It names the components and
   * parameters that the signature of the message should have had (RFC 9421 section 5.1).
   */
  public String acceptSignature(HttpMessage message) {
    return requestFor(message).toString();
  }

  /**
   * Describes the signature that a message should have had, to request it for the next message. The
   * caller adds a nonce and any parameters that this library does not know. The requested
   * components depend on whether the given message has a body. If the message has not arrived yet,
   * like the response to a request, write a {@link SignatureRequest} instead.
   */
  public SignatureRequest requestFor(HttpMessage message) {
    SignatureRequest request = SignatureRequest.of(label(), coverage.required(message));
    for (String name : SignatureParameters.NAMES) {
      if (parameterRules.required().contains(name)) {
        request = requestParameter(request, name);
      }
    }
    if (choice.tag().isPresent()) {
      request = request.withTag(choice.tag().get());
    }
    return request;
  }

  private SignatureRequest requestParameter(SignatureRequest request, String name) {
    return switch (name) {
      case "created" -> request.withCreated();
      case "expires" -> request.withExpires();
      case "keyid" -> request.withAnyKeyid();
      case "alg" -> parameterRules.onlyAlg().map(request::withAlg).orElseGet(request::withAnyAlg);
      default -> request;
    };
  }
}
