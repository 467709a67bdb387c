package dev.countersign.signatures;

import dev.countersign.signatures.base.HttpMessage;
import dev.countersign.signatures.base.SignatureBase;
import dev.countersign.signatures.base.SignatureInput;
import dev.countersign.signatures.base.SignatureParameters;
import dev.countersign.signatures.base.VerificationException;
import dev.countersign.signatures.fields.ByteSequence;
import dev.countersign.signatures.fields.Dictionary;
import dev.countersign.signatures.fields.FieldParseException;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Set;

/**
 * Signs messages with one key under one profile (RFC 9421 section 3.1).
 *
 * <pre>{@code
 * MessageSigner signer =
 *     new MessageSigner(SignatureProfile.covering("@method", "@target-uri", "date"), key);
 * SignedFields fields = signer.sign(request, clock.instant());
 * }</pre>
 *
 * <p>The message must already have every field that the signature covers, for example a Date of the
 * same instant as the signature, and a Content-Digest if there is a body. {@link SignableRequest}
 * builds such a request from its parts.
 */
public final class MessageSigner {
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final int NONCE_BYTES = 16;

  private final SignatureProfile profile;
  private final SigningKey key;

  /**
   * Creates a signer.
   *
   * @throws IllegalArgumentException when the profile does not accept the key's algorithm; or when
   *     the profile requires {@code alg} and the key's algorithm has no value for it, because it is
   *     a JWS algorithm
   */
  public MessageSigner(SignatureProfile profile, SigningKey key) {
    if (!profile.parameterRules().algorithms().contains(key.algorithm())) {
      throw new IllegalArgumentException(
          "the profile does not accept keys for " + key.algorithm().displayName());
    }
    if (profile.parameterRules().required().contains("alg")
        && key.algorithm().registeredName().isEmpty()) {
      throw new IllegalArgumentException(
          "the profile requires alg, which " + key.algorithm().displayName() + " does not have");
    }
    this.profile = profile;
    this.key = key;
  }

  /**
   * Signs a message with the components and parameters of the profile.
   *
   * @param created the signing time; only its whole seconds are sent
   * @throws IllegalArgumentException when the message lacks a component that the profile covers,
   *     has a component whose value cannot be covered, already has a signature with the profile's
   *     label, or has a Date or Content-Digest that the profile would refuse
   */
  public SignedFields sign(HttpMessage message, Instant created) {
    SignatureInput input = inputFor(message, created);
    SignedFields fields = sign(message, profile.label(), input);
    try {
      profile.checkSigned(message, input, created);
    } catch (VerificationException e) {
      throw unsignable(e);
    }
    return fields;
  }

  /**
   * Signs a message with components and parameters of the caller's choice. Existing signatures of
   * the message do not change; send the new fields in addition to the existing fields.
   *
   * @throws IllegalArgumentException when the message lacks a component, has a component whose
   *     value cannot be covered, or already has a signature with this label; when the label is not
   *     a dictionary key; or when {@code keyid} or {@code alg} does not match the key
   */
  public SignedFields sign(HttpMessage message, String label, SignatureInput input) {
    checkLabel(message, label);
    checkKey(input.parameters());
    SignatureBase base = base(message, input);
    return new SignedFields(
        label + '=' + input.signatureParams(),
        label + '=' + ByteSequence.of(key.sign(base)).serialize(),
        base);
  }

  /**
   * Makes one of the signatures that an Accept-Signature asks for (RFC 9421 section 5.2). The
   * signer's own profile must accept the signature, because anyone can send a request for
   * signatures. The signature always has {@code created} and {@code keyid}, even if the request
   * does not ask for them.
   *
   * @param message the message to sign: the response to the request that had Accept-Signature, or
   *     the next request
   * @throws AcceptSignatureException when the message or this signer cannot provide what the
   *     request asks for
   */
  public SignedFields answer(SignatureRequest request, HttpMessage message, Instant created) {
    SignatureInput input = request.signatureInputFor(key, created, profile.endOf(created));
    try {
      checkLabel(message, request.label());
      base(message, input);
    } catch (IllegalArgumentException e) {
      throw new AcceptSignatureException(
          AcceptSignatureException.Reason.NOT_APPLICABLE, String.valueOf(e.getMessage()));
    }
    try {
      profile.checkInput(message, input);
    } catch (VerificationException e) {
      throw new AcceptSignatureException(
          AcceptSignatureException.Reason.NOT_FULFILLABLE,
          "the signer's own profile does not accept it: " + e.getMessage());
    }
    return sign(message, request.label(), input);
  }

  /** Returns the components and parameters that the profile requires of this message. */
  private SignatureInput inputFor(HttpMessage message, Instant created) {
    ParameterRules rules = profile.parameterRules();
    SignatureParameters parameters = SignatureParameters.none();
    for (String name : SignatureParameters.NAMES) {
      if (rules.isSent(name)) {
        parameters = withParameter(parameters, name, created);
      }
    }
    if (profile.tag().isPresent()) {
      parameters = parameters.withTag(profile.tag().get());
    }
    rules.requireAll(parameters);
    return new SignatureInput(profile.coverage().toSign(message), parameters);
  }

  private SignatureParameters withParameter(
      SignatureParameters parameters, String name, Instant created) {
    return switch (name) {
      case "created" -> parameters.withCreated(created);
      case "expires" -> parameters.withExpires(profile.endOf(created));
      case "nonce" -> parameters.withNonce(nonce());
      case "keyid" -> parameters.withKeyid(key.keyid());
      case "alg" -> parameters.withAlg(key.algorithm().registeredName().orElseThrow());
      default -> parameters;
    };
  }

  /** Returns a new nonce (RFC 9421 section 2.3): 128 random bits in base64url. */
  private static String nonce() {
    byte[] bytes = new byte[NONCE_BYTES];
    RANDOM.nextBytes(bytes);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  /**
   * RFC 9421 section 4: a label is unique within a message, in Signature-Input and in Signature.
   */
  private static void checkLabel(HttpMessage message, String label) {
    Label.check(label);
    for (String field : List.of("signature-input", "signature")) {
      List<String> lines = message.fieldLines(field);
      if (!lines.isEmpty() && labels(field, lines).contains(label)) {
        throw new IllegalArgumentException(
            "the message already has a signature labelled " + label + "; choose another label");
      }
    }
  }

  private static Set<String> labels(String field, List<String> lines) {
    try {
      return Dictionary.parse(lines).keys();
    } catch (FieldParseException e) {
      throw new IllegalArgumentException(
          "the message has a field " + field + " that cannot be read: " + e.getMessage(), e);
    }
  }

  private void checkKey(SignatureParameters parameters) {
    if (!parameters.keyid().orElse(key.keyid()).equals(key.keyid())) {
      throw new IllegalArgumentException("keyid must be the keyid of the key, " + key.keyid());
    }
    if (parameters.alg().isPresent() && !key.algorithm().isNamed(parameters.alg().get())) {
      throw new IllegalArgumentException(
          "alg must name the algorithm of the key, " + key.algorithm().displayName());
    }
  }

  private SignatureBase base(HttpMessage message, SignatureInput input) {
    try {
      return SignatureBase.of(input, message, profile.fieldTypes());
    } catch (VerificationException e) {
      throw unsignable(e);
    }
  }

  private static IllegalArgumentException unsignable(VerificationException e) {
    return new IllegalArgumentException("the message cannot be signed: " + e.getMessage(), e);
  }
}
