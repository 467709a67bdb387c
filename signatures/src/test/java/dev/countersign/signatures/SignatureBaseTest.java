package dev.countersign.signatures;

import static dev.countersign.signatures.HandSigner.GET_PARAMS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.countersign.signatures.base.ComponentIdentifier;
import dev.countersign.signatures.base.SignatureBase;
import dev.countersign.signatures.base.StructuredFieldRegistry;
import dev.countersign.signatures.base.VerificationException;
import dev.countersign.signatures.base.VerificationFailure;
import dev.countersign.signatures.fields.BooleanItem;
import dev.countersign.signatures.fields.Parameters;
import dev.countersign.signatures.keys.CryptoProvider;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The signed text, exactly as in interface.md and RFC 9421 section 2.5. */
class SignatureBaseTest {

  @Test
  void base_ofGet_isThatOfTheInterface() {
    assertThat(sign(WireRequest.GET).base().text())
        .isEqualTo(
            """
            "@method": GET
            "@target-uri": https://api.example.com/ledger/v1/wallets?page=0&sort=currencyCode,asc
            "date": Tue, 05 Mar 2024 07:08:09 GMT
            "@signature-params": ("@method" "@target-uri" "date");created=1709622489;keyid="cl-alice";alg="rsa-v1_5-sha256"\
            """);
  }

  @Test
  void base_ofPostWithBody_isThatOfTheInterface() {
    SignedFields fields = sign(WireRequest.POST);
    assertThat(fields.base().text())
        .isEqualTo(
            """
            "@method": POST
            "@target-uri": https://api.example.com/ledger/v1/wallets
            "content-digest": sha-256=:X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=:
            "date": Tue, 05 Mar 2024 07:08:09 GMT
            "@signature-params": ("@method" "@target-uri" "content-digest" "date");created=1709622489;keyid="cl-alice";alg="rsa-v1_5-sha256"\
            """);
    assertThat(fields.signatureInput())
        .isEqualTo(
            "sig=(\"@method\" \"@target-uri\" \"content-digest\" \"date\");created=1709622489;"
                + "keyid=\"cl-alice\";alg=\"rsa-v1_5-sha256\"");
    assertThat(fields.signature()).matches("sig=:[A-Za-z0-9+/]{342}==:");
  }

  @Test
  void base_ofOneText_isEqual() {
    SignatureBase base = sign(WireRequest.GET).base();
    assertThat(base)
        .isEqualTo(sign(WireRequest.GET).base())
        .hasSameHashCodeAs(sign(WireRequest.GET).base())
        .isNotEqualTo(sign(WireRequest.POST).base())
        .hasToString(base.text());
    assertThat(base.bytes()).isEqualTo(base.text().getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void component_ofSeveralLines_isTrimmedAndJoined() {
    WireRequest request =
        WireRequest.GET.plus("X-A", " one\t").plus("x-a", "").plus("X-A", "three, four ");
    assertThat(valueOf("x-a", request)).isEqualTo("one, , three, four");
  }

  @Test
  void component_emptyField_hasAnEmptyValue() {
    assertThat(valueOf("x-a", WireRequest.GET.plus("X-A", "  "))).isEmpty();
  }

  @Test
  void component_absentField_isNeverAnEmptyValue() {
    assertThat(refusal("x-a", WireRequest.GET)).hasMessageContaining("\"x-a\"");
  }

  @Test
  void component_derivedNameThatIsUnknown_isNoHeader() {
    refusal("@unknown", WireRequest.GET.plus("@unknown", "a"));
    refusal("@signature-params", WireRequest.GET.plus("@signature-params", "a"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a\nb",
        "a\r\nb",
        "a\rb",
        "\u0000",
        "a\u007f",
        "\u00e9",
        "\u2028",
        "\ud83d\ude00",
        "a\u0085",
        "a\n\"@method\": DELETE",
        "\u000b",
        "\u001b[2J"
      })
  void component_withALineBreakOrBeyondAscii_isRefused(String value) {
    refusal("x-a", WireRequest.GET.plus("X-A", value));
    refusal("x-a", WireRequest.GET.plus("X-A", "good").plus("X-A", value));
    refusal("@method", WireRequest.GET.withMethod(value));
    refusal("@target-uri", WireRequest.GET.withTargetUri("https://a/" + value));
  }

  @ParameterizedTest
  @ValueSource(strings = {" GET", "GET ", "GE\tT"})
  void derivedComponent_withOuterSpaceOrATab_isRefused(String method) {
    refusal("@method", WireRequest.GET.withMethod(method));
  }

  @Test
  void component_withParameters_isRefused() {
    ComponentIdentifier date =
        new ComponentIdentifier("date", Parameters.empty().with("sf", BooleanItem.TRUE));
    assertThat(date.serialize()).isEqualTo("\"date\";sf");
    assertThat(date).isNotEqualTo(ComponentIdentifier.of("date"));
    VerificationException refusal =
        catchThrowableOfType(
            VerificationException.class,
            () ->
                SignatureBase.of(
                    List.of(date), "()", WireRequest.GET, StructuredFieldRegistry.registered()));
    assertThat(refusal.failure()).isEqualTo(VerificationFailure.COMPONENTS_WRONG);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "@", "Date", "da te", "date:", "\"", "d\\", "@Method", "a@b", "\u00fc", "a\n"})
  void identifier_ofNoName_throws(String name) {
    assertThatIllegalArgumentException().isThrownBy(() -> ComponentIdentifier.of(name));
  }

  private static SignedFields sign(WireRequest request) {
    return new MessageSigner(Profiles.PARTNER_V1, HandSigner.ALICE.signingKey(CryptoProvider.jdk()))
        .sign(request, AliceVerification.NOW);
  }

  private static String valueOf(String name, WireRequest request) {
    String text =
        SignatureBase.of(
                List.of(ComponentIdentifier.of(name)),
                GET_PARAMS,
                request,
                StructuredFieldRegistry.registered())
            .text();
    String prefix = "\"" + name + "\": ";
    assertThat(text).startsWith(prefix).endsWith("\n\"@signature-params\": " + GET_PARAMS);
    return text.substring(prefix.length(), text.indexOf('\n'));
  }

  private static VerificationException refusal(String name, WireRequest request) {
    VerificationException refusal =
        catchThrowableOfType(VerificationException.class, () -> valueOf(name, request));
    assertThat(refusal.failure()).isEqualTo(VerificationFailure.COMPONENTS_WRONG);
    return refusal;
  }
}
