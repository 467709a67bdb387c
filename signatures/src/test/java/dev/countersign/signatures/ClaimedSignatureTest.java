package dev.countersign.signatures;

import static dev.countersign.signatures.HandSigner.ALICE;
import static dev.countersign.signatures.HandSigner.GET_PARAMS;
import static dev.countersign.signatures.Profiles.PARTNER_V1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.countersign.signatures.base.ComponentIdentifier;
import dev.countersign.signatures.base.VerificationException;
import dev.countersign.signatures.base.VerificationFailure;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The content of a signature after its fields were read, before the profile checks it. */
class ClaimedSignatureTest {
  private static final WireRequest SIGNED = ALICE.sign(WireRequest.GET, GET_PARAMS);

  @Test
  void claim_ofASignatureThatFits_isWhatTheSignatureSays() {
    ClaimedSignature claimed = PARTNER_V1.read(SIGNED);

    assertThat(claimed.label()).isEqualTo("sig");
    assertThat(claimed.components())
        .extracting(ComponentIdentifier::name)
        .containsExactly("@method", "@target-uri", "date");
    assertThat(claimed.keyid()).contains("cl-alice");
    assertThat(claimed.checkProfile().parameters().keyid()).isEqualTo(claimed.keyid());
  }

  @ParameterizedTest
  @CsvSource({
    "(), ;created=1;alg=\"rsa-v1_5-sha256\", COMPONENTS_WRONG",
    "(\"@method\" \"@target-uri\" \"date\"), ;created=a;alg=\"rsa-v1_5-sha256\", PARAMETERS_WRONG",
    "(\"@method\" \"@target-uri\" \"date\"), ;created=1;alg=\"hmac-sha256\", ALGORITHM_WRONG"
  })
  void keyid_ofASignatureThatTheProfileRefuses_isKnown(
      String components, String parameters, VerificationFailure failure) {
    String input = "sig=" + components + parameters + ";keyid=\"cl-alice\"";
    ClaimedSignature claimed = PARTNER_V1.read(SIGNED.with("Signature-Input", input));

    assertThat(claimed.keyid()).contains("cl-alice");
    assertThatExceptionOfType(VerificationException.class)
        .isThrownBy(claimed::checkProfile)
        .satisfies(refusal -> assertThat(refusal.failure()).isEqualTo(failure));
  }

  /** No key is claimed, rather than one that another parser would not see. */
  @ParameterizedTest
  @ValueSource(
      strings = {"sig=()", "sig=();keyid=cl-alice", "sig=();keyid=\"cl-alice\";keyid=\"cl-bob\""})
  void keyid_thatIsMissingOrNoOneString_isNone(String input) {
    assertThat(PARTNER_V1.read(SIGNED.with("Signature-Input", input)).keyid()).isEmpty();
  }
}
