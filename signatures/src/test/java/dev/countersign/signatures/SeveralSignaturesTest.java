package dev.countersign.signatures;

import static dev.countersign.signatures.AliceVerification.NOW;
import static dev.countersign.signatures.HandSigner.ALICE;
import static dev.countersign.signatures.HandSigner.BOB;
import static dev.countersign.signatures.Verdicts.is;
import static dev.countersign.signatures.base.VerificationFailure.COMPONENTS_WRONG;
import static dev.countersign.signatures.base.VerificationFailure.LABEL_MISSING;
import static dev.countersign.signatures.base.VerificationFailure.PARAMETERS_WRONG;
import static dev.countersign.signatures.base.VerificationFailure.SIGNATURE_MISMATCH;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.countersign.signatures.base.HttpMessage;
import dev.countersign.signatures.base.SignatureInput;
import dev.countersign.signatures.keys.CryptoProvider;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Several signatures on one message (RFC 9421 section 4.3): first Alice signs, then Bob's proxy.
 */
class SeveralSignaturesTest {
  private static final SignatureProfile CLIENT =
      SignatureProfile.covering("@method", "@path").withLabel("client").withTag("app");
  private static final SignatureProfile PROXY =
      SignatureProfile.covering(
              Values.components(
                  "\"@authority\"",
                  "\"signature\";key=\"client\"",
                  "\"signature-input\";key=\"client\""))
          .withLabel("proxy")
          .withTag("edge");

  private static final AnyRequest BY_CLIENT = signedBy(ALICE, CLIENT, AnyRequest.GET);
  private static final AnyRequest BY_BOTH = signedBy(BOB, PROXY, BY_CLIENT);

  private static MessageSigner signer(HandSigner handSigner, SignatureProfile profile) {
    return new MessageSigner(profile, handSigner.signingKey(CryptoProvider.jdk()));
  }

  private static <T extends HttpMessage & AnyMessage<T>> T signedBy(
      HandSigner handSigner, SignatureProfile profile, T message) {
    SignedFields fields = signer(handSigner, profile).sign(message, NOW);
    return message
        .plus("Signature-Input", fields.signatureInput())
        .plus("Signature", fields.signature());
  }

  private static VerifiedSignature verify(SignatureProfile profile, HttpMessage message) {
    CryptoProvider crypto = CryptoProvider.jdk();
    KeyLookup keys =
        keyid ->
            List.of(ALICE, BOB).stream()
                .filter(handSigner -> handSigner.clientId().equals(keyid))
                .map(handSigner -> handSigner.verificationKey(crypto))
                .toList();
    return new MessageVerifier(profile, keys, Verdicts.clock(NOW), crypto)
        .verify(message, new byte[0]);
  }

  @Test
  void signatureAdded_leavesTheOthersAsTheyAre() {
    assertThat(BY_BOTH.headers().lines().subList(0, 2)).isEqualTo(BY_CLIENT.headers().lines());
    assertThat(verify(CLIENT, BY_BOTH).base()).isEqualTo(verify(CLIENT, BY_CLIENT).base());
    assertThat(verify(PROXY, BY_BOTH).parameters().keyid()).contains("cl-bob");
  }

  @Test
  void signatures_areVerifiedInOneLineToo() {
    AnyRequest joined =
        AnyRequest.GET
            .plus("Signature", String.join(" ,\t", BY_BOTH.fieldLines("signature")))
            .plus("Signature-Input", String.join(",", BY_BOTH.fieldLines("signature-input")));
    assertThat(verify(CLIENT, joined).label()).isEqualTo("client");
    assertThat(verify(PROXY, joined).label()).isEqualTo("proxy");
  }

  @Test
  void signatures_areFoundByTheirTagAlone() {
    SignatureProfile edge = SignatureProfile.covering("@authority").withTag("edge");
    SignatureProfile app = SignatureProfile.covering("@method", "@path").withTag("app");
    assertThat(verify(edge, BY_BOTH).label()).isEqualTo("proxy");
    assertThat(verify(app, BY_BOTH).label()).isEqualTo("client");
  }

  @Test
  void signatureOfASignature_holdsItsBytesAndItsInput() {
    String value = BY_CLIENT.fieldLines("signature").get(0).substring("client=".length());
    String input = BY_CLIENT.fieldLines("signature-input").get(0).substring("client=".length());
    assertThat(verify(PROXY, BY_BOTH).base().text())
        .startsWith(
            "\"@authority\": api.example.com\n\"signature\";key=\"client\": "
                + value
                + "\n\"signature-input\";key=\"client\": "
                + input
                + "\n\"@signature-params\": (");
  }

  @Test
  void signatureOfASignature_thatIsMadeAnew_isAMismatch() {
    AnyRequest again = signedBy(ALICE, CLIENT.withRequiredParameters("nonce"), AnyRequest.GET);
    AnyRequest replaced = again;
    replaced = replaced.plus("Signature-Input", BY_BOTH.fieldLines("signature-input").get(1));
    AnyRequest swapped = replaced.plus("Signature", BY_BOTH.fieldLines("signature").get(1));
    verify(CLIENT, swapped);
    is(SIGNATURE_MISMATCH, () -> verify(PROXY, swapped));
  }

  @Test
  void signatureThatAnotherSigned_stripped_isMissedByBoth() {
    for (String field : List.of("Signature", "Signature-Input")) {
      AnyRequest stripped = BY_BOTH.without(field).plus(field, BY_BOTH.fieldLines(field).get(1));
      is(LABEL_MISSING, () -> verify(CLIENT, stripped));
      is(COMPONENTS_WRONG, () -> verify(PROXY, stripped));
    }
  }

  @Test
  void signatures_swappedUnderTheirLabels_areRefused() {
    String client = BY_BOTH.fieldLines("signature").get(0).replace("client=", "proxy=");
    String proxy = BY_BOTH.fieldLines("signature").get(1).replace("proxy=", "client=");
    AnyRequest swapped =
        BY_BOTH.without("Signature").plus("Signature", client).plus("Signature", proxy);
    is(SIGNATURE_MISMATCH, () -> verify(CLIENT, swapped));
    is(SIGNATURE_MISMATCH, () -> verify(PROXY, swapped));
  }

  /** A label is not signed; the tag keeps applications apart. */
  @Test
  void labels_swappedInBothFields_areCaughtByTheTag() {
    AnyRequest swapped = AnyRequest.GET;
    for (WireRequest.Line line : BY_BOTH.headers().lines()) {
      String value = line.value();
      String other =
          value.startsWith("client=")
              ? "proxy=" + value.substring("client=".length())
              : "client=" + value.substring("proxy=".length());
      swapped = swapped.plus(line.name(), other);
    }
    AnyRequest both = swapped;
    is(COMPONENTS_WRONG, () -> verify(CLIENT, both));
    SignatureProfile loose = SignatureProfile.covering().withLabel("client");
    is(PARAMETERS_WRONG, () -> verify(loose.withTag("app"), both));
    assertThat(verify(SignatureProfile.covering().withTag("app"), both).label()).isEqualTo("proxy");
  }

  @Test
  void label_thatTheMessageHasAlready_isRefused() {
    for (String field : List.of("Signature", "Signature-Input")) {
      AnyRequest half = AnyRequest.GET.plus(field, BY_CLIENT.fieldLines(field).get(0));
      assertThatIllegalArgumentException()
          .isThrownBy(() -> signedBy(BOB, CLIENT, half))
          .withMessageContaining("client");
    }
    assertThatIllegalArgumentException().isThrownBy(() -> signedBy(BOB, CLIENT, BY_BOTH));
  }

  @ParameterizedTest
  @ValueSource(strings = {"=", "a=1,", "A=()", "(a)"})
  void signatureFields_thatCannotBeRead_areNotAddedTo(String malformed) {
    for (String field : List.of("Signature", "Signature-Input")) {
      AnyRequest request = AnyRequest.GET.plus(field, malformed);
      assertThatIllegalArgumentException().isThrownBy(() -> signedBy(BOB, CLIENT, request));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "Sig", "a b", "1", "a\r\nX: y"})
  void label_thatIsNoKey_isRefused(String label) {
    SignatureInput input = SignatureInput.parse("(\"@method\")");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> signer(ALICE, CLIENT).sign(AnyRequest.GET, label, input));
  }

  @Test
  void keyidOrAlg_thatIsNotThatOfTheKey_isRefusedWhenSigning() {
    for (String parameter : List.of("keyid=\"cl-bob\"", "alg=\"ed25519\"", "alg=\"\"")) {
      SignatureInput input = SignatureInput.parse("(\"@method\");" + parameter);
      assertThatIllegalArgumentException()
          .isThrownBy(() -> signer(ALICE, CLIENT).sign(AnyRequest.GET, "a", input));
    }
  }

  @Test
  void component_thatCannotBeCovered_isRefusedWhenSigning() {
    for (String components :
        List.of(
            "\"x-absent\"", "\"@method\" \"@method\"", "\"@status\"", "\"@signature-params\"")) {
      SignatureInput input = SignatureInput.parse("(" + components + ")");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> signer(ALICE, CLIENT).sign(AnyRequest.GET, "a", input));
    }
  }

  @Test
  void response_thatCoversTheRequestsSignature_isBoundToIt() {
    SignatureProfile bound =
        SignatureProfile.covering(
            Values.components("\"@status\"", "\"signature\";req;key=\"client\""));
    AnyResponse response = signedBy(BOB, bound, AnyResponse.to(BY_CLIENT));
    verify(bound, response);

    AnyRequest later = signedBy(ALICE, CLIENT.withRequiredParameters("nonce"), AnyRequest.GET);
    is(SIGNATURE_MISMATCH, () -> verify(bound, response.answering(later)));
    is(COMPONENTS_WRONG, () -> verify(bound, response.answering(AnyRequest.GET)));
  }
}
