package dev.countersign.signatures;

import static dev.countersign.signatures.AcceptSignatureException.Reason.NOT_APPLICABLE;
import static dev.countersign.signatures.AcceptSignatureException.Reason.NOT_FULFILLABLE;
import static dev.countersign.signatures.AliceVerification.NOW;
import static dev.countersign.signatures.HandSigner.ALICE;
import static dev.countersign.signatures.Verdicts.accepted;
import static dev.countersign.signatures.Verdicts.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.countersign.signatures.AcceptSignatureException.Reason;
import dev.countersign.signatures.base.ComponentIdentifier;
import dev.countersign.signatures.base.HttpDate;
import dev.countersign.signatures.base.HttpMessage;
import dev.countersign.signatures.base.VerificationFailure;
import dev.countersign.signatures.keys.CryptoProvider;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** One party asks for a signature, the other makes it (RFC 9421 section 5.2). */
class NegotiationTest {
  private static final MessageSigner SIGNER =
      new MessageSigner(SignatureProfile.covering(), ALICE.signingKey(CryptoProvider.jdk()));

  private static SignatureRequest read(String member) {
    return AcceptSignature.parse(List.of(member)).requests().get(0);
  }

  private static <T extends HttpMessage & AnyMessage<T>> T answered(String member, T message) {
    SignedFields fields = SIGNER.answer(read(member), message, NOW);
    return message
        .plus("Signature-Input", fields.signatureInput())
        .plus("Signature", fields.signature());
  }

  private static String input(String member, HttpMessage message) {
    return SIGNER.answer(read(member), message, NOW).signatureInput();
  }

  private static void refusedAs(Reason reason, String member, HttpMessage message) {
    AcceptSignatureException refusal =
        catchThrowableOfType(
            AcceptSignatureException.class, () -> SIGNER.answer(read(member), message, NOW));
    assertThat(refusal).as("a refusal of " + member).isNotNull();
    assertThat(refusal.reason()).as(refusal.getMessage()).isEqualTo(reason);
  }

  @ParameterizedTest
  @CsvSource({
    "'a=()', 'a=();created=1709622489;keyid=\"cl-alice\"'",
    "'a=(\"@method\");created', 'a=(\"@method\");created=1709622489;keyid=\"cl-alice\"'",
    "'a=();keyid;created', 'a=();keyid=\"cl-alice\";created=1709622489'",
    "'a=();expires', 'a=();expires=1709622789;created=1709622489;keyid=\"cl-alice\"'",
    "'a=();keyid=\"cl-alice\"', 'a=();keyid=\"cl-alice\";created=1709622489'",
    "'a=();alg', 'a=();alg=\"rsa-v1_5-sha256\";created=1709622489;keyid=\"cl-alice\"'",
    "'a=();alg=\"rsa-v1_5-sha256\"',"
        + " 'a=();alg=\"rsa-v1_5-sha256\";created=1709622489;keyid=\"cl-alice\"'",
    "'a=();nonce=\"n\";tag=\"t\"',"
        + " 'a=();nonce=\"n\";tag=\"t\";created=1709622489;keyid=\"cl-alice\"'",
  })
  void answer_saysWhatIsAskedForAndWhenAndByWhichKey(String asked, String answer) {
    assertThat(input(asked, AnyRequest.GET)).isEqualTo(answer);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a=();keyid=\"cl-bob\"",
        "a=();keyid=\"\"",
        "a=();alg=\"ed25519\"",
        "a=();alg=\"hmac-sha256\"",
        "a=();alg=\"RSA-V1_5-SHA256\"",
        "a=();alg=\"none\"",
        "a=();unknown",
        "a=();created;x=1",
      })
  void answer_thatNeedsAnotherKeyOrAParameterNobodyKnows_isNotFulfillable(String asked) {
    refusedAs(NOT_FULFILLABLE, asked, AnyRequest.GET);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a=(\"@status\")",
        "a=(\"x-absent\")",
        "a=(\"@method\";req)",
        "a=(\"@method\" \"@method\")",
        "a=(\"@signature-params\")",
        "a=(\"@unknown\")",
        "a=(\"host\";sf)",
        "a=(\"host\";x)",
        "a=(\"host\";sf;bs)",
        "a=(\"@query-param\";name=\"absent\")",
      })
  void answer_thatTheMessageDoesNotAllow_isNotApplicable(String asked) {
    refusedAs(NOT_APPLICABLE, asked, AnyRequest.GET.plus("Host", "api.example.com"));
  }

  @Test
  void answer_underALabelThatIsTaken_isNotApplicable() {
    refusedAs(NOT_APPLICABLE, "a=()", answered("a=()", AnyRequest.GET));
  }

  @Test
  void serverAsks_clientAnswers_serverVerifies() {
    SignatureProfile server =
        SignatureProfile.covering("@method", "@target-uri")
            .withTag("pay")
            .withRequiredParameters("expires", "alg")
            .withNothingElseCovered();
    for (AnyRequest request : List.of(AnyRequest.GET, AnyRequest.post("a"))) {
      String body = request.method().equals("POST") ? "a" : "";
      refused(VerificationFailure.SIGNATURE_MISSING, server, request, body);
      String asked = server.acceptSignature(request);
      VerifiedSignature verified = accepted(server, answered(asked, request), body);
      assertThat(verified.parameters().tag()).contains("pay");
    }
  }

  @Test
  void serverAsks_whatIsCoveredWhereSent_isAskedForWhereItWasSent() {
    SignatureProfile server =
        SignatureProfile.covering("@method")
            .withCoveredWhereSent(ComponentIdentifier.of("x-limit"))
            .withCoveredWhereSent(ComponentIdentifier.queryParam("page"))
            .withCoveredWhereSent(ComponentIdentifier.queryParam("size"));
    AnyRequest request = AnyRequest.GET.plus("X-Limit", "1");
    String asked = server.acceptSignature(request);
    assertThat(asked)
        .isEqualTo("sig=(\"@method\" \"x-limit\" \"@query-param\";name=\"page\");created;keyid");
    accepted(server, answered(asked, request));
  }

  @Test
  void serverAsks_whatIsAllowedToBeMissing_isNotAskedFor() {
    SignatureProfile server =
        SignatureProfile.covering("@method")
            .withDateAtCreated()
            .allowMissingDate()
            .allowUnsignedBody()
            .allowMissingCreated()
            .allowMissingKeyid();
    AnyRequest dated = AnyRequest.post("a").plus("Date", HttpDate.format(NOW));
    assertThat(server.acceptSignature(dated)).isEqualTo("sig=(\"@method\")");
    MessageSigner signer = new MessageSigner(server, ALICE.signingKey(CryptoProvider.jdk()));
    SignedFields answer = signer.answer(read("sig=(\"@method\")"), dated, NOW);
    AnyRequest signed =
        dated
            .plus("Signature-Input", answer.signatureInput())
            .plus("Signature", answer.signature());
    accepted(server, signed, "a");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "x=();tag=\"payments\";nonce=\"n\"",
        "x=(\"@method\");tag=\"payments\";nonce=\"n\"",
        "x=(\"@method\" \"@authority\");tag=\"login\";nonce=\"n\"",
        "x=(\"@method\" \"@authority\");nonce=\"n\"",
        "x=(\"@method\" \"@authority\");tag=\"payments\"",
      })
  void answer_ofWhatTheSignersOwnProfileWouldNotTake_isNotGiven(String asked) {
    SignatureProfile payments =
        SignatureProfile.covering("@method", "@authority")
            .withTag("payments")
            .withRequiredParameters("nonce");
    MessageSigner signer = new MessageSigner(payments, ALICE.signingKey(CryptoProvider.jdk()));
    AcceptSignatureException refusal =
        catchThrowableOfType(
            AcceptSignatureException.class, () -> signer.answer(read(asked), AnyRequest.GET, NOW));
    assertThat(refusal).as(asked).isNotNull();
    assertThat(refusal.reason()).isEqualTo(Reason.NOT_FULFILLABLE);
  }

  @Test
  void requestAsks_responseAnswers_clientVerifies() {
    String asked =
        "sig=(\"@status\" \"content-digest\" \"@method\";req \"@target-uri\";req"
            + " \"content-digest\";req);created;keyid;nonce=\"n1\";tag=\"answer\"";
    AnyRequest request = AnyRequest.post("a").plus("Accept-Signature", asked);
    AnyResponse response = AnyResponse.to(request).withBody("b");
    AnyResponse signed = answered(request.fieldLines("accept-signature").get(0), response);

    SignatureProfile client =
        SignatureProfile.covering(read(asked).components())
            .withTag("answer")
            .withRequiredParameters("nonce")
            .withNothingElseCovered();
    assertThat(accepted(client, signed, "b").parameters().nonce()).contains("n1");
    refused(VerificationFailure.DIGEST_MISMATCH, client, signed, "c");
    refused(
        VerificationFailure.SIGNATURE_MISMATCH,
        client,
        signed.answering(AnyRequest.post("other")),
        "b");
    refused(VerificationFailure.SIGNATURE_MISMATCH, client, signed.withStatus(201), "b");
  }

  @Test
  void requestAsks_responseWithoutWhatIsAskedFor_isNotApplicable() {
    AnyResponse noBody = AnyResponse.to(AnyRequest.GET);
    refusedAs(NOT_APPLICABLE, "sig=(\"@status\" \"content-digest\")", noBody);
    refusedAs(NOT_APPLICABLE, "sig=(\"@status\" \"content-digest\";req)", noBody);
    refusedAs(NOT_APPLICABLE, "sig=(\"@method\")", noBody);
    refusedAs(NOT_APPLICABLE, "sig=(\"@method\";req)", AnyResponse.of(200));
    assertThat(input("sig=(\"@status\" \"@method\";req)", noBody)).startsWith("sig=(");
  }
}
