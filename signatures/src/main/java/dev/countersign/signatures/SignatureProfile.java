package dev.countersign.signatures;

import dev.countersign.signatures.BodyRule.Need;
import dev.countersign.signatures.Coverage.When;
import dev.countersign.signatures.digest.DigestAlgorithm;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

/**
 * What an application demands of a signature (RFC 9421 section 1.4).
 *
 * <p>A profile begins with the components that it needs:
 *
 * <pre>{@code
 * SignatureProfile profile =
 *     SignatureProfile.covering("@method", "@authority", "@path")
 *         .withTag("payments")
 *         .withAlgorithms(SignatureAlgorithm.ED25519);
 * }</pre>
 *
 * <p>As it stands, such a profile takes the one signature of a message whose {@code created} is at
 * most 300 s old and at most 30 s ahead, which names its key by {@code keyid}, and which covers
 * Content-Digest where there is a body. Methods that begin with {@code with} make it narrower or
 * different; each one that begins with {@code allow} gives something up and says what.
 *
 * <p>The checks come in the order of their cost. A caller that needs nothing in between uses {@link
 * MessageVerifier}, which runs them all.
 */
public final class SignatureProfile {
  private static final ComponentIdentifier CONTENT_DIGEST =
      ComponentIdentifier.of("content-digest");
  private static final ComponentIdentifier DATE = ComponentIdentifier.of("date");

  private final SignatureChoice choice;
  private final Coverage coverage;
  private final ParameterRules parameterRules;
  private final TimeWindow window;
  private final BodyRule bodyRule;
  private final FieldTypes fieldTypes;

  private SignatureProfile(
      SignatureChoice choice,
      Coverage coverage,
      ParameterRules parameterRules,
      TimeWindow window,
      BodyRule bodyRule,
      FieldTypes fieldTypes) {
    this.choice = choice;
    this.coverage = coverage;
    this.parameterRules = parameterRules;
    this.window = window;
    this.bodyRule = bodyRule;
    this.fieldTypes = fieldTypes;
  }

  /** A profile that demands at least these components, named without parameters. */
  public static SignatureProfile covering(String... names) {
    return covering(Stream.of(names).map(ComponentIdentifier::of).toList());
  }

  /**
   * A profile that demands at least these components, each with its parameters: {@code
   * "content-digest";req} is not met by {@code "content-digest"}. With none, a message without a
   * body may have a signature that covers nothing but its own parameters.
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
        SignatureChoice.THE_ONLY_ONE,
        coverage,
        ParameterRules.requiring("created", "keyid"),
        TimeWindow.STANDARD,
        BodyRule.of(Need.WITH_BODY),
        FieldTypes.registered());
  }

  /**
   * This profile for the signature with this label, among however many others.
   *
   * @throws IllegalArgumentException for a label that is no key of a dictionary
   */
  public SignatureProfile withLabel(String label) {
    return with(choice.withLabel(label));
  }

  /**
   * This profile for the only signature of the message, whatever its label. Signatures with the
   * labels given are passed over: they are made for something else than this profile.
   *
   * @throws IllegalArgumentException for a label that is no key of a dictionary
   */
  public SignatureProfile withAnyLabelExcept(String... passedOver) {
    return with(choice.withAnyLabelExcept(passedOver));
  }

  /**
   * This profile for signatures with this tag, which keeps a signature that was made for another
   * application from being taken here (RFC 9421 section 7.2.7). Without a label, the signature is
   * chosen by its tag.
   *
   * @throws IllegalArgumentException for a tag that is not printable ASCII
   */
  public SignatureProfile withTag(String tag) {
    return with(choice.withTag(tag));
  }

  /**
   * This profile, in which a component is covered whenever the message has it: a field, a part of
   * the request with {@code req}, a dictionary's member with {@code key}, a query parameter.
   *
   * @throws IllegalArgumentException for a trailer: whether there is one is known behind the body
   */
  public SignatureProfile withCoveredWhereSent(ComponentIdentifier component) {
    if (component.parameters().contains("tr")) {
      throw new IllegalArgumentException(
          "trailers come behind the body, when it is too late to ask for them; demand the component"
              + " of every message instead");
    }
    return with(coverage.with(component, When.WHERE_SENT));
  }

  /** This profile, in which nothing else may be covered, and in this order. */
  public SignatureProfile withNothingElseCovered() {
    return with(coverage.exactly());
  }

  /** This profile, in which a signature has these parameters as well. */
  public SignatureProfile withRequiredParameters(String... names) {
    return with(parameterRules.withRequired(List.of(names)));
  }

  /**
   * This profile, in which a signature must not have these parameters.
   *
   * @throws IllegalArgumentException for {@code created} or {@code keyid} while it is required:
   *     what is given up without it has a method of its own
   */
  public SignatureProfile withForbiddenParameters(String... names) {
    return with(parameterRules.withForbidden(List.of(names)));
  }

  /**
   * This profile with keys of these algorithms alone. Without it the registered ones are taken, and
   * those of JWS never: they are for applications that agree on one (RFC 9421 section 3.3.7).
   */
  public SignatureProfile withAlgorithms(SignatureAlgorithm... algorithms) {
    return with(parameterRules.withAlgorithms(List.of(algorithms)));
  }

  /** This profile with another age up to which a signature is taken. */
  public SignatureProfile withMaximumAge(Duration age) {
    return with(window.withMaximumAge(age));
  }

  /** This profile with another time by which a signer's clock may be ahead. */
  public SignatureProfile withMaximumSkew(Duration skew) {
    return with(window.withMaximumSkew(skew));
  }

  /**
   * This profile, in which Date is covered and the same instant as {@code created}, one second of
   * rounding either way.
   */
  public SignatureProfile withDateAtCreated() {
    return with(coverage.with(DATE, When.ALWAYS)).with(window.withDateAtCreated());
  }

  /**
   * This profile, in which a Content-Digest has a digest of this algorithm. Without it, one of
   * either algorithm will do; whatever others stand beside it have to match as well.
   */
  public SignatureProfile withDigestAlgorithm(DigestAlgorithm algorithm) {
    return with(bodyRule.withAlgorithm(algorithm));
  }

  /**
   * This profile, in which a message without a body must not have a Content-Digest. By default such
   * a message may carry the digest of an empty body.
   */
  public SignatureProfile withDigestOnlyWithBody() {
    return with(bodyRule.with(Need.EXACTLY_WITH_BODY));
  }

  /** This profile, in which a field is known to be structured (RFC 9421 section 2.1.1). */
  public SignatureProfile withFieldType(String fieldName, FieldType type) {
    return new SignatureProfile(
        choice, coverage, parameterRules, window, bodyRule, fieldTypes.with(fieldName, type));
  }

  /**
   * This profile, which also takes a signature that does not cover Date. What is given up is small:
   * {@code created} is signed and says the same.
   */
  public SignatureProfile allowMissingDate() {
    return with(coverage.replace(DATE, When.OPTIONAL));
  }

  /**
   * This profile, which also takes a signature without {@code created}. What is given up: nobody
   * can tell how old it is, so it can be sent again for ever unless {@code expires} or a nonce
   * prevents it, and a covered Date is compared with nothing.
   */
  public SignatureProfile allowMissingCreated() {
    return with(parameterRules.withoutRequired("created"));
  }

  /**
   * This profile, which also takes a signature that does not name its key. What is given up: the
   * key is whatever {@link KeyLookup#findWithoutKeyid()} answers.
   */
  public SignatureProfile allowMissingKeyid() {
    return with(parameterRules.withoutRequired("keyid"));
  }

  /**
   * This profile, which also takes a body without a Content-Digest, or with one that is not
   * covered. What is given up: the body may have been replaced on the way. A Content-Digest that is
   * {@linkplain #withCoveredWhereSent covered where sent} stays so.
   *
   * @throws IllegalStateException where the profile demands Content-Digest of every message: no
   *     body would be unsigned
   */
  public SignatureProfile allowUnsignedBody() {
    coverage
        .demanded(component -> component.isWhole(CONTENT_DIGEST.name()))
        .ifPresent(
            demanded -> {
              throw new IllegalStateException(
                  "the profile demands "
                      + demanded
                      + " of every message, which leaves no body unsigned; name it in"
                      + " withCoveredWhereSent(…) instead of covering(…), or do not allow unsigned"
                      + " bodies");
            });
    return with(coverage.loosen(CONTENT_DIGEST, When.WITH_BODY)).with(bodyRule.with(Need.NEVER));
  }

  /**
   * This profile, which also takes a signature over {@code @signature-params} as spelled in
   * Signature-Input, blanks included. RFC 9421 sections 2.3 and 3.2 sign its serialization alone;
   * for most signers the two texts are one.
   *
   * <p>The text as received is tried first. Where it did not verify and the serialization differs
   * from it, the serialization is tried, which costs one more operation for each key. What is given
   * up is small: both texts parse to the same components and parameters, and {@link
   * VerifiedSignature#base()} is always the base that verified, so respelling a recorded
   * Signature-Input yields the same base.
   */
  public SignatureProfile allowSignatureParamsAsReceived() {
    return with(parameterRules.withAsReceived());
  }

  private SignatureProfile with(SignatureChoice other) {
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

  private SignatureProfile with(BodyRule other) {
    return new SignatureProfile(choice, coverage, parameterRules, window, other, fieldTypes);
  }

  /** The last instant at which a signature made at {@code created} is taken. */
  public Instant endOf(Instant created) {
    return window.endOf(created);
  }

  /** The label under which a signer of this profile signs: {@code sig} unless it has another. */
  public String label() {
    return choice.label().orElse("sig");
  }

  /** Which fields are structured. */
  public FieldTypes fieldTypes() {
    return fieldTypes;
  }

  TimeWindow window() {
    return window;
  }

  BodyRule bodyRule() {
    return bodyRule;
  }

  ParameterRules parameterRules() {
    return parameterRules;
  }

  /**
   * Reads the signature of a message from its two fields. Each further check is a method of what
   * the one before it returned, so that none can be left out.
   *
   * @throws VerificationException {@link Failure#SIGNATURE_MISSING}, {@link
   *     Failure#SIGNATURE_MALFORMED}, {@link Failure#LABEL_MISSING} or {@link
   *     Failure#SIGNATURE_AMBIGUOUS}
   */
  public ClaimedSignature read(HttpMessage message) {
    SignatureFields fields = SignatureFields.of(message);
    return new ClaimedSignature(this, message, fields, choice.in(fields));
  }

  /**
   * Checks what a signature covers and says.
   *
   * @throws VerificationException when it is not what this profile demands
   */
  void checkInput(HttpMessage message, SignatureInput input) {
    coverage.check(input.components(), message);
    parameterRules.check(input.parameters(), choice.tag());
  }

  /**
   * Checks what a message that has just been signed says of its time and body.
   *
   * @throws VerificationException when this profile would refuse it
   */
  void checkSigned(HttpMessage message, SignatureInput input, Instant created) {
    new ReceivedSignature(this, message, label(), input, input.signatureParams(), new byte[0])
        .checkTime(created)
        .checkDigest();
  }

  /** What a signer of this profile covers and says, given what the message carries. */
  SignatureInput inputFor(HttpMessage message, Instant created, SigningKey key) {
    SignatureParameters parameters = SignatureParameters.none();
    for (String name : SignatureParameters.NAMES) {
      if (parameterRules.isSaid(name)) {
        parameters = said(parameters, name, created, key);
      }
    }
    if (choice.tag().isPresent()) {
      parameters = parameters.withTag(choice.tag().get());
    }
    parameterRules.requireAll(parameters);
    return new SignatureInput(coverage.toSign(message), parameters);
  }

  private SignatureParameters said(
      SignatureParameters parameters, String name, Instant created, SigningKey key) {
    return switch (name) {
      case "created" -> parameters.withCreated(created);
      case "expires" -> parameters.withExpires(endOf(created));
      case "nonce" -> parameters.withNonce(Nonces.next());
      case "keyid" -> parameters.withKeyid(key.keyid());
      case "alg" -> parameters.withAlg(key.algorithm().registeredName().orElseThrow());
      default -> parameters;
    };
  }

  /**
   * What to send in Accept-Signature in answer to a message: the components and parameters that it
   * should have had (RFC 9421 section 5.1).
   */
  public String acceptSignature(HttpMessage message) {
    return requestFor(message).toString();
  }

  /**
   * The signature that a message should have had, to be asked for the next time. A nonce, and
   * parameters that this library does not know, are for the caller to add. For a message that has
   * not come yet, such as the response to a request, write a {@link SignatureRequest} instead: what
   * it will cover depends on whether it has a body.
   */
  public SignatureRequest requestFor(HttpMessage message) {
    SignatureRequest request = SignatureRequest.of(label(), coverage.required(message));
    for (String name : SignatureParameters.NAMES) {
      if (parameterRules.required().contains(name)) {
        request = asked(request, name);
      }
    }
    if (choice.tag().isPresent()) {
      request = request.withTag(choice.tag().get());
    }
    return request;
  }

  private SignatureRequest asked(SignatureRequest request, String name) {
    return switch (name) {
      case "created" -> request.withCreated();
      case "expires" -> request.withExpires();
      case "keyid" -> request.withAnyKeyid();
      case "alg" -> parameterRules.onlyAlg().map(request::withAlg).orElseGet(request::withAnyAlg);
      default -> request;
    };
  }
}
