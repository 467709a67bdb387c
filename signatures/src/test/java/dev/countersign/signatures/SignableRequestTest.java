package dev.countersign.signatures;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.countersign.signatures.base.HttpMessage;
import dev.countersign.signatures.digest.DigestAlgorithm;
import dev.countersign.signatures.keys.CryptoProvider;
import dev.countersign.signatures.keys.RsaPrivateKeys;
import dev.countersign.signatures.keys.TestedProvider;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The headers that a signer sends: those of interface.md, and never two with one name. */
class SignableRequestTest {
  private static final CryptoProvider JDK = CryptoProvider.jdk();
  private static final byte[] BODY = "{\"hello\": \"world\"}".getBytes(UTF_8);
  private static final MessageSigner SIGNER = signer(JDK);
  private static final SignableRequest GET =
      SignableRequest.of("GET", "https://api.example.com/ledger/v1/wallets", AliceVerification.NOW);
  private static final SignableRequest POST =
      SignableRequest.of("POST", "https://api.example.com/ledger/v1/wallets", AliceVerification.NOW)
          .withBody(BODY, JDK);

  @ParameterizedTest
  @EnumSource
  void signed_withAndWithoutBody_verifies(TestedProvider provider) {
    MessageVerifier verifier =
        AliceVerification.verifier(Profiles.PARTNER_V1, AliceVerification.NOW, provider.get());
    Map<String, String> get = GET.signedHeaders(signer(provider.get()));
    Map<String, String> post = POST.signedHeaders(signer(provider.get()));

    assertThat(get).containsOnlyKeys("Date", "Signature", "Signature-Input");
    assertThat(post).containsOnlyKeys("Content-Digest", "Date", "Signature", "Signature-Input");
    assertThat(verifier.verify(sent(GET, get), new byte[0]).covers("content-digest")).isFalse();
    assertThat(verifier.verify(sent(POST, post), BODY).covers("content-digest")).isTrue();
  }

  @Test
  void signed_byOneKeyInOneSecond_isTheSame() {
    assertThat(GET.signedHeaders(SIGNER)).isEqualTo(GET.signedHeaders(SIGNER));
  }

  @Test
  void signed_partOfASecond_isCutFromDateAndCreatedAlike() {
    SignableRequest request =
        SignableRequest.of("GET", GET.targetUri(), AliceVerification.NOW.plusMillis(999));
    assertThat(request.signedHeaders(SIGNER)).isEqualTo(GET.signedHeaders(SIGNER));
  }

  @Test
  void header_ofANameInAnotherCase_isReplaced() {
    SignableRequest request = GET.withHeader("X-A", "1").withHeader("x-a", "2");
    assertThat(request.fieldLines("x-a")).containsExactly("2");
    assertThat(request.signedHeaders(SIGNER)).hasSize(4).containsEntry("X-A", "2");
  }

  @ParameterizedTest
  @ValueSource(strings = {"date", "Content-Digest", "Signature", "SIGNATURE-INPUT"})
  void header_madeByTheSigner_cannotBeGiven(String name) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> POST.withHeader(name, "other"))
        .withMessageContaining(name);
  }

  @ParameterizedTest
  @ValueSource(strings = {"a\r\nX-B: c", "a\nb", "\r"})
  void header_withALineBreak_isRefused(String value) {
    assertThatIllegalArgumentException().isThrownBy(() -> GET.withHeader("X-A", value));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "X: y", "X-A\r\nX-B", "@method", "X\u00fc"})
  void header_ofANameThatNoFieldHas_isRefused(String name) {
    assertThatIllegalArgumentException().isThrownBy(() -> GET.withHeader(name, "1"));
    assertThatIllegalArgumentException().isThrownBy(() -> GET.withHeader("X-A", "a\u0000"));
  }

  @Test
  void body_withOtherDigests_hasThose() {
    Map<String, String> headers =
        GET.withBody(BODY, JDK, EnumSet.allOf(DigestAlgorithm.class)).signedHeaders(SIGNER);
    assertThat(headers.get("Content-Digest")).startsWith("sha-256=:").contains(", sha-512=:");
  }

  @Test
  void signer_whoseProfileWouldRefuseTheMessage_doesNotSign() {
    MessageSigner sha512 =
        new MessageSigner(
            Profiles.PARTNER_V1.withDigestAlgorithm(DigestAlgorithm.SHA_512),
            HandSigner.ALICE.signingKey(JDK));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> POST.signedHeaders(sha512))
        .withMessageContaining("sha-512");
    WireRequest stale = WireRequest.GET.with("Date", "Tue, 05 Mar 2019 07:08:09 GMT");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SIGNER.sign(stale, AliceVerification.NOW))
        .withMessageContaining("Date");
  }

  @Test
  void header_idempotencyKey_isCoveredLast() {
    Map<String, String> headers = POST.withHeader("Idempotency-Key", "\"k\"").signedHeaders(SIGNER);
    assertThat(headers.get("Signature-Input")).contains("\"date\" \"idempotency-key\")");
    assertThat(
            AliceVerification.verifier(Profiles.PARTNER_V1, AliceVerification.NOW, JDK)
                .verify(sent(POST, headers), BODY)
                .covers("idempotency-key"))
        .isTrue();
  }

  @Test
  void header_coveredWithOtherThanAscii_isNotSigned() {
    SignableRequest request = GET.withHeader("Idempotency-Key", "caf\u00e9");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> request.signedHeaders(SIGNER))
        .withMessageContaining("idempotency-key");
  }

  @Test
  void body_empty_takesAnEarlierOneAway() {
    assertThat(GET.withBody(new byte[0], JDK).signedHeaders(SIGNER))
        .isEqualTo(GET.signedHeaders(SIGNER));
    SignableRequest emptied = POST.withBody(new byte[0], JDK);
    assertThat(emptied.bodyFraming()).isEqualTo(HttpMessage.BodyFraming.NONE);
    assertThat(emptied.signedHeaders(SIGNER)).doesNotContainKey("Content-Digest");
  }

  @Test
  void uri_withFragment_isRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SignableRequest.of("GET", "https://a/b#c", AliceVerification.NOW));
  }

  @Test
  void signer_bodyWithoutDigest_doesNotSign() {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> SIGNER.sign(WireRequest.POST.without("Content-Digest"), AliceVerification.NOW))
        .withMessageContaining("content-digest");
  }

  @ParameterizedTest
  @EnumSource
  void key_ofAPemFile_signs(TestedProvider provider, @TempDir Path folder) throws Exception {
    Path file = folder.resolve("private.pem");
    Files.writeString(file, RsaPrivateKeys.toPem(HandSigner.ALICE.keys().getPrivate()));
    SigningKey key =
        new SigningKey(
            "cl-alice",
            SignatureAlgorithm.RSA_V1_5_SHA256,
            RsaPrivateKeys.readFile(file, provider.get()),
            provider.get());

    assertThat(GET.signedHeaders(new MessageSigner(Profiles.PARTNER_V1, key)))
        .isEqualTo(GET.signedHeaders(SIGNER));
    assertThat(key).hasToString("SigningKey[cl-alice, rsa-v1_5-sha256]");
  }

  @Test
  void dateMayBeMissing_requestWithoutDate_isSignedWithoutIt() {
    SignatureProfile profile = Profiles.PARTNER_V1.allowMissingDate();
    WireRequest request = WireRequest.GET.without("Date");
    SignedFields fields =
        new MessageSigner(profile, HandSigner.ALICE.signingKey(JDK))
            .sign(request, AliceVerification.NOW);
    WireRequest signed =
        request
            .plus("Signature-Input", fields.signatureInput())
            .plus("Signature", fields.signature());
    assertThat(AliceVerification.verify(signed, profile, AliceVerification.NOW).components())
        .hasSize(2);
  }

  private static MessageSigner signer(CryptoProvider crypto) {
    return new MessageSigner(Profiles.PARTNER_V1, HandSigner.ALICE.signingKey(crypto));
  }

  private static WireRequest sent(SignableRequest request, Map<String, String> headers) {
    List<WireRequest.Line> lines =
        headers.entrySet().stream()
            .map(header -> new WireRequest.Line(header.getKey(), header.getValue()))
            .toList();
    WireRequest sent = new WireRequest(request.method(), request.targetUri(), lines, "");
    return headers.containsKey("Content-Digest") ? sent.plus("Content-Length", "18") : sent;
  }
}
