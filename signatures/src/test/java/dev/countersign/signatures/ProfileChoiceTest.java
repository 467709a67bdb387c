package dev.countersign.signatures;

import static dev.countersign.signatures.AliceSigning.BY_ALICE;
import static dev.countersign.signatures.AliceSigning.signedAs;
import static dev.countersign.signatures.Verdicts.accepted;
import static dev.countersign.signatures.Verdicts.refused;
import static dev.countersign.signatures.base.VerificationFailure.LABEL_MISSING;
import static dev.countersign.signatures.base.VerificationFailure.PARAMETERS_WRONG;
import static dev.countersign.signatures.base.VerificationFailure.SIGNATURE_AMBIGUOUS;
import static dev.countersign.signatures.base.VerificationFailure.SIGNATURE_MALFORMED;
import static dev.countersign.signatures.base.VerificationFailure.SIGNATURE_MISSING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which signature of a message a profile selects. */
class ProfileChoiceTest {
  private static final SignatureProfile ONLY = SignatureProfile.covering("@method");
  private static final AnyRequest THREE =
      tagged("c", tagged("b", tagged("a", AnyRequest.GET, "pay"), "audit"), "audit");

  private static AnyRequest tagged(String label, AnyRequest request, String tag) {
    return signedAs(label, request, "(\"@method\")" + BY_ALICE + ";tag=\"" + tag + "\"");
  }

  @ParameterizedTest
  @ValueSource(strings = {"sig", "a", "*", "sig1.x-y_z*"})
  void theOnlySignature_isTakenWhateverItsLabel(String label) {
    AnyRequest request = signedAs(label, AnyRequest.GET, "(\"@method\")" + BY_ALICE);
    assertThat(accepted(ONLY, request).label()).isEqualTo(label);
  }

  @Test
  void noSignature_isMissing() {
    refused(SIGNATURE_MISSING, ONLY, AnyRequest.GET);
    AnyRequest request = signedAs("a", AnyRequest.GET, "(\"@method\")" + BY_ALICE);
    refused(SIGNATURE_MISSING, ONLY, request.without("Signature"));
    refused(SIGNATURE_MISSING, ONLY, request.without("Signature-Input"));
    refused(LABEL_MISSING, ONLY, request.without("Signature-Input").plus("Signature-Input", ""));
    refused(LABEL_MISSING, ONLY, request.without("Signature").plus("Signature", "b=:YQ==:"));
  }

  @Test
  void signatureInATrailer_isNoSignature() {
    AnyRequest request = signedAs("a", AnyRequest.GET, "(\"@method\")" + BY_ALICE);
    AnyRequest moved = AnyRequest.GET;
    for (WireRequest.Line line : request.headers().lines()) {
      moved = moved.plusTrailer(line.name(), line.value());
    }
    refused(SIGNATURE_MISSING, ONLY, moved);
  }

  @Test
  void severalSignatures_withoutAChoice_areAmbiguous() {
    refused(SIGNATURE_AMBIGUOUS, ONLY, THREE);
    AnyRequest one = signedAs("a", AnyRequest.GET, "(\"@method\")" + BY_ALICE);
    refused(SIGNATURE_AMBIGUOUS, ONLY, one.plus("Signature-Input", "junk=1"));
    assertThat(accepted(ONLY, one.plus("Signature", "junk=1")).label()).isEqualTo("a");
  }

  @Test
  void withLabel_isTakenAmongOthers() {
    for (String label : new String[] {"a", "b", "c"}) {
      assertThat(accepted(ONLY.withLabel(label), THREE).label()).isEqualTo(label);
    }
    refused(LABEL_MISSING, ONLY.withLabel("d"), THREE);
    refused(LABEL_MISSING, ONLY.withLabel("d"), THREE.plus("Signature-Input", "d=()"));
    refused(SIGNATURE_MALFORMED, ONLY.withLabel("d"), THREE.plus("Signature-Input", "d=1"));
  }

  @Test
  void withAnyLabelExcept_takesTheOnlyOtherSignature() {
    SignatureProfile profile = ONLY.withLabel("sig").withAnyLabelExcept("next");
    AnyRequest one = signedAs("a", AnyRequest.GET, "(\"@method\")" + BY_ALICE);
    AnyRequest two = signedAs("next", one, "(\"@method\")" + BY_ALICE);
    assertThat(accepted(profile, one).label()).isEqualTo("a");
    assertThat(accepted(profile, two).label()).isEqualTo("a");
    refused(SIGNATURE_AMBIGUOUS, profile, signedAs("b", two, "(\"@method\")" + BY_ALICE));
    assertThat(
            refused(
                LABEL_MISSING,
                profile,
                signedAs("next", AnyRequest.GET, "(\"@method\")" + BY_ALICE)))
        .hasMessageEndingWith("; labels found: next");
    assertThat(profile.label()).isEqualTo("sig");
  }

  @Test
  void labelsFound_areNamedInTheRefusal() {
    assertThat(refused(LABEL_MISSING, ONLY.withLabel("d"), THREE))
        .hasMessage("Signature-Input has no member labelled d; labels found: a, b, c; write d=…");
    assertThat(
            refused(
                LABEL_MISSING,
                ONLY.withLabel("d"),
                THREE.plus("Signature-Input", "d=(\"@method\")")))
        .hasMessage("Signature has no member labelled d; labels found: a, b, c; write d=…");
    assertThat(refused(SIGNATURE_AMBIGUOUS, ONLY, THREE)).hasMessageEndingWith("it has a, b, c");
    assertThat(
            refused(
                LABEL_MISSING,
                ONLY,
                AnyRequest.GET.plus("Signature-Input", "").plus("Signature", "")))
        .hasMessage("Signature-Input has no signature; labels found: none");
    String many = "a=1, b=1, c=1, d=1, e=1, f=1, g=1";
    assertThat(
            refused(
                LABEL_MISSING,
                ONLY.withLabel("sig"),
                AnyRequest.GET.plus("Signature-Input", many).plus("Signature", "a=1")))
        .hasMessageContaining("labels found: a, b, c, d, e and 2 more;");
    assertThat(
            refused(
                LABEL_MISSING,
                ONLY.withLabel("sig"),
                AnyRequest.GET.plus("Signature-Input", "x".repeat(9000)).plus("Signature", "a=1")))
        .hasMessageContaining("labels found: " + "x".repeat(40) + "...;");
  }

  @Test
  void withTag_isTakenWhereOneHasIt() {
    assertThat(accepted(ONLY.withTag("pay"), THREE).label()).isEqualTo("a");
    assertThat(accepted(ONLY.withTag("pay"), THREE).parameters().tag()).contains("pay");
    refused(SIGNATURE_AMBIGUOUS, ONLY.withTag("audit"), THREE);
    for (String other : new String[] {"", "Pay", "pay ", "p"}) {
      assertThat(refused(LABEL_MISSING, ONLY.withTag(other), THREE))
          .hasMessageContaining("tag=\"" + other + "\"");
    }
  }

  @Test
  void withTag_thatIsNoString_isAnothersSignature() {
    AnyRequest request =
        tagged("a", AnyRequest.GET, "pay")
            .plus("Signature-Input", "b=();tag=pay, c=();tag, d=1;tag=:cGF5:");
    assertThat(accepted(ONLY.withTag("pay"), request).label()).isEqualTo("a");
  }

  @Test
  void withTag_ofTwoValues_isNeverVerified() {
    AnyRequest request =
        signedAs("a", AnyRequest.GET, "(\"@method\")" + BY_ALICE + ";tag=\"x\";tag=\"pay\"");
    refused(PARAMETERS_WRONG, ONLY.withTag("pay"), request);
    refused(LABEL_MISSING, ONLY.withTag("x"), request);
    refused(PARAMETERS_WRONG, ONLY.withLabel("a"), request);
  }

  @Test
  void withTagAndLabel_areBothDemanded() {
    assertThat(accepted(ONLY.withLabel("b").withTag("audit"), THREE).label()).isEqualTo("b");
    assertThat(refused(PARAMETERS_WRONG, ONLY.withLabel("a").withTag("audit"), THREE))
        .hasMessageContaining("tag must be \"audit\", was \"pay\"");
    AnyRequest untagged = signedAs("d", THREE, "(\"@method\")" + BY_ALICE);
    assertThat(refused(PARAMETERS_WRONG, ONLY.withTag("audit").withLabel("d"), untagged))
        .hasMessageContaining("not sent");
  }

  @Test
  void manySignatures_areSearchedForTheTag() {
    AnyRequest request = tagged("wanted", AnyRequest.GET, "pay");
    StringBuilder inputs = new StringBuilder("s=()");
    for (int i = 0; i < 5000; i++) {
      inputs.append(", s").append(i).append("=(\"@method\");tag=\"t").append(i).append('"');
    }
    assertThat(accepted(ONLY.withTag("pay"), request.plus("Signature-Input", inputs.toString())))
        .isNotNull();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "Sig", "1", "a b", "a=()", "sig\r\nX: y", "\u00e9"})
  void withLabel_thatIsNoKey_isRefusedAtOnce(String label) {
    assertThatIllegalArgumentException().isThrownBy(() -> ONLY.withLabel(label));
  }

  @ParameterizedTest
  @ValueSource(strings = {"\u00e9", "a\n", "\u0000"})
  void withTag_thatCannotBeSent_isRefusedAtOnce(String tag) {
    assertThatIllegalArgumentException().isThrownBy(() -> ONLY.withTag(tag));
  }
}
