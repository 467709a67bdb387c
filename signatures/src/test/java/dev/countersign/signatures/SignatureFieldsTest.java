package dev.countersign.signatures;

import static dev.countersign.signatures.AliceVerification.assertAccepted;
import static dev.countersign.signatures.AliceVerification.assertRefused;
import static dev.countersign.signatures.HandSigner.ALICE;
import static dev.countersign.signatures.HandSigner.GET_PARAMS;
import static dev.countersign.signatures.base.VerificationFailure.LABEL_MISSING;
import static dev.countersign.signatures.base.VerificationFailure.SIGNATURE_MALFORMED;
import static dev.countersign.signatures.base.VerificationFailure.SIGNATURE_MISSING;
import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.signatures.base.VerificationException;
import dev.countersign.signatures.fields.FieldParseException;
import java.util.Base64;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Both fields must be present, well-formed, and have a member labelled sig. */
class SignatureFieldsTest {
  private static final WireRequest SIGNED = ALICE.sign(WireRequest.GET, GET_PARAMS);

  @ParameterizedTest
  @ValueSource(strings = {"Signature", "Signature-Input"})
  void field_absent_isMissing(String name) {
    assertThat(assertRefused(SIGNATURE_MISSING, SIGNED.without(name)))
        .hasMessageContaining("no " + name + " header");
  }

  @ParameterizedTest
  @ValueSource(strings = {"Signature", "Signature-Input"})
  void field_empty_lacksTheLabel(String name) {
    assertThat(assertRefused(LABEL_MISSING, SIGNED.with(name, ""))).hasMessageContaining(name);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "sig=(\"@method\" \"@target-uri\" \"date\"",
        "sig=(\"@method\" \"@target-uri\",\"date\")",
        "sig=(\"@method\"\"@target-uri\" \"date\")",
        "sig=(\"@method\"\t\"@target-uri\" \"date\")",
        "sig=(\"@method\" ( \"@target-uri\") \"date\")",
        "sig=(@method @target-uri date)",
        "sig=(method target-uri date)",
        "sig=(\"@method\" \"@target-uri\" \"Date\")",
        "sig=(\"@method\" \"@target-uri\" \"\")",
        "sig=(\"@method\" \"@target-uri\" \"@\")",
        "sig=(\"@method\" \"@target-uri\" \"da te\")",
        "sig=(\"@method\" \"@target-uri\" \"da\\\"te\")",
        "sig=(\"@method\" \"@target-uri\" \"date\u00e9\")",
        "sig=(\"@method\" \"@target-uri\" \"date\"),",
        "sig=(\"@method\" \"@target-uri\" \"date\");",
        "sig=(\"@method\" \"@target-uri\" \"date\");Created=1",
        "sig=(\"@method\" \"@target-uri\" \"date\");created=",
        "sig=(\"@method\" \"@target-uri\" \"date\");created=1234567890123456",
        "sig=(\"@method\" \"@target-uri\" \"date\") ;created=1",
        "sig= (\"@method\" \"@target-uri\" \"date\")",
        "sig=\"@method\"",
        "sig=1",
        "sig",
        "SIG=()",
        ", sig=()",
      })
  void signatureInput_notWellFormed_isMalformed(String value) {
    assertThat(assertRefused(SIGNATURE_MALFORMED, SIGNED.with("Signature-Input", value)))
        .hasMessageStartingWith("Signature-Input: ");
  }

  @Test
  void signatureInput_notWellFormed_drawsTheCaret() {
    String broken = "sig=(\"@method\" \"@target-uri \"date\");created=1618884473";
    VerificationException refusal =
        assertRefused(SIGNATURE_MALFORMED, SIGNED.with("Signature-Input", broken));

    assertThat(((FieldParseException) refusal.getCause()).caret())
        .isEqualTo(broken + "\n" + " ".repeat(29) + "^ expected ')' or a space");
    assertThat(refusal).hasMessage("Signature-Input: expected ')' or a space at position 29");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"sig=YWJj", "sig=\"YWJj\"", "sig=:YWJj", "sig=(:YWJj:)", "sig", "sig=:YW Jj:"})
  void signature_notBytes_isMalformed(String value) {
    assertThat(assertRefused(SIGNATURE_MALFORMED, SIGNED.with("Signature", value)))
        .hasMessageStartingWith("Signature: ");
  }

  @Test
  void signature_thatIsEmpty_isMalformed() {
    assertThat(assertRefused(SIGNATURE_MALFORMED, SIGNED.with("Signature", "sig=::")))
        .hasMessageStartingWith("Signature: sig is empty: the sender could not sign");
    assertThat(assertRefused(SIGNATURE_MALFORMED, SIGNED.with("Signature", "other=:YWJj:, sig=::")))
        .hasMessageStartingWith("Signature: sig is empty");
  }

  @Test
  void signature_withParameters_isMalformed() {
    assertRefused(SIGNATURE_MALFORMED, SIGNED.with("Signature", SIGNED.value("signature") + ";a"));
  }

  @Test
  void signature_withoutPadding_isMalformed() {
    String unpadded = SIGNED.value("signature").replaceFirst("==:$", ":");
    assertThat(unpadded).isNotEqualTo(SIGNED.value("signature"));
    assertRefused(SIGNATURE_MALFORMED, SIGNED.with("Signature", unpadded));
  }

  @Test
  void signature_withUnusedBitsSet_isMalformed() {
    // 256 bytes end in one base64 character that carries two bits, and "==".
    String value = SIGNED.value("signature");
    int last = value.length() - "==:".length() - 1;
    String other = value.substring(0, last) + (char) (value.charAt(last) + 1) + "==:";
    assertThat(Base64.getDecoder().decode(other.substring(5, other.length() - 1)))
        .isEqualTo(Base64.getDecoder().decode(value.substring(5, value.length() - 1)));
    assertRefused(SIGNATURE_MALFORMED, SIGNED.with("Signature", other));
  }

  @ParameterizedTest
  @ValueSource(strings = {"Signature", "Signature-Input"})
  void label_other_isMissing(String name) {
    String renamed = SIGNED.value(name.toLowerCase(Locale.ROOT)).replace("sig=", "sig1=");
    assertThat(assertRefused(LABEL_MISSING, SIGNED.with(name, renamed)))
        .hasMessageContaining(name + " has no member labelled sig");
  }

  @ParameterizedTest
  @ValueSource(strings = {"Signature", "Signature-Input"})
  void label_twiceInOneLine_isMalformed(String name) {
    String value = SIGNED.value(name.toLowerCase(Locale.ROOT));
    assertThat(assertRefused(SIGNATURE_MALFORMED, SIGNED.with(name, value + ", " + value)))
        .hasMessageContaining("two members have the label sig");
  }

  @ParameterizedTest
  @ValueSource(strings = {"Signature", "Signature-Input"})
  void label_twiceInTwoLines_isMalformed(String name) {
    String value = SIGNED.value(name.toLowerCase(Locale.ROOT));
    assertRefused(SIGNATURE_MALFORMED, SIGNED.plus(name, value));
  }

  @ParameterizedTest
  @ValueSource(strings = {"Signature", "Signature-Input"})
  void label_ofAnotherSignatureTwice_isMalformed(String name) {
    assertThat(assertRefused(SIGNATURE_MALFORMED, SIGNED.plus(name, "a=:YQ==:, a=:YQ==:")))
        .hasMessageContaining("two members have the label a");
  }

  @Test
  void labels_other_areIgnored() {
    assertAccepted(
        SIGNED
            .plus("Signature-Input", "proxy=(\"@authority\" \"x\";sf);created=1;created=2, z")
            .plus("Signature", "other=1"));
  }

  @Test
  void labels_otherInFrontInTheSameLine_areIgnored() {
    assertAccepted(
        SIGNED
            .with("Signature-Input", "a=(), " + SIGNED.value("signature-input"))
            .with("Signature", "a=:YQ==: ,\t" + SIGNED.value("signature") + ",b=:YQ==:"));
  }
}
