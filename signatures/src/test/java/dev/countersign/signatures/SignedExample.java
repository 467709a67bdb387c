package dev.countersign.signatures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.countersign.signatures.base.ComponentIdentifier;
import dev.countersign.signatures.base.HttpMessage;
import dev.countersign.signatures.base.SignatureInput;
import dev.countersign.signatures.base.SignatureParameters;
import dev.countersign.signatures.base.VerificationException;
import dev.countersign.signatures.base.VerificationFailure;
import dev.countersign.signatures.keys.TestedProvider;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.function.UnaryOperator;

/**
 * A signature that RFC 9421 prints, with the message that it is added to and the base over which it
 * was made.
 *
 * @param unsigned the message without this signature; there may be others
 * @param input the member of Signature-Input
 * @param signature the member of Signature
 * @param profile as strict as the example allows
 */
record SignedExample(
    HttpMessage unsigned, String input, String signature, String base, SignatureProfile profile) {

  /**
   * Creates a profile that accepts exactly the components of a base, in its order, and the same
   * parameters.
   */
  static SignatureProfile exactly(String label, String base) {
    SignatureInput input = SignatureInput.parse(ExpectedBase.signatureParams(base));
    SignatureProfile profile =
        SignatureProfile.covering(input.components()).withNothingElseCovered().withLabel(label);
    for (String name : SignatureParameters.NAMES) {
      profile =
          input.parameters().has(name)
              ? profile.withRequiredParameters(name)
              : profile.withForbiddenParameters(name);
    }
    return profile;
  }

  /** Returns this example with another profile. */
  SignedExample with(UnaryOperator<SignatureProfile> change) {
    return new SignedExample(unsigned, input, signature, base, change.apply(profile));
  }

  HttpMessage signed() {
    return unsigned instanceof WireRequest request
        ? request.plus("Signature-Input", input).plus("Signature", signature)
        : ((WireResponse) unsigned).plus("Signature-Input", input).plus("Signature", signature);
  }

  private Instant created() {
    return Instant.ofEpochSecond(signatureInput().parameters().created().orElseThrow());
  }

  private SignatureInput signatureInput() {
    return SignatureInput.parse(input.substring(input.indexOf('=') + 1));
  }

  /** Verifies at the time when the example was signed. */
  VerifiedSignature verify(HttpMessage message, TestedProvider provider) {
    return verifier(Duration.ZERO, provider).verify(message, body(message));
  }

  MessageVerifier verifier(Duration later, TestedProvider provider) {
    return new MessageVerifier(
        profile,
        Rfc9421Keys.lookup(provider),
        Clock.fixed(created().plus(later), ZoneOffset.UTC),
        provider.get());
  }

  private static byte[] body(HttpMessage message) {
    return message instanceof WireRequest request
        ? request.body()
        : ((WireResponse) message).body();
  }

  /** Checks that the base is the printed one, and that the signature verifies over it. */
  void assertVerified(TestedProvider provider) {
    ExpectedBase.assertBase(unsigned, base);
    VerifiedSignature verified = verify(signed(), provider);
    assertThat(verified.base().text()).isEqualTo(base);
    assertThat(verified.label()).isEqualTo(profile.label());
    assertThat(verified.components()).isEqualTo(signatureInput().components());
    assertThat(verified.parameters()).isEqualTo(signatureInput().parameters());
  }

  /** Checks that no change to the covered parts or to the signature verifies. */
  void assertGuarded(TestedProvider provider) {
    for (ComponentIdentifier component : signatureInput().components()) {
      assertMismatch(component.serialize(), Tampering.withOther(component, signed()), provider);
    }
    String label = profile.label();
    assertMismatch("created", Tampering.withOtherCreated(label, signed()), provider);
    assertMismatch("signature", Tampering.withOtherSignature(label, signed()), provider);
    if (signatureInput().covers(ComponentIdentifier.of("content-digest"))) {
      VerificationException refusal = refusal(Tampering.withOtherBody(signed()), provider);
      assertThat(refusal.failure()).isEqualTo(VerificationFailure.DIGEST_MISMATCH);
    }
  }

  private void assertMismatch(String changed, HttpMessage message, TestedProvider provider) {
    assertThat(refusal(message, provider).failure())
        .as(changed)
        .isEqualTo(VerificationFailure.SIGNATURE_MISMATCH);
  }

  VerificationException refusal(HttpMessage message, TestedProvider provider) {
    return refusal(message, Duration.ZERO, provider);
  }

  VerificationException refusal(HttpMessage message, Duration later, TestedProvider provider) {
    MessageVerifier verifier = verifier(later, provider);
    VerificationException refusal =
        catchThrowableOfType(
            VerificationException.class, () -> verifier.verify(message, body(message)));
    assertThat(refusal).as("a refusal of " + message).isNotNull();
    return refusal;
  }

  /** Checks that we make the printed signature; for algorithms without randomness. */
  void assertReproduced(TestedProvider provider) {
    SignedFields fields = sign(provider);
    assertThat(fields.base().text()).isEqualTo(base);
    assertThat(fields.signatureInput()).isEqualTo(input);
    assertThat(fields.signature()).isEqualTo(signature);
  }

  /** Checks that our signature verifies like the example; for algorithms with randomness. */
  void assertSignedAnew(TestedProvider provider) {
    SignedFields fields = sign(provider);
    assertThat(fields.base().text()).isEqualTo(base);
    assertThat(fields.signatureInput()).isEqualTo(input);
    assertThat(fields.signature()).isNotEqualTo(signature);
    new SignedExample(unsigned, input, fields.signature(), base, profile).assertVerified(provider);
  }

  private SignedFields sign(TestedProvider provider) {
    String keyid = signatureInput().parameters().keyid().orElseThrow();
    return new MessageSigner(profile, Rfc9421Keys.signingKey(keyid, provider))
        .sign(unsigned, profile.label(), signatureInput());
  }
}
