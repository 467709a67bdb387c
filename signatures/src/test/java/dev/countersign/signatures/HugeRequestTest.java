package dev.countersign.signatures;

import static dev.countersign.signatures.HandSigner.ALICE;
import static dev.countersign.signatures.HandSigner.GET_PARAMS;
import static dev.countersign.signatures.Soon.soon;
import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.signatures.base.VerificationFailure;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Requests far larger than a server accepts, which quadratic code could not process. */
class HugeRequestTest {
  private static final int MANY = 300_000;
  private static final WireRequest SIGNED = ALICE.sign(WireRequest.GET, GET_PARAMS);

  @Test
  void labels_aThousandOthers_areIgnored() {
    String others = many(1000, i -> "s" + i + "=:YQ==:, ");
    String inputs = many(1000, i -> "s" + i + "=(\"@method\");created=1;keyid=\"a\", ");
    assertSoon(
        () ->
            AliceVerification.assertAccepted(
                SIGNED
                    .with("Signature", others + SIGNED.value("signature"))
                    .with("Signature-Input", inputs + SIGNED.value("signature-input"))));
  }

  @Test
  void labels_inManyLines_areRefusedOrIgnoredSoon() {
    String others = many(MANY, i -> "s" + i + ", ");
    assertSoon(
        () ->
            AliceVerification.assertAccepted(
                SIGNED.with("Signature", others + SIGNED.value("signature"))));
    assertRefusedSoon(
        VerificationFailure.SIGNATURE_MALFORMED,
        SIGNED.with("Signature", "a, ".repeat(MANY) + SIGNED.value("signature")));
  }

  @Test
  void components_many_areWrong() {
    String components = many(MANY, i -> "\"x" + i + "\" ");
    assertRefusedSoon(
        VerificationFailure.COMPONENTS_WRONG,
        SIGNED.with("Signature-Input", "sig=(" + components + ")" + HandSigner.PARAMETERS));
    assertRefusedSoon(
        VerificationFailure.COMPONENTS_WRONG,
        SIGNED.with("Signature-Input", "sig=(" + "\"date\" ".repeat(MANY) + ")"));
  }

  @Test
  void parameters_many_areSignedOrRefused() {
    String more = many(MANY, i -> ";p" + i + "=1");
    assertSoon(
        () -> AliceVerification.assertAccepted(ALICE.sign(WireRequest.GET, GET_PARAMS + more)));
    assertRefusedSoon(
        VerificationFailure.PARAMETERS_WRONG,
        SIGNED.with("Signature-Input", "sig=" + GET_PARAMS + ";p".repeat(MANY)));
  }

  @Test
  void values_long_areReadOnce() {
    String text = "x".repeat(100_000);
    assertSoon(
        () -> {
          AliceVerification.assertAccepted(
              ALICE.sign(
                  WireRequest.GET.withTargetUri("https://a/" + text),
                  GET_PARAMS + ";tag=\"" + text + "\""));
          AliceVerification.assertAccepted(
              ALICE.sign(
                  WireRequest.GET.plus("Idempotency-Key", " ".repeat(100_000) + text),
                  GET_PARAMS.replace("\"date\"", "\"date\" \"idempotency-key\"")));
        });
    assertRefusedSoon(
        VerificationFailure.DATE_MALFORMED,
        ALICE.sign(WireRequest.GET.with("Date", text), GET_PARAMS));
    assertRefusedSoon(
        VerificationFailure.DIGEST_MALFORMED,
        ALICE.sign(
            WireRequest.POST.with("Content-Digest", many(MANY, i -> "d" + i + ", ") + "z"),
            HandSigner.POST_PARAMS));
  }

  @Test
  void lines_many_areJoined() {
    WireRequest request = WireRequest.GET;
    for (int i = 0; i < 1000; i++) {
      request = request.plus("Idempotency-Key", "a");
    }
    WireRequest signed =
        ALICE.sign(request, GET_PARAMS.replace("\"date\"", "\"date\" \"idempotency-key\""));
    assertSoon(() -> AliceVerification.assertAccepted(signed));
  }

  private static String many(int count, Function<Integer, String> piece) {
    return IntStream.range(0, count).boxed().map(piece).collect(Collectors.joining());
  }

  private static void assertRefusedSoon(VerificationFailure failure, WireRequest request) {
    assertSoon(() -> assertThat(AliceVerification.assertRefused(failure, request)).isNotNull());
  }

  private static void assertSoon(Runnable check) {
    soon(check);
  }
}
