package dev.countersign.signatures;

import static dev.countersign.signatures.AliceVerification.CREATED;
import static dev.countersign.signatures.AliceVerification.assertAccepted;
import static dev.countersign.signatures.AliceVerification.assertRefused;
import static dev.countersign.signatures.AliceVerification.verify;
import static dev.countersign.signatures.HandSigner.ALICE;
import static dev.countersign.signatures.HandSigner.GET_COMPONENTS;
import static dev.countersign.signatures.HandSigner.PARAMETERS;
import static dev.countersign.signatures.base.VerificationFailure.ALGORITHM_WRONG;
import static dev.countersign.signatures.base.VerificationFailure.PARAMETERS_WRONG;
import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.signatures.base.SignatureParameters;
import dev.countersign.signatures.base.VerificationFailure;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The parameters created, keyid and alg, in any order, each with its type. */
class SignatureParametersTest {
  private static final String KEYID_ALG = ";keyid=\"cl-alice\";alg=\"rsa-v1_5-sha256\"";

  @ParameterizedTest
  @ValueSource(
      strings = {
        ";created=1709622489;keyid=\"cl-alice\";alg=\"rsa-v1_5-sha256\"",
        ";alg=\"rsa-v1_5-sha256\";keyid=\"cl-alice\";created=1709622489",
        ";keyid=\"cl-alice\";created=1709622489;alg=\"rsa-v1_5-sha256\"",
        ";  created=1709622489; keyid=\"cl-alice\";alg=\"rsa-v1_5-sha256\"",
        ";created=001709622489;keyid=\"cl-alice\";alg=\"rsa-v1_5-sha256\"",
      })
  void parameters_inAnyOrder_areAccepted(String parameters) {
    assertAccepted(ALICE.sign(WireRequest.GET, GET_COMPONENTS + parameters));
  }

  @ParameterizedTest
  @ValueSource(strings = {"created", "keyid", "alg"})
  void parameter_absent_isWrong(String name) {
    String fewer = PARAMETERS.replaceFirst(";" + name + "=[^;]*", "");
    assertThat(assertRefused(PARAMETERS_WRONG, signed(fewer))).hasMessageContaining(name);
  }

  @Test
  void expires_withoutCreated_isWrong() {
    assertRefused(PARAMETERS_WRONG, signed(KEYID_ALG + ";expires=1709622999"));
  }

  @ParameterizedTest
  @CsvSource({
    "created, \"1709622489\"",
    "created, 1709622489.0",
    "created, @1709622489",
    "created, -1",
    "created, ?1",
    "created, now",
    "expires, \"1709622489\"",
    "expires, 1709622489.5",
    "expires, -1",
    "keyid, cl-alice",
    "keyid, 1",
    "keyid, :Y2wtYWxpY2U=:",
    "keyid, ?1",
    "alg, rsa-v1_5-sha256",
    "alg, ?1",
    "nonce, 1",
    "nonce, abc",
    "nonce, :YWJj:",
    "tag, 1",
    "tag, tag",
  })
  void parameter_ofAnotherType_isWrong(String name, String value) {
    String others = PARAMETERS.replaceFirst(";" + name + "=[^;]*", "");
    assertThat(assertRefused(PARAMETERS_WRONG, signed(others + ";" + name + "=" + value)))
        .hasMessageContaining(name);
  }

  @ParameterizedTest
  @ValueSource(strings = {"created", "expires", "keyid", "alg", "nonce", "tag"})
  void parameter_withoutValue_isWrong(String name) {
    String others = PARAMETERS.replaceFirst(";" + name + "=[^;]*", "");
    assertRefused(PARAMETERS_WRONG, signed(others + ";" + name));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        ";created=1709622489",
        ";created=1",
        ";keyid=\"cl-bob\"",
        ";alg=\"none\"",
        ";nonce=\"a\";nonce=\"a\"",
        ";x;x",
      })
  void parameter_repeated_isWrong(String more) {
    assertThat(assertRefused(PARAMETERS_WRONG, signed(PARAMETERS + more)))
        .hasMessageContaining("occurs twice");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "none",
        "hs2019",
        "rsa-pss-sha512",
        "hmac-sha256",
        "ed25519",
        "RSA-V1_5-SHA256",
        "rsa-v1_5-sha256 ",
        "SHA256withRSA",
        "",
      })
  void alg_other_isRefused(String alg) {
    assertThat(assertRefused(ALGORITHM_WRONG, signed(PARAMETERS.replace("rsa-v1_5-sha256", alg))))
        .hasMessageContaining("was \"" + alg + "\"");
  }

  @Test
  void parameters_unknownAndTag_areSignedAndMeanNothing() {
    String more = PARAMETERS + ";tag=\"app\";x=1;created-by=*a/b;nonce=\"n-1\"";
    WireRequest signed = signed(more);

    assertThat(verify(signed).parameters().nonce()).contains("n-1");
    assertRefused(
        VerificationFailure.SIGNATURE_MISMATCH,
        signed.with(
            "Signature-Input", signed.value("signature-input").replace("\"app\"", "\"other\"")));
    assertRefused(
        VerificationFailure.SIGNATURE_MISMATCH,
        signed.with("Signature-Input", signed.value("signature-input").replace(";x=1", "")));
  }

  @Test
  void parameters_ofAVerifiedSignature_areThoseSent() {
    SignatureParameters parameters =
        verify(signed(PARAMETERS + ";expires=1709622600")).parameters();

    assertThat(parameters.created()).hasValue(CREATED);
    assertThat(parameters.expires()).hasValue(1709622600);
    assertThat(parameters.keyid()).contains("cl-alice");
    assertThat(parameters.alg()).contains("rsa-v1_5-sha256");
    assertThat(parameters.nonce()).isEmpty();
  }

  private static WireRequest signed(String parameters) {
    return ALICE.sign(WireRequest.GET, GET_COMPONENTS + parameters);
  }
}
