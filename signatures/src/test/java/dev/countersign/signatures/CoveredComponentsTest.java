package dev.countersign.signatures;

import static dev.countersign.signatures.AliceVerification.NOW;
import static dev.countersign.signatures.AliceVerification.assertAccepted;
import static dev.countersign.signatures.AliceVerification.assertRefused;
import static dev.countersign.signatures.AliceVerification.refusal;
import static dev.countersign.signatures.AliceVerification.verify;
import static dev.countersign.signatures.HandSigner.ALICE;
import static dev.countersign.signatures.HandSigner.GET_COMPONENTS;
import static dev.countersign.signatures.HandSigner.GET_PARAMS;
import static dev.countersign.signatures.HandSigner.PARAMETERS;
import static dev.countersign.signatures.HandSigner.POST_COMPONENTS;
import static dev.countersign.signatures.base.VerificationFailure.COMPONENTS_WRONG;
import static dev.countersign.signatures.base.VerificationFailure.DATE_MISSING;
import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.signatures.base.VerificationException;
import dev.countersign.signatures.base.VerificationException.Comparison;
import dev.countersign.signatures.base.VerificationFailure;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The components must be those of the profile, each once, in its order. */
class CoveredComponentsTest {
  private static final SignatureProfile DATE_OPTIONAL = Profiles.PARTNER_V1.allowMissingDate();
  private static final String NO_DATE = "(\"@method\" \"@target-uri\")";

  @Test
  void components_ofTheProfile_areAccepted() {
    assertAccepted(ALICE.sign(WireRequest.GET, GET_PARAMS));
    assertAccepted(ALICE.sign(WireRequest.POST, HandSigner.POST_PARAMS));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "()",
        "(\"@method\")",
        "(\"date\")",
        "(\"@method\" \"@target-uri\")",
        "(\"@method\" \"date\")",
        "(\"@target-uri\" \"date\")",
        "(\"date\" \"@method\" \"@target-uri\")",
        "(\"@target-uri\" \"@method\" \"date\")",
        "(\"@method\" \"@target-uri\" \"date\" \"accept\")",
        "(\"@method\" \"@target-uri\" \"accept\" \"date\")",
        "(\"@method\" \"@target-uri\" \"date\" \"@authority\")",
        "(\"@method\" \"@target-uri\" \"date\" \"date\")",
        "(\"@method\" \"@method\" \"@target-uri\" \"date\")",
        "(\"@method\" \"@target-uri\" \"date\" \"@signature-params\")",
        "(\"@method\" \"@target-uri\" \"date\" \"@unknown\")",
        "(\"method\" \"@target-uri\" \"date\")",
        "(\"@method\" \"@target-uri\" \"@date\")",
        "(\"@method\" \"@target-uri\" \"content-digest\" \"date\")",
        "(\"@method\" \"@target-uri\" \"date\" \"idempotency-key\")",
        "(\"@method\" \"@target-uri\" \"date\";sf)",
        "(\"@method\" \"@target-uri\" \"date\";bs)",
        "(\"@method\" \"@target-uri\" \"date\";req)",
        "(\"@method\" \"@target-uri\" \"date\";tr)",
        "(\"@method\" \"@target-uri\" \"date\";key=\"a\")",
        "(\"@method\" \"@target-uri\" \"date\" \"date\";sf)",
        "(\"@method\";req \"@target-uri\" \"date\")",
        "(\"@method\" \"@target-uri\";name=\"a\" \"date\")",
        "(\"@method\" \"@target-uri\" \"date\";x=?0)",
      })
  void components_other_areWrong(String components) {
    VerificationException refusal =
        assertRefused(COMPONENTS_WRONG, ALICE.sign(WireRequest.GET, components + PARAMETERS));

    assertThat(refusal.comparison()).contains(new Comparison(GET_COMPONENTS, components));
    assertThat(refusal).hasMessageContaining(GET_COMPONENTS).hasMessageContaining(components);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "(\"@method\" \"@target-uri\" \"date\")",
        "(\"@method\" \"@target-uri\" \"date\" \"content-digest\")",
        "(\"@method\" \"@target-uri\" \"content-digest\" \"content-digest\" \"date\")",
        "(\"@method\" \"@target-uri\" \"content-digest\";req \"date\")",
        "(\"@method\" \"@target-uri\" \"content-digest\";key=\"sha-256\" \"date\")",
      })
  void components_withBodyAndOther_areWrong(String components) {
    VerificationException refusal =
        assertRefused(COMPONENTS_WRONG, ALICE.sign(WireRequest.POST, components + PARAMETERS));

    assertThat(refusal.comparison()).contains(new Comparison(POST_COMPONENTS, components));
  }

  @Test
  void idempotencyKey_sentAndCoveredLast_isAccepted() {
    WireRequest request = WireRequest.POST.plus("Idempotency-Key", "\"8e03978e\"");
    String components = POST_COMPONENTS.replace(")", " \"idempotency-key\")");

    VerifiedSignature verified = verify(ALICE.sign(request, components + PARAMETERS));

    assertThat(verified.covers("idempotency-key")).isTrue();
    assertThat(verified.base().text()).contains("\n\"idempotency-key\": \"8e03978e\"\n\"@sig");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "(\"@method\" \"@target-uri\" \"date\")",
        "(\"@method\" \"@target-uri\" \"idempotency-key\" \"date\")",
        "(\"idempotency-key\" \"@method\" \"@target-uri\" \"date\")",
        "(\"@method\" \"@target-uri\" \"date\" \"idempotency-key\";sf)",
      })
  void idempotencyKey_sentAndNotCoveredLast_isWrong(String components) {
    for (String value : new String[] {"a", ""}) {
      WireRequest request = WireRequest.GET.plus("Idempotency-Key", value);
      assertRefused(COMPONENTS_WRONG, ALICE.sign(request, components + PARAMETERS));
    }
  }

  @Test
  void date_notCoveredWhereItMayBeMissing_isAccepted() {
    for (WireRequest request :
        new WireRequest[] {WireRequest.GET, WireRequest.GET.without("Date")}) {
      WireRequest signed = ALICE.sign(request, NO_DATE + PARAMETERS);
      assertThat(verify(signed, DATE_OPTIONAL, NOW).covers("date")).isFalse();
    }
  }

  @Test
  void date_coveredWhereItMayBeMissing_isStillChecked() {
    WireRequest request = WireRequest.GET.with("Date", "Tue, 05 Mar 2024 07:08:19 GMT");
    assertThat(verify(ALICE.sign(WireRequest.GET, GET_PARAMS), DATE_OPTIONAL, NOW).covers("date"))
        .isTrue();
    assertThat(refusal(ALICE.sign(request, GET_PARAMS), DATE_OPTIONAL, NOW).failure())
        .isEqualTo(VerificationFailure.DATE_MISMATCH);
    assertThat(
            refusal(ALICE.sign(request.without("Date"), GET_PARAMS), DATE_OPTIONAL, NOW).failure())
        .isEqualTo(DATE_MISSING);
  }

  @Test
  void components_otherWhereDateMayBeMissing_areWrong() {
    WireRequest signed = ALICE.sign(WireRequest.GET, "(\"@method\" \"date\")" + PARAMETERS);
    VerificationException refusal = refusal(signed, DATE_OPTIONAL, NOW);
    assertThat(refusal.failure()).isEqualTo(COMPONENTS_WRONG);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "()",
        "(\"@method\" \"date\")",
        "(\"date\" \"@method\" \"@target-uri\")",
        "(\"@method\" \"content-digest\" \"date\")",
        "(\"@method\" \"date\" \"idempotency-key\")",
      })
  void components_wrong_expectWhatAcceptSignatureAsksFor(String components) {
    WireRequest digestWithoutBody = WireRequest.POST.without("Content-Length");
    WireRequest bodyWithoutDigest = WireRequest.POST.without("Content-Digest");
    for (WireRequest request :
        List.of(WireRequest.GET, WireRequest.POST, digestWithoutBody, bodyWithoutDigest)) {
      for (WireRequest sent : List.of(request, request.plus("Idempotency-Key", "k"))) {
        for (SignatureProfile profile : List.of(Profiles.PARTNER_V1, DATE_OPTIONAL)) {
          WireRequest signed =
              sent.with("Signature-Input", "sig=" + components + PARAMETERS)
                  .with("Signature", "sig=:YQ==:");
          Comparison comparison = refusal(signed, profile, NOW).comparison().orElseThrow();
          assertThat(profile.acceptSignature(signed)).startsWith("sig=" + comparison.expected());
        }
      }
    }
  }

  @Test
  void acceptSignature_asksForTheProfile() {
    String parameters = ";created;keyid;alg=\"rsa-v1_5-sha256\"";
    assertThat(Profiles.PARTNER_V1.acceptSignature(WireRequest.GET))
        .isEqualTo("sig=" + GET_COMPONENTS + parameters);
    assertThat(Profiles.PARTNER_V1.acceptSignature(WireRequest.POST))
        .isEqualTo("sig=" + POST_COMPONENTS + parameters);
    assertThat(DATE_OPTIONAL.acceptSignature(WireRequest.GET))
        .isEqualTo("sig=" + NO_DATE + parameters);
    WireRequest keyed = WireRequest.GET.plus("Idempotency-Key", "k");
    assertThat(Profiles.PARTNER_V1.acceptSignature(keyed))
        .isEqualTo(
            "sig="
                + GET_COMPONENTS.replace("\"date\")", "\"date\" \"idempotency-key\")")
                + parameters);
  }

  @Test
  void exactComponents_whenDateGetsARule_keepTheirOrder() {
    SignatureProfile profile =
        SignatureProfile.covering("date", "@method").withNothingElseCovered().withDateAtCreated();
    assertThat(profile.acceptSignature(WireRequest.GET)).startsWith("sig=(\"date\" \"@method\")");
  }
}
