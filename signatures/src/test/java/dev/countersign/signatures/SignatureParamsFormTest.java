package dev.countersign.signatures;

import static dev.countersign.signatures.AliceVerification.NOW;
import static dev.countersign.signatures.AliceVerification.refusal;
import static dev.countersign.signatures.AliceVerification.verify;
import static dev.countersign.signatures.HandSigner.ALICE;
import static dev.countersign.signatures.HandSigner.BOB;
import static dev.countersign.signatures.HandSigner.GET_PARAMS;
import static dev.countersign.signatures.Profiles.PARTNER_V1;
import static dev.countersign.signatures.base.VerificationFailure.SIGNATURE_MISMATCH;
import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.signatures.base.ComponentIdentifier;
import dev.countersign.signatures.base.HttpMessage;
import dev.countersign.signatures.base.VerificationException;
import dev.countersign.signatures.keys.CountingProvider;
import dev.countersign.signatures.keys.CryptoProvider;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The two texts of {@code @signature-params}: serialized (RFC 9421 sections 2.3 and 3.2), and as
 * spelled in Signature-Input, which the partner interface signs.
 */
class SignatureParamsFormTest {
  private static final String BLANKS =
      "(\"@method\" \"@target-uri\" \"date\"); created=1709622489; keyid=\"cl-alice\";"
          + " alg=\"rsa-v1_5-sha256\"";

  private static final WireRequest CANONICAL = ALICE.sign(WireRequest.GET, GET_PARAMS);

  /** The rules of a profile that follows only the RFC. */
  private static final SignatureProfile STRICT =
      SignatureProfile.covering("@method", "@target-uri", "date");

  /** The text that a signer signs who spells Signature-Input with blanks. */
  enum Form {
    SERIALIZED(GET_PARAMS),
    AS_SPELLED(BLANKS);

    private final String params;

    Form(String params) {
      this.params = params;
    }

    WireRequest signedByAlice() {
      return ALICE.sign(WireRequest.GET, params).with("Signature-Input", "sig=" + BLANKS);
    }

    String base() {
      return HandSigner.base(WireRequest.GET, params);
    }
  }

  @ParameterizedTest
  @EnumSource
  void signatureInput_withBlanks_isAcceptedOverTheBaseThatWasSigned(Form form) {
    assertThat(verify(form.signedByAlice()).base().text()).isEqualTo(form.base());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        BLANKS,
        "( \"@method\"  \"@target-uri\" \"date\"  );created=1709622489;keyid=\"cl-alice\";"
            + "alg=\"rsa-v1_5-sha256\"",
        "(\"@method\" \"@target-uri\" \"date\");created=0001709622489;keyid=\"cl-alice\";"
            + "alg=\"rsa-v1_5-sha256\"",
      })
  void signatureInput_respelledOnTheWay_hasTheBaseThatWasSigned(String params) {
    WireRequest request = CANONICAL.with("Signature-Input", "sig=" + params);
    assertThat(verify(request).base()).isEqualTo(verify(CANONICAL).base());
    assertThat(verify(request, STRICT, NOW).base()).isEqualTo(verify(CANONICAL).base());
  }

  @Test
  void signatureInput_signedAsSpelled_cannotBeRespelled() {
    WireRequest request = Form.AS_SPELLED.signedByAlice();
    for (String params : List.of(GET_PARAMS, BLANKS.replace("; alg", ";  alg"))) {
      assertMismatch(request.with("Signature-Input", "sig=" + params), PARTNER_V1);
    }
  }

  @Test
  void signatureInput_signedAsSpelled_isRefusedByAProfileOfTheRfc() {
    VerificationException refusal = assertMismatch(Form.AS_SPELLED.signedByAlice(), STRICT);
    assertThat(refusal.signatureBase().orElseThrow().text()).isEqualTo(Form.SERIALIZED.base());
  }

  @ParameterizedTest
  @EnumSource
  void message_tamperedWith_isRefused(Form form) {
    WireRequest request = form.signedByAlice();
    for (HttpMessage changed :
        List.of(
            Tampering.withOther(ComponentIdentifier.of("@method"), request),
            Tampering.withOther(ComponentIdentifier.of("@target-uri"), request),
            request.with("Date", "Tue, 05 Mar 2024 07:08:10 GMT"),
            Tampering.withOtherCreated("sig", request),
            Tampering.withOtherSignature("sig", request),
            BOB.sign(request, BLANKS))) {
      assertMismatch((WireRequest) changed, PARTNER_V1);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "; created, ; nonce=\"n\"; created",
    "; created, ; tag=\"t\"; created",
    "; alg=\"rsa-v1_5-sha256\", ; alg=\"rsa-v1_5-sha256\"; expires=1709622999",
    "; created=1709622489; keyid=\"cl-alice\", ; keyid=\"cl-alice\"; created=1709622489",
  })
  void parameters_addedOrReorderedOnTheWay_areRefusedInEitherForm(String part, String other) {
    String params = BLANKS.replace(part, other);
    assertThat(params).isNotEqualTo(BLANKS);
    for (Form form : Form.values()) {
      assertMismatch(form.signedByAlice().with("Signature-Input", "sig=" + params), PARTNER_V1);
    }
  }

  @Test
  void mismatch_ofASpelledInput_reportsTheBaseAsReceived() {
    VerificationException refusal = assertMismatch(BOB.sign(WireRequest.GET, BLANKS), PARTNER_V1);
    assertThat(refusal.signatureBase().orElseThrow().text()).isEqualTo(Form.AS_SPELLED.base());
  }

  @Test
  void verification_ofCanonicalInput_takesOneOperationForEachKey() {
    assertThat(operations(CANONICAL)).isEqualTo(1);
    assertThat(operations(Tampering.withOtherSignature("sig", CANONICAL))).isEqualTo(2);
  }

  @Test
  void verification_ofSpelledInput_takesAtMostTwoOperationsForEachKey() {
    assertThat(operations(Form.AS_SPELLED.signedByAlice())).isEqualTo(1);
    assertThat(operations(Form.SERIALIZED.signedByAlice())).isEqualTo(3);
    HttpMessage tampered = Tampering.withOtherSignature("sig", Form.SERIALIZED.signedByAlice());
    assertThat(operations(tampered)).isEqualTo(4);
  }

  /** Counts the verifications for a client with two keys, of which Alice's is the first. */
  private static int operations(HttpMessage request) {
    CountingProvider counting = new CountingProvider();
    CryptoProvider crypto = CryptoProvider.of(counting);
    List<VerificationKey> keys =
        List.of(ALICE.verificationKey(crypto), BOB.verificationKey(crypto));
    try {
      PARTNER_V1.read(request).checkProfile().verify(keys);
    } catch (VerificationException mismatch) {
      assertThat(mismatch.failure()).isEqualTo(SIGNATURE_MISMATCH);
    }
    return counting.verifications();
  }

  private static VerificationException assertMismatch(
      WireRequest request, SignatureProfile profile) {
    VerificationException refusal = refusal(request, profile, NOW);
    assertThat(refusal.failure()).as(refusal.getMessage()).isEqualTo(SIGNATURE_MISMATCH);
    return refusal;
  }
}
