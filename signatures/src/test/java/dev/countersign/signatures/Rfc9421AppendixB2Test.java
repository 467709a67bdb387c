package dev.countersign.signatures;

import static dev.countersign.signatures.digest.DigestAlgorithm.SHA_512;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.countersign.signatures.base.HttpMessage;
import dev.countersign.signatures.base.VerificationException;
import dev.countersign.signatures.base.VerificationFailure;
import dev.countersign.signatures.keys.TestedProvider;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** The test cases of RFC 9421, appendix B.2. */
class Rfc9421AppendixB2Test {
  private final JsonNode vectors = Vectors.json("rfc9421", "appendix-b.json");

  @ParameterizedTest
  @EnumSource
  void rfc9421_B21_minimal(TestedProvider provider) {
    SignedExample example = minimal();
    example.assertVerified(provider);
    example.assertGuarded(provider);
    example.assertSignedAnew(provider);
  }

  /** Nothing is covered: only the nonce prevents the signature from being sent again. */
  @ParameterizedTest
  @EnumSource
  void rfc9421_B21_minimal_onAnotherMessage_isTakenOnce(TestedProvider provider) {
    SignedExample example = minimal();
    Set<String> used = new HashSet<>();
    MessageVerifier verifier =
        example
            .verifier(Duration.ZERO, provider)
            .withNonceRegister((keyid, nonce, end) -> used.add(keyid + nonce));
    WireRequest other =
        ((WireRequest) example.signed()).withMethod("GET").withTargetUri("https://example.org/");

    VerifiedSignature verified = verifier.verify(other, other.body());
    assertThat(verified.components()).isEmpty();
    assertThat(verified.parameters().nonce()).contains("b3k2pp5k7z-50gnwp.yemd");
    WireRequest signed = (WireRequest) example.signed();
    VerificationException again =
        catchThrowableOfType(
            VerificationException.class, () -> verifier.verify(signed, signed.body()));
    assertThat(again.failure()).isEqualTo(VerificationFailure.NONCE_USED);
  }

  @ParameterizedTest
  @EnumSource
  void rfc9421_B22_selective(TestedProvider provider) {
    SignedExample example =
        example("B.2.2")
            .with(profile -> profile.withDigestAlgorithm(SHA_512))
            .with(profile -> profile.withTag("header-example"));
    example.assertVerified(provider);
    example.assertGuarded(provider);
    example.assertSignedAnew(provider);
  }

  @ParameterizedTest
  @EnumSource
  void rfc9421_B22_selective_isFoundByItsTag(TestedProvider provider) {
    SignatureProfile tagged =
        SignatureProfile.covering("@authority", "content-digest").withTag("header-example");
    SignedExample example = example("B.2.2").with(profile -> tagged);
    assertThat(example.verify(example.signed(), provider).label()).isEqualTo("sig-b22");
  }

  @ParameterizedTest
  @EnumSource
  void rfc9421_B23_full(TestedProvider provider) {
    SignedExample example = full();
    example.assertVerified(provider);
    example.assertGuarded(provider);
    example.assertSignedAnew(provider);
  }

  /** Date is two seconds after created; the verifier decides whether that matters. */
  @ParameterizedTest
  @EnumSource
  void rfc9421_B23_full_whereDateHasToBeAtCreated_isRefused(TestedProvider provider) {
    SignedExample example = full().with(SignatureProfile::withDateAtCreated);
    assertThat(example.refusal(example.signed(), provider).failure())
        .isEqualTo(VerificationFailure.DATE_MISMATCH);
  }

  @ParameterizedTest
  @EnumSource
  void rfc9421_B24_response(TestedProvider provider) {
    SignedExample example = example("B.2.4").with(profile -> profile.withDigestAlgorithm(SHA_512));
    example.assertVerified(provider);
    example.assertGuarded(provider);
    example.assertSignedAnew(provider);
  }

  @ParameterizedTest
  @EnumSource
  void rfc9421_B25_hmac(TestedProvider provider) {
    SignedExample example = example("B.2.5").with(SignatureProfile::allowUnsignedBody);
    example.assertVerified(provider);
    example.assertGuarded(provider);
    example.assertReproduced(provider);
  }

  @ParameterizedTest
  @EnumSource
  void rfc9421_B26_ed25519(TestedProvider provider) {
    SignedExample example = example("B.2.6").with(SignatureProfile::allowUnsignedBody);
    example.assertVerified(provider);
    example.assertGuarded(provider);
    example.assertReproduced(provider);
  }

  /**
   * A body whose digest is not covered may come from anybody, so a profile must allow it
   * explicitly.
   */
  @ParameterizedTest
  @ValueSource(strings = {"B.2.1", "B.2.5", "B.2.6"})
  void rfc9421_B2_digestNotCovered_isRefusedUnlessAllowed(String section) {
    SignedExample example = example(section);
    assertThat(example.refusal(example.signed(), TestedProvider.JDK).failure())
        .isEqualTo(VerificationFailure.COMPONENTS_WRONG);
  }

  private SignedExample minimal() {
    return example("B.2.1").with(SignatureProfile::allowUnsignedBody);
  }

  private SignedExample full() {
    return example("B.2.3").with(profile -> profile.withDigestAlgorithm(SHA_512));
  }

  private SignedExample example(String section) {
    JsonNode example =
        vectors
            .get("cases")
            .valueStream()
            .filter(candidate -> candidate.get("section").asString().equals(section))
            .findFirst()
            .orElseThrow();
    String base = example.get("signatureBase").asString();
    String algorithm = example.get("algorithm").asString();
    return new SignedExample(
        message(example.get("message").asString()),
        example.get("signatureInput").asString(),
        example.get("signature").asString(),
        base,
        SignedExample.exactly(example.get("label").asString(), base)
            .withAlgorithms(SignatureAlgorithm.named(algorithm).orElseThrow()));
  }

  private HttpMessage message(String name) {
    JsonNode message = vectors.get("messages").get(name);
    StringBuilder text = new StringBuilder(message.get("startLine").asString()).append('\n');
    for (JsonNode field : message.get("fields")) {
      text.append(field.get(0).asString()).append(": ").append(field.get(1).asString());
      text.append('\n');
    }
    text.append('\n').append(message.get("body").asString());
    return name.equals("test-request")
        ? WireRequest.parse(text.toString())
        : WireResponse.parse(text.toString());
  }
}
