package dev.countersign.server;

import static dev.countersign.server.SignedRotation.NEXT;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A service that accepts the only signature of a request under any label. */
class AnyLabelTest {
  private static TestService service;
  private static TestClient client;

  @BeforeAll
  static void start(@TempDir Path data) {
    service = TestService.start(data, 1, "countersign.access.label=any", TestService.ROTATING);
    client = service.registerRotating();
  }

  @AfterAll
  static void stop() {
    service.close();
  }

  private static RawRequest get() {
    return client.get("/ledger/v1/wallets?size=1");
  }

  private static RawRequest labelled(RawRequest request, String label) {
    RawRequest relabelled = request;
    for (String field : List.of("Signature-Input", "Signature")) {
      relabelled = relabelled.with(field, request.header(field).replaceFirst("^sig=", label + "="));
    }
    return relabelled;
  }

  private static void assertRefused(RawRequest request, String reason, String detail) {
    RawResponse refused = request.send();
    assertThat(refused.reason()).as(refused.body()).isEqualTo(reason);
    assertThat(refused.json().path("detail").asString()).contains(detail);
  }

  @ParameterizedTest
  @ValueSource(strings = {"sig", "partner-1", "*"})
  void onlySignature_underAnyLabel_isTaken(String label) {
    assertThat(labelled(get(), label).send().status()).isEqualTo(200);
  }

  @Test
  void twoSignatures_areRefusedWithTheirLabels() {
    RawRequest one = get();
    RawRequest two =
        one.with("Signature-Input", one.header("Signature-Input") + ", proxy=()")
            .with("Signature", one.header("Signature") + ", proxy=:YQ==:");
    assertRefused(two, "signature_malformed", "more than one signature");
    assertRefused(two, "signature_malformed", "it has sig, proxy");
  }

  @Test
  void noSignature_isRefusedWithTheLabelsFound() {
    assertRefused(get().with("Signature-Input", ""), "label_missing", "labels found: none");
    assertRefused(
        labelled(get(), "sig-next"),
        "label_missing",
        "no signature other than sig-next; labels found: sig-next");
    RawRequest torn = labelled(get(), "a").with("Signature", "b=:YQ==:");
    assertRefused(
        torn, "label_missing", "Signature has no member labelled a; labels found: b; write a=…");
  }

  @Test
  void acceptSignature_asksForSig() {
    assertThat(get().without("Signature").send().header("accept-signature")).startsWith("sig=(");
  }

  @Test
  void copyOfAPost_relabelled_isReplayed() {
    RawRequest post =
        client.post("/ledger/v1/wallets", "{\"name\":\"Savings\",\"currencyCode\":\"EUR\"}");
    assertThat(labelled(post, "mine").send().status()).isEqualTo(201);
    assertRefused(post, "replayed", "accepted before");
  }

  @Test
  void rotation_underAnyLabel_isProvenBesideIt() {
    TestClient rotating = service.registerRotating();
    TestRequest first = rotating.signed("POST", SignedRotation.KEYS, SignedRotation.body(NEXT, 60));
    TestRequest rotation = SignedRotation.signedAgain(first.labelled("mine"), NEXT);
    assertThat(rotation.covering(SignedRotation.COMPONENTS).send().reason())
        .isEqualTo("possession_unproven");
    assertThat(rotation.send().status()).isEqualTo(201);
  }
}
