package dev.countersign.signatures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.countersign.signatures.AcceptSignatureException.Reason;
import dev.countersign.signatures.base.ComponentIdentifier;
import dev.countersign.signatures.base.HttpMessage;
import dev.countersign.signatures.base.SignatureInput;
import dev.countersign.signatures.base.VerificationException;
import dev.countersign.signatures.base.VerificationFailure;
import dev.countersign.signatures.digest.DigestAlgorithm;
import dev.countersign.signatures.keys.TestedProvider;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The example of RFC 9421, section 5: a signature is requested, made and verified. */
class Rfc9421NegotiationTest {
  private static final Instant NOW = Instant.ofEpochSecond(1618884475);

  private static final String FIELD =
      Rfc8792.unfold(
          """
          sig1=("@method" "@target-uri" "@authority" \\
            "content-digest" "cache-control");\\
            keyid="test-key-rsa-pss";created;tag="app-123"\
          """);

  private static final SignatureRequest ASKED =
      AcceptSignature.parse(List.of(FIELD)).requests().get(0);

  private static final SignatureProfile PROFILE =
      SignatureProfile.covering(ASKED.components())
          .withNothingElseCovered()
          .withLabel("sig1")
          .withTag("app-123")
          .withForbiddenParameters("expires", "nonce", "alg")
          .withAlgorithms(SignatureAlgorithm.RSA_PSS_SHA512)
          .withDigestAlgorithm(DigestAlgorithm.SHA_512);

  /** The request of the other examples, with the requested field added. */
  private static final WireRequest NEXT_REQUEST =
      WireRequest.parse(
          Rfc8792.unfold(
              """
              POST /foo?param=Value&Pet=dog HTTP/1.1
              Host: example.com
              Date: Tue, 20 Apr 2021 02:07:55 GMT
              Cache-Control: max-age=60
              Content-Type: application/json
              Content-Digest: sha-512=:WZDPaVn/7XgHaAy8pmojAkGWoRx2UFChF41A2svX+T\\
                aPm+AbwAgBWnrIiYllu7BNNyealdVLvRwEmTHWXvJwew==:
              Content-Length: 18

              {"hello": "world"}"""));

  @Test
  void rfc9421_5_1_acceptSignature_isReadAndWritten() {
    List<ComponentIdentifier> components =
        Stream.of("@method", "@target-uri", "@authority", "content-digest", "cache-control")
            .map(ComponentIdentifier::of)
            .toList();
    AcceptSignature read = AcceptSignature.parse(List.of(FIELD));

    assertThat(read.requests()).hasSize(1);
    assertThat(ASKED.label()).isEqualTo("sig1");
    assertThat(ASKED.components()).isEqualTo(components);
    assertThat(ASKED.parameters().serialize())
        .isEqualTo(";keyid=\"test-key-rsa-pss\";created;tag=\"app-123\"");
    assertThat(read.serialize()).isEqualTo(FIELD);
    assertThat(
            SignatureRequest.of("sig1", components)
                .withKeyid("test-key-rsa-pss")
                .withCreated()
                .withTag("app-123"))
        .hasToString(FIELD);
  }

  @ParameterizedTest
  @EnumSource
  void rfc9421_5_2_answer_hasTheLabelTheComponentsAndTheParameters(TestedProvider provider) {
    SignedFields answer = answer(NEXT_REQUEST, "test-key-rsa-pss", provider);
    assertThat(answer.signatureInput())
        .isEqualTo(
            Rfc8792.unfold(
                """
                sig1=("@method" "@target-uri" "@authority" \\
                  "content-digest" "cache-control");\\
                  keyid="test-key-rsa-pss";created=1618884475;tag="app-123"\
                """));
    WireRequest signed = with(NEXT_REQUEST, answer);
    assertThat(verifier(PROFILE, provider).verify(signed, signed.body()).components())
        .isEqualTo(ASKED.components());
  }

  @ParameterizedTest
  @EnumSource
  void rfc9421_5_2_answer_changedOnTheWay_isRefused(TestedProvider provider) {
    WireRequest signed = with(NEXT_REQUEST, answer(NEXT_REQUEST, "test-key-rsa-pss", provider));
    for (ComponentIdentifier component : ASKED.components()) {
      HttpMessage changed = Tampering.withOther(component, signed);
      VerificationException refusal =
          catchThrowableOfType(
              VerificationException.class,
              () -> verifier(PROFILE, provider).verify(changed, signed.body()));
      assertThat(refusal).as(component.serialize()).isNotNull();
      assertThat(refusal.failure()).isEqualTo(VerificationFailure.SIGNATURE_MISMATCH);
    }
  }

  @ParameterizedTest
  @EnumSource
  void rfc9421_5_2_answer_withAnotherKey_isNotGiven(TestedProvider provider) {
    assertNotGiven(Reason.NOT_FULFILLABLE, ASKED, NEXT_REQUEST, "test-key-ed25519", provider);
  }

  @ParameterizedTest
  @EnumSource
  void rfc9421_5_2_answer_withoutAComponentThatIsAskedFor_isNotGiven(TestedProvider provider) {
    assertNotGiven(
        Reason.NOT_APPLICABLE,
        ASKED,
        NEXT_REQUEST.without("Cache-Control"),
        "test-key-rsa-pss",
        provider);
  }

  /**
   * Section 5 names the status of a request as an example of a component that cannot be requested.
   */
  @ParameterizedTest
  @EnumSource
  void rfc9421_5_status_ofARequest_isNotGiven(TestedProvider provider) {
    SignatureRequest status =
        SignatureRequest.of("sig1", List.of(ComponentIdentifier.of("@status"))).withCreated();
    assertNotGiven(Reason.NOT_APPLICABLE, status, NEXT_REQUEST, "test-key-rsa-pss", provider);
  }

  /** Section 5.2: a second signature over the output of the first covers more. */
  @ParameterizedTest
  @EnumSource
  void rfc9421_5_2_secondSignature_coversMoreAndTheFirst(TestedProvider provider) {
    WireRequest answered = with(NEXT_REQUEST, answer(NEXT_REQUEST, "test-key-rsa-pss", provider));
    SignatureInput more =
        SignatureInput.parse(
            """
            ("content-digest" "content-type" "signature";key="sig1");\
            created=1618884475;keyid="test-key-ed25519"\
            """);
    SignatureProfile second = SignatureProfile.covering(more.components()).withLabel("sig2");
    SignedFields fields =
        new MessageSigner(second, Rfc9421Keys.signingKey("test-key-ed25519", provider))
            .sign(answered, "sig2", more);
    WireRequest signed = with(answered, fields);

    assertThat(fields.base().text())
        .contains(
            "\n\"signature\";key=\"sig1\": " + answered.value("signature").substring(5) + '\n');
    assertThat(verifier(PROFILE, provider).verify(signed, signed.body()).label()).isEqualTo("sig1");
    assertThat(verifier(second, provider).verify(signed, signed.body()).label()).isEqualTo("sig2");
  }

  private static void assertNotGiven(
      Reason reason,
      SignatureRequest asked,
      WireRequest message,
      String keyid,
      TestedProvider provider) {
    MessageSigner signer = signer(keyid, provider);
    AcceptSignatureException refusal =
        catchThrowableOfType(
            AcceptSignatureException.class, () -> signer.answer(asked, message, NOW));
    assertThat(refusal).isNotNull();
    assertThat(refusal.reason()).isEqualTo(reason);
  }

  private static SignedFields answer(WireRequest message, String keyid, TestedProvider provider) {
    return signer(keyid, provider).answer(ASKED, message, NOW);
  }

  private static MessageSigner signer(String keyid, TestedProvider provider) {
    SigningKey key = Rfc9421Keys.signingKey(keyid, provider);
    return new MessageSigner(PROFILE.withAlgorithms(key.algorithm()), key);
  }

  private static WireRequest with(WireRequest message, SignedFields fields) {
    return message
        .plus("Signature-Input", fields.signatureInput())
        .plus("Signature", fields.signature());
  }

  private static MessageVerifier verifier(SignatureProfile profile, TestedProvider provider) {
    return new MessageVerifier(
        profile, Rfc9421Keys.lookup(provider), Clock.fixed(NOW, ZoneOffset.UTC), provider.get());
  }
}
