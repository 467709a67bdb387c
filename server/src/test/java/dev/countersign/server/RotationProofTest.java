package dev.countersign.server;

import static dev.countersign.server.SignedRotation.NEXT;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The rules for sig-next, which proves that the caller holds the new key. */
@SharedConfiguredService
class RotationProofTest {
  private TestClient client;

  @BeforeEach
  void register(TestClient registered) {
    client = registered;
  }

  @Test
  void proof_missing_isRefused() {
    RawResponse answer = client.post(SignedRotation.KEYS, SignedRotation.body(NEXT, 60)).send();

    assertUnproven(answer, "sig-next: Signature-Input has no member labelled sig-next");
  }

  @Test
  void proof_byAnotherKey_isRefusedWithItsBase() {
    RawResponse answer = SignedRotation.of(client, NEXT, 60).signedBy(client.privateKey()).send();

    assertUnproven(answer, "does not verify with publicKey");
    assertThat(answer.json().path("signatureBase").stringValue())
        .contains("\"signature\";key=\"sig\": :");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ";tag=\"another-application\""})
  void proof_withoutItsTag_isRefused(String tag) {
    assertUnproven(
        SignedRotation.of(client, NEXT, 60).withParameter(";tag=\"[a-z-]+\"", tag).send(),
        "tag must be");
  }

  @Test
  void proof_overComponentsInAnotherOrder_isRefused() {
    List<String> reversed = new ArrayList<>(SignedRotation.COMPONENTS);
    Collections.reverse(reversed);

    RawResponse answer = SignedRotation.of(client, NEXT, 60).covering(reversed).send();

    assertUnproven(answer, "in this order");
    assertThat(answer.json().path("expected").stringValue())
        .isEqualTo("(" + String.join(" ", SignedRotation.COMPONENTS) + ")");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4})
  void proof_withoutOneComponent_isRefused(int missing) {
    List<String> fewer = new ArrayList<>(SignedRotation.COMPONENTS);
    fewer.remove(missing);

    assertUnproven(
        SignedRotation.of(client, NEXT, 60).covering(fewer).send(), "the signature must cover");
  }

  @Test
  void proof_atAnotherSecond_isRefused() {
    assertUnproven(
        SignedRotation.of(client, NEXT, 60)
            .withParameter("created=[0-9]+", "created=1618884473")
            .send(),
        "created must be the same as in sig");
  }

  @Test
  void proof_underAnotherKeyid_isRefused() {
    assertUnproven(
        SignedRotation.of(client, NEXT, 60).withParameter("cl-[a-z0-9]+", "somebody").send(),
        "keyid must be the same as in sig");
  }

  @Test
  void proof_ofAnotherAlgorithm_isRefused() {
    assertUnproven(
        SignedRotation.of(client, NEXT, 60)
            .withParameter("rsa-v1_5-sha256", "rsa-pss-sha512")
            .send(),
        "alg must be");
  }

  @Test
  void proof_thatHasExpired_isRefused() {
    assertUnproven(
        SignedRotation.of(client, NEXT, 60).withParameter(";tag", ";expires=1618884473;tag").send(),
        "expires has passed");
  }

  @Test
  void proof_ofAnotherRequest_isRefused() {
    RawRequest other =
        SignedRotation.of(
                client, NEXT, SignedRotation.body(NEXT, 61), Instant.now().minusSeconds(9))
            .request();
    RawRequest request = SignedRotation.of(client, NEXT, 60).request();
    String input = request.header("Signature-Input");
    String foreign = other.header("Signature").replaceFirst("(?s).*sig-next", "sig-next");

    RawResponse answer =
        request
            .with("Signature-Input", input)
            .with("Signature", request.header("Signature").replaceFirst("sig-next.*", foreign))
            .send();

    assertUnproven(answer, "does not verify");
  }

  @Test
  void request_changedOnItsWay_isRefusedBeforeAnyProof() {
    RawRequest request = SignedRotation.of(client, NEXT, 60).request();

    assertThat(request.withBody(SignedRotation.body(NEXT, 61)).send().reason())
        .isEqualTo("digest_mismatch");
    assertThat(request.withTarget(SignedRotation.KEYS + "?a=b").send().reason())
        .isEqualTo("signature_mismatch");
    assertThat(request.withMethod("PUT").send().reason()).isEqualTo("signature_mismatch");
  }

  @Test
  void request_sentTwice_isAReplay() {
    RawRequest request = SignedRotation.of(client, TestService.newKeyPair(), 60).request();

    assertThat(request.send().status()).isEqualTo(201);
    assertThat(request.send().reason()).isEqualTo("replayed");
  }

  private static void assertUnproven(RawResponse answer, String detail) {
    assertThat(answer.status()).as(answer.body()).isEqualTo(422);
    assertThat(answer.reason()).isEqualTo("possession_unproven");
    assertThat(answer.json().path("detail").stringValue())
        .startsWith("sig-next: ")
        .contains(detail);
  }
}
