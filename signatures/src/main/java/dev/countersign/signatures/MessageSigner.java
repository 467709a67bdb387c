package dev.countersign.signatures;

import dev.countersign.signatures.fields.ByteSequence;
import dev.countersign.signatures.fields.Dictionary;
import dev.countersign.signatures.fields.FieldParseException;
import java.time.Instant;
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
 * <p>The message already carries what is covered: its Date, made from the same instant, and its
 * Content-Digest when it has a body. {@link SignableRequest} makes such a request from its parts.
 */
public final class MessageSigner {
  private final SignatureProfile profile;
  private final SigningKey key;

  /**
   * A signer.
   *
   * @throws IllegalArgumentException when the profile does not take the key's algorithm
   */
  public MessageSigner(SignatureProfile profile, SigningKey key) {
    if (!profile.parameterRules().algorithms().contains(key.algorithm())) {
      throw new IllegalArgumentException(
          "the profile does not take keys for " + key.algorithm().displayName());
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
   * Signs a message with what the profile covers and says.
   *
   * @param created the signing time, of which whole seconds are sent
   * @throws IllegalArgumentException when the message lacks a component that the profile covers,
   *     has one whose value cannot be covered, has a signature of this label already, or would be
   *     refused by the profile for its Date or Content-Digest
   */
  public SignedFields sign(HttpMessage message, Instant created) {
    SignatureInput input = profile.inputFor(message, created, key);
    SignedFields fields = sign(message, profile.label(), input);
    try {
      profile.checkSigned(message, input, created);
    } catch (VerificationException e) {
      throw unsignable(e);
    }
    return fields;
  }

  /**
   * Signs a message with components and parameters of the caller's choice. Signatures that the
   * message has already stay as they are; send the new fields beside them.
   *
   * @throws IllegalArgumentException as the other method, and when {@code keyid} or {@code alg} are
   *     not those of the key
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
   * Makes one of the signatures that an Accept-Signature asks for (RFC 9421 section 5.2), if it is
   * one that the signer's own profile takes: what strangers ask for is not signed for the asking.
   * It says {@code created} and {@code keyid}, asked for or not.
   *
   * @param message the target message: the response to the request that asked, or the next request
   * @throws AcceptSignatureException when the message or this signer cannot give what is asked for
   */
  public SignedFields answer(SignatureRequest request, HttpMessage message, Instant created) {
    SignatureInput input = request.answeredBy(key, created, profile.endOf(created));
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
          "the signer's own profile does not take it: " + e.getMessage());
    }
    return sign(message, request.label(), input);
  }

  /** RFC 9421 section 4: a label is unique within a message, in either field. */
  private static void checkLabel(HttpMessage message, String label) {
    Label.check(label);
    for (String field : List.of("signature-input", "signature")) {
      List<String> lines = message.fieldLines(field);
      if (!lines.isEmpty() && labels(field, lines).contains(label)) {
        throw new IllegalArgumentException(
            "the message has a signature labelled " + label + " already; choose another label");
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
      throw new IllegalArgumentException("keyid is not that of the key, which is " + key.keyid());
    }
    if (parameters.alg().isPresent() && !key.algorithm().isNamed(parameters.alg().get())) {
      throw new IllegalArgumentException(
          "alg is not that of the key, which is for " + key.algorithm().displayName());
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
