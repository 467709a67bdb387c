package dev.countersign.signatures;

import static dev.countersign.signatures.AliceSigning.forged;
import static dev.countersign.signatures.AliceSigning.signed;
import static dev.countersign.signatures.AliceSigning.signedAs;
import static dev.countersign.signatures.Verdicts.accepted;
import static dev.countersign.signatures.Verdicts.acceptedAt;
import static dev.countersign.signatures.Verdicts.refused;
import static dev.countersign.signatures.Verdicts.refusedAt;
import static dev.countersign.signatures.base.VerificationFailure.COMPONENTS_WRONG;
import static dev.countersign.signatures.base.VerificationFailure.EXPIRED;
import static dev.countersign.signatures.base.VerificationFailure.SIGNATURE_MALFORMED;
import static dev.countersign.signatures.base.VerificationFailure.SIGNATURE_MISMATCH;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.countersign.signatures.base.ComponentIdentifier;
import dev.countersign.signatures.base.VerificationException;
import dev.countersign.signatures.base.VerificationFailure;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Messages that other verifiers were found to accept. Each signature here is valid over its base.
 */
class MisuseTest {
  private static final SignatureProfile ANY = SignatureProfile.covering();

  /** Components of one response that differ only in their parameters. */
  private static final List<String> ALIKE =
      List.of(
          "\"priority\"",
          "\"priority\";sf",
          "\"priority\";key=\"u\"",
          "\"priority\";key=\"i\"",
          "\"priority\";bs",
          "\"priority\";tr",
          "\"priority\";tr;bs",
          "\"priority\";req",
          "\"priority\";req;sf",
          "\"priority\";req;tr",
          "\"@query-param\";req;name=\"a\"",
          "\"@query-param\";req;name=\"b\"");

  private static final AnyResponse RESPONSE =
      AnyResponse.to(
              AnyRequest.of("GET", "https://a.example/?a=1&b=1")
                  .plus("Priority", "u=1, i")
                  .plusTrailer("Priority", "u=1, i"))
          .plus("Priority", "u=1, i")
          .plusTrailer("Priority", "u=1, i");

  @Test
  void componentRequiredByName_metByOneWithOtherParameters_isRefused() {
    for (String covered : ALIKE) {
      AnyResponse response = signed(RESPONSE, "(" + covered + ")");
      for (String demanded : ALIKE) {
        SignatureProfile profile = SignatureProfile.covering(Values.components(demanded));
        if (demanded.equals(covered)) {
          VerifiedSignature verified = accepted(profile, response);
          assertThat(ALIKE)
              .filteredOn(other -> verified.covers(ComponentIdentifier.parse(other)))
              .containsExactly(covered);
          assertThat(verified.covers("priority")).isEqualTo(covered.equals("\"priority\""));
        } else {
          refused(COMPONENTS_WRONG, profile, response);
        }
      }
    }
  }

  @Test
  void componentRequiredByName_metByAllOthersTogether_isRefused() {
    for (String demanded : ALIKE) {
      String others = String.join(" ", ALIKE.stream().filter(c -> !c.equals(demanded)).toList());
      AnyResponse response = signed(RESPONSE, "(" + others + ")");
      refused(COMPONENTS_WRONG, SignatureProfile.covering(Values.components(demanded)), response);
    }
  }

  @Test
  void componentRequiredByName_withItsParametersInAnotherOrder_isTheSame() {
    SignatureProfile profile = SignatureProfile.covering(Values.components("\"priority\";sf;req"));
    String covered = "(\"priority\";req;sf)";
    assertThat(accepted(profile, signed(RESPONSE, covered)).base().text())
        .startsWith("\"priority\";req;sf: u=1, i\n");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"x-absent\"",
        "\"priority\";sf",
        "\"priority\";key=\"u\"",
        "\"x-absent\";bs",
        "\"x-absent\";tr",
        "\"x-present\";tr",
        "\"@query-param\";name=\"a\"",
      })
  void absentField_takenAsEmpty_isRefused(String absent) {
    AnyRequest request = AnyRequest.of("GET", "https://a.example/").plus("X-Present", "");
    refused(COMPONENTS_WRONG, ANY, forged(request, "(" + absent + ")", absent + ": "));

    String ofRequest = absent + ";req";
    AnyResponse response = AnyResponse.to(request).plus("X-Absent", "").plus("Priority", "u=1");
    refused(COMPONENTS_WRONG, ANY, forged(response, "(" + ofRequest + ")", ofRequest + ": "));
  }

  @Test
  void absentField_takenAsAnEmptyByteSequence_isRefused() {
    String absent = "\"x-absent\";bs";
    refused(COMPONENTS_WRONG, ANY, forged(AnyRequest.GET, "(" + absent + ")", absent + ": ::"));
  }

  @ParameterizedTest
  @CsvSource({
    "'\"x-empty\"', ''",
    "'\"x-empty\";bs', '::'",
    "'\"priority\";sf', ''",
    "'\"x-empty\";tr', ''",
    "'\"@query-param\";name=\"a\"', ''",
  })
  void presentField_thatIsEmpty_isSignedAsEmpty(String component, String value) {
    AnyRequest request =
        AnyRequest.of("GET", "https://a.example/?a")
            .plus("X-Empty", " ")
            .plus("Priority", "")
            .plusTrailer("X-Empty", "");
    accepted(ANY, forged(request, "(" + component + ")", component + ": " + value));
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1, 1_709_622_488, 1_709_622_489})
  void expires_withoutCreated_isNotIgnored(long expires) {
    SignatureProfile profile = ANY.allowMissingCreated();
    AnyRequest request =
        signedAs("sig", AnyRequest.GET, "(\"@method\");keyid=\"cl-alice\";expires=" + expires);

    refused(EXPIRED, profile, request);
    refusedAt(Instant.ofEpochSecond(expires), EXPIRED, profile, request);
    assertThat(acceptedAt(Instant.ofEpochSecond(expires).minusNanos(1), profile, request))
        .isNotNull();
  }

  @Test
  void coveredField_withALineAdded_isAMismatch() {
    AnyRequest request = signed(AnyRequest.GET.plus("X-Limit", "10"), "(\"@method\" \"x-limit\")");
    accepted(ANY, request);
    refused(SIGNATURE_MISMATCH, ANY, request.plus("X-Limit", "1000"));
    refused(SIGNATURE_MISMATCH, ANY, request.plus("x-limit", "10"));
    refused(SIGNATURE_MISMATCH, ANY, request.plus("X-LIMIT", ""));
    refused(
        SIGNATURE_MISMATCH,
        ANY,
        request.without("X-Limit").plus("X-Limit", "9").plus("x-limit", "10"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"sf", "bs", "key=\"u\"", "tr"})
  void coveredField_withALineAdded_isNoMatchUnderAnyParameter(String parameter) {
    AnyRequest request =
        signed(
            AnyRequest.GET.plus("Priority", "u=1").plusTrailer("Priority", "u=1"),
            "(\"priority\";" + parameter + ")");
    accepted(ANY, request);
    assertThatExceptionOfType(VerificationException.class)
        .isThrownBy(() -> accepted(ANY, plusBoth(request, "u=2")))
        .satisfies(e -> assertThat(e.failure()).isIn(SIGNATURE_MISMATCH, COMPONENTS_WRONG));
  }

  private static AnyRequest plusBoth(AnyRequest request, String priority) {
    return request.plus("Priority", priority).plusTrailer("Priority", priority);
  }

  @Test
  void signatureFields_inSeveralLines_areReadToTheLast() {
    AnyRequest two =
        signedAs(
            "b",
            signedAs("a", AnyRequest.GET, "()" + AliceSigning.BY_ALICE + ";tag=\"x\""),
            "(\"@method\")" + AliceSigning.BY_ALICE + ";tag=\"y\"");
    assertThat(two.fieldLines("signature-input")).hasSize(2);

    assertThat(accepted(ANY.withTag("x"), two).label()).isEqualTo("a");
    assertThat(accepted(ANY.withTag("y"), two).label()).isEqualTo("b");
    refused(VerificationFailure.SIGNATURE_AMBIGUOUS, ANY, two);
  }

  @ParameterizedTest
  @ValueSource(strings = {"Signature-Input", "Signature"})
  void twoMembers_withOneLabel_areRefused(String field) {
    AnyRequest request = signed(AnyRequest.GET, "(\"@method\")");
    String value = request.fieldLines(field).get(0);
    for (SignatureProfile profile : List.of(ANY, ANY.withLabel("sig"), ANY.withLabel("other"))) {
      refused(SIGNATURE_MALFORMED, profile, request.plus(field, value));
      refused(SIGNATURE_MALFORMED, profile, request.plus(field, "sig=()"));
      refused(SIGNATURE_MALFORMED, profile, request.plus(field, "a, a"));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "'\"@method\"', '\"@method\"'",
    "'\"priority\"', '\"priority\"'",
    "'\"priority\";sf', '\"priority\";sf'",
    "'\"priority\";sf', '\"priority\";sf=?1'",
    "'\"priority\";sf;req', '\"priority\";req;sf'",
    "'\"@query-param\";req;name=\"a\"', '\"@query-param\";name=\"a\";req'",
  })
  void sameComponent_coveredTwice_isRefused(String one, String other) {
    String components = "(" + one + " \"@status\" " + other + ")";
    String line = Values.components(one).get(0) + ": u=1, i";
    String again = Values.components(other).get(0) + ": u=1, i";
    AnyResponse response = forged(RESPONSE, components, line, "\"@status\": 200", again);

    VerificationException refusal = refused(COMPONENTS_WRONG, ANY, response);
    if (!one.equals("\"@method\"")) {
      assertThat(refusal).hasMessageContaining("twice");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"@method", "@path", "@authority", "@target-uri", "@scheme", "@query", "@status"})
  void literalHeader_withADerivedName_isNeverRead(String name) {
    String component = "\"" + name + "\"";
    AnyRequest request = AnyRequest.GET.plus(name, "forged");
    refused(
        name.equals("@status") ? COMPONENTS_WRONG : SIGNATURE_MISMATCH,
        ANY,
        forged(request, "(" + component + ")", component + ": forged"));
    refused(SIGNATURE_MISMATCH, ANY, forged(request, "(\"@method\")", component + ": forged"));
  }

  @Test
  void literalHeader_withTheNameOfTheParameters_isNeverRead() {
    AnyRequest request = AnyRequest.GET.plus("@signature-params", "()");
    String component = "\"@signature-params\"";
    refused(COMPONENTS_WRONG, ANY, forged(request, "(" + component + ")", component + ": ()"));
  }

  @Test
  void literalHeader_withADerivedName_doesNotCountAsSent() {
    SignatureProfile profile = ANY.withCoveredWhereSent(ComponentIdentifier.of("@status"));
    accepted(profile, signed(AnyRequest.GET.plus("@status", "200"), "(\"@method\")"));
  }
}
