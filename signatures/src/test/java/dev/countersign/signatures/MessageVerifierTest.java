package dev.countersign.signatures;

import static dev.countersign.signatures.AliceVerification.NOW;
import static dev.countersign.signatures.AliceVerification.assertAccepted;
import static dev.countersign.signatures.AliceVerification.assertRefused;
import static dev.countersign.signatures.HandSigner.ALICE;
import static dev.countersign.signatures.HandSigner.BOB;
import static dev.countersign.signatures.HandSigner.GET_PARAMS;
import static dev.countersign.signatures.HandSigner.PARAMETERS;
import static dev.countersign.signatures.HandSigner.POST_PARAMS;
import static dev.countersign.signatures.base.VerificationFailure.COMPONENTS_WRONG;
import static dev.countersign.signatures.base.VerificationFailure.SIGNATURE_MALFORMED;
import static dev.countersign.signatures.base.VerificationFailure.SIGNATURE_MISMATCH;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.countersign.signatures.base.ComponentIdentifier;
import dev.countersign.signatures.base.SignatureBase;
import dev.countersign.signatures.base.StructuredFieldRegistry;
import dev.countersign.signatures.base.VerificationException;
import dev.countersign.signatures.base.VerificationFailure;
import dev.countersign.signatures.keys.CryptoProvider;
import dev.countersign.signatures.keys.TestedProvider;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A complete verification: valid messages verify, and any change to them is detected. */
class MessageVerifierTest {
  private static final WireRequest GET = ALICE.sign(WireRequest.GET, GET_PARAMS);

  @ParameterizedTest
  @EnumSource
  void verify_whatAPartnerSigned_listsWhatIsCovered(TestedProvider provider) {
    WireRequest request = ALICE.sign(WireRequest.POST, POST_PARAMS);
    VerifiedSignature verified =
        AliceVerification.verifier(Profiles.PARTNER_V1, NOW, provider.get())
            .verify(request, request.body());

    assertThat(verified.components())
        .extracting(ComponentIdentifier::name)
        .containsExactly("@method", "@target-uri", "content-digest", "date");
    assertThat(verified.covers("content-type")).isFalse();
    assertThat(verified.base().text()).isEqualTo(HandSigner.base(request, POST_PARAMS));
  }

  @Test
  void verify_expiredOrWithoutItsDigest_looksUpNoKey() {
    KeyLookup keys =
        keyid -> {
          throw new AssertionError("a look-up of " + keyid);
        };
    WireRequest post = ALICE.sign(WireRequest.POST, POST_PARAMS).without("Content-Digest");
    assertThatExceptionOfType(VerificationException.class)
        .isThrownBy(() -> verifier(keys, NOW.plusSeconds(301)).verify(GET, GET.body()));
    assertThatExceptionOfType(VerificationException.class)
        .isThrownBy(() -> verifier(keys, NOW).verify(post, post.body()));
    assertThatExceptionOfType(AssertionError.class)
        .isThrownBy(() -> verifier(keys, NOW).verify(GET, GET.body()));
  }

  private static MessageVerifier verifier(KeyLookup keys, Instant now) {
    return new MessageVerifier(
        Profiles.PARTNER_V1, keys, Clock.fixed(now, ZoneOffset.UTC), CryptoProvider.jdk());
  }

  @ParameterizedTest
  @EnumSource
  void verify_everyBitOfTheSignatureFlipped_isAMismatch(TestedProvider provider) {
    MessageVerifier verifier = AliceVerification.verifier(Profiles.PARTNER_V1, NOW, provider.get());
    byte[] signature =
        Base64.getDecoder().decode(ALICE.signature(HandSigner.base(GET, GET_PARAMS)));
    assertThat(signature).hasSize(256);
    for (int bit = 0; bit < 2048; bit++) {
      byte[] flipped = signature.clone();
      flipped[bit / 8] ^= (byte) (1 << bit % 8);
      assertThat(refusal(verifier, flipped)).as("bit " + bit).isEqualTo(SIGNATURE_MISMATCH);
    }
  }

  @ParameterizedTest
  @EnumSource
  void verify_signatureOfAnotherLength_isAMismatch(TestedProvider provider) {
    MessageVerifier verifier = AliceVerification.verifier(Profiles.PARTNER_V1, NOW, provider.get());
    byte[] signature =
        Base64.getDecoder().decode(ALICE.signature(HandSigner.base(GET, GET_PARAMS)));
    for (int length : new int[] {1, 32, 255, 257, 512, 100_000}) {
      assertThat(refusal(verifier, Arrays.copyOf(signature, length))).isEqualTo(SIGNATURE_MISMATCH);
      byte[] zerosInFront = new byte[256 + length];
      System.arraycopy(signature, 0, zerosInFront, length, 256);
      assertThat(refusal(verifier, zerosInFront)).isEqualTo(SIGNATURE_MISMATCH);
    }
    assertThat(refusal(verifier, new byte[0])).isEqualTo(SIGNATURE_MALFORMED);
    byte[] allOnes = new byte[256];
    Arrays.fill(allOnes, (byte) -1);
    assertThat(refusal(verifier, allOnes)).isEqualTo(SIGNATURE_MISMATCH);
    assertThat(refusal(verifier, new byte[256])).isEqualTo(SIGNATURE_MISMATCH);
  }

  private static VerificationFailure refusal(MessageVerifier verifier, byte[] signature) {
    String value = "sig=:" + Base64.getEncoder().encodeToString(signature) + ":";
    VerificationException refusal =
        catchThrowableOfType(
            VerificationException.class,
            () -> verifier.verify(GET.with("Signature", value), new byte[0]));
    return refusal.failure();
  }

  @ParameterizedTest
  @ValueSource(strings = {"POST", "HEAD", "get", "GE T", "", "G"})
  void verify_methodChanged_isAMismatch(String method) {
    assertRefused(SIGNATURE_MISMATCH, GET.withMethod(method));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://api.example.com/ledger/v1/wallets?page=0&sort=currencyCode,asc",
        "https://API.example.com/ledger/v1/wallets?page=0&sort=currencyCode,asc",
        "https://api.example.com:443/ledger/v1/wallets?page=0&sort=currencyCode,asc",
        "https://api.example.com/ledger/v1/wallets?page=0&sort=currencyCode%2Casc",
        "https://api.example.com/ledger/v1/wallets?sort=currencyCode,asc&page=0",
        "https://api.example.com/ledger/v1/wallets?page=1&sort=currencyCode,asc",
        "https://api.example.com/ledger/v1/wallets?page=0&sort=currencyCode,asc&",
        "https://api.example.com/ledger/v1/wallets/?page=0&sort=currencyCode,asc",
        "https://api.example.com/ledger/v1/wallets",
        "https://api.example.com/ledger/v1/%77allets?page=0&sort=currencyCode,asc",
        "",
      })
  void verify_urlChanged_isAMismatch(String url) {
    assertRefused(SIGNATURE_MISMATCH, GET.withTargetUri(url));
  }

  @Test
  void verify_dateChangedInsideItsBounds_isAMismatch() {
    assertRefused(SIGNATURE_MISMATCH, GET.with("Date", "Tue, 05 Mar 2024 07:08:10 GMT"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1709622489/1709622490",
        "cl-alice/cl-alice\";x=\"",
        "\"rsa-v1_5-sha256\"/\"rsa-v1_5-sha256\";tag=\"a\"",
      })
  void verify_parametersChanged_isAMismatch(String change) {
    String input = GET.value("signature-input");
    String other = input.replace(change.split("/")[0], change.split("/")[1]);
    assertThat(other).isNotEqualTo(input);
    WireRequest changed = GET.with("Signature-Input", other);
    VerificationException refusal =
        catchThrowableOfType(
            VerificationException.class,
            () ->
                new MessageVerifier(
                        Profiles.PARTNER_V1,
                        keyid -> List.of(ALICE.verificationKey(CryptoProvider.jdk())),
                        Clock.fixed(NOW, ZoneOffset.UTC),
                        CryptoProvider.jdk())
                    .verify(changed, new byte[0]));
    assertThat(refusal.failure()).isEqualTo(SIGNATURE_MISMATCH);
  }

  @ParameterizedTest
  @ValueSource(strings = {";created/; created", "\"@method\" /\"@method\"  ", "(\"/( \""})
  void verify_parametersSpacedAnew_isAcceptedOverTheBaseThatWasSigned(String change) {
    String input = GET.value("signature-input");
    String other = input.replace(change.split("/")[0], change.split("/")[1]);
    assertThat(other).isNotEqualTo(input);
    assertThat(AliceVerification.verify(GET.with("Signature-Input", other)).base())
        .isEqualTo(AliceVerification.verify(GET).base());
  }

  @Test
  void verify_uncoveredPartsChanged_isAccepted() {
    assertAccepted(GET.with("Accept", "text/html").plus("X-Anything", "\u00e9").with("Host", "b"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "( \"@method\"  \"@target-uri\" \"date\" )",
        "(\"@method\" \"@target-uri\" \"date\"   )",
        "(   \"@method\" \"@target-uri\"     \"date\")",
      })
  void verify_oddSpacing_isSignedAsSent(String components) {
    WireRequest signed = ALICE.sign(WireRequest.GET, components + PARAMETERS);

    VerifiedSignature verified = AliceVerification.verify(signed);

    assertThat(verified.base().text())
        .endsWith("\"@signature-params\": " + components + PARAMETERS);
  }

  @Test
  void verify_ownTextEndsWithItsParameters() {
    // The blanks and the comma after the member belong to the field, not to the member.
    assertAccepted(
        GET.with("Signature-Input", " " + GET.value("signature-input") + " \t, other=() "));
  }

  @Test
  void verify_anyOfTwoKeys_isAccepted() {
    VerificationKey alice = ALICE.verificationKey(CryptoProvider.jdk());
    VerificationKey bob = BOB.verificationKey(CryptoProvider.jdk());
    ReceivedSignature received = Profiles.PARTNER_V1.read(GET).checkProfile();
    String base = HandSigner.base(WireRequest.GET, GET_PARAMS);

    assertThat(received.verify(List.of(alice, bob)).base().text()).isEqualTo(base);
    assertThat(received.verify(List.of(bob, alice)).base().text()).isEqualTo(base);
    assertMismatch(received, List.of(bob));
    assertMismatch(received, List.of(bob, bob));
  }

  @Test
  void verify_otherKey_isAMismatchThatShowsTheBase() {
    ReceivedSignature received = Profiles.PARTNER_V1.read(GET).checkProfile();
    VerificationKey bob = BOB.verificationKey(CryptoProvider.jdk());
    VerificationException refusal = assertMismatch(received, List.of(bob));

    assertThat(refusal.signatureBase().orElseThrow().text())
        .isEqualTo(HandSigner.base(WireRequest.GET, GET_PARAMS));
    assertThat(refusal.getStackTrace()).isEmpty();
  }

  @Test
  void verify_unknownKeyid_isRefused() {
    assertRefused(
        VerificationFailure.KEY_UNKNOWN,
        ALICE.sign(WireRequest.GET, GET_PARAMS.replace("cl-alice", "cl-Alice")));
  }

  @Test
  void verify_anotherPartnersSignature_isAMismatch() {
    assertRefused(SIGNATURE_MISMATCH, BOB.sign(WireRequest.GET, GET_PARAMS));
  }

  @Test
  void verify_absentFieldSignedAsEmpty_isRefused() {
    WireRequest noDate = WireRequest.GET.without("Date");
    assertRefused(VerificationFailure.DATE_MISSING, ALICE.sign(noDate, GET_PARAMS));
    WireRequest later = GET.without("Date");
    assertThatExceptionOfType(VerificationException.class)
        .isThrownBy(
            () ->
                SignatureBase.of(
                    List.of(ComponentIdentifier.of("date")),
                    "()",
                    later,
                    StructuredFieldRegistry.registered()))
        .satisfies(e -> assertThat(e.failure()).isEqualTo(COMPONENTS_WRONG));
  }

  @Test
  void verify_literalHeadersOfDerivedNames_haveNoEffect() {
    WireRequest spoofed =
        GET.plus("@method", "DELETE")
            .plus("@target-uri", "https://evil.example/")
            .plus("@query", "");
    assertThat(AliceVerification.verify(spoofed).base().text())
        .isEqualTo(HandSigner.base(WireRequest.GET, GET_PARAMS));
    assertRefused(SIGNATURE_MISMATCH, GET.withMethod("DELETE").plus("@method", "GET"));
  }

  @Test
  void verify_twoLinesOfACoveredField_areJoined() {
    String params = GET_PARAMS.replace("\"date\")", "\"date\" \"idempotency-key\")");
    WireRequest two =
        WireRequest.GET.plus("Idempotency-Key", "  a ").plus("idempotency-key", "\tb");
    WireRequest signed = ALICE.sign(two, params);

    assertThat(AliceVerification.verify(signed).base().text())
        .contains("\"idempotency-key\": a, b\n");
    assertRefused(
        SIGNATURE_MISMATCH, signed.without("Idempotency-Key").plus("Idempotency-Key", "a"));
  }

  private static VerificationException assertMismatch(
      ReceivedSignature received, List<VerificationKey> keys) {
    VerificationException refusal =
        catchThrowableOfType(VerificationException.class, () -> received.verify(keys));
    assertThat(refusal.failure()).isEqualTo(SIGNATURE_MISMATCH);
    return refusal;
  }
}
