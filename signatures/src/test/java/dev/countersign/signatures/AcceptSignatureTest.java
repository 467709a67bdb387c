package dev.countersign.signatures;

import static dev.countersign.signatures.AcceptSignatureException.Reason.MALFORMED;
import static dev.countersign.signatures.Soon.soon;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reads and writes Accept-Signature (RFC 9421 section 5.1). */
class AcceptSignatureTest {
  private static final int MANY = 100_000;

  private static AcceptSignature parse(String... lines) {
    return AcceptSignature.parse(List.of(lines));
  }

  private static AcceptSignatureException refusal(String... lines) {
    AcceptSignatureException refusal =
        catchThrowableOfType(AcceptSignatureException.class, () -> parse(lines));
    assertThat(refusal).as("a refusal of " + List.of(lines)).isNotNull();
    assertThat(refusal.reason()).isEqualTo(MALFORMED);
    return refusal;
  }

  @Test
  void requests_areReadInTheirOrderFromEveryLine() {
    AcceptSignature read =
        parse(
            "sig1=(\"@method\" \"content-digest\";req);created;keyid=\"a\"",
            "sig2=();tag=\"x\" , b=(\"@status\");expires;nonce=\"n\";alg=\"ed25519\"");

    assertThat(read.requests())
        .extracting(SignatureRequest::label)
        .containsExactly("sig1", "sig2", "b");
    assertThat(read.requests().get(0).components())
        .isEqualTo(Values.components("\"@method\"", "\"content-digest\";req"));
    assertThat(read.requests().get(2).parameters().keys())
        .containsExactly("expires", "nonce", "alg");
  }

  @Test
  void nothingSent_asksForNothing() {
    assertThat(AcceptSignature.parse(List.of()).requests()).isEmpty();
    assertThat(parse("").requests()).isEmpty();
    assertThat(parse("").serialize()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "sig1=(\"@method\" \"@query-param\";name=\"a\" \"date\";req;sf);created;keyid=\"a\"",
        "a=(), b=(\"x\")",
        "sig=(\"@status\");expires;created;nonce=\"n\";tag=\"t\";alg=\"ed25519\";unknown=1.5;keyid",
        "sig=();alg",
      })
  void parseAndSerialize_areAFixedPoint(String value) {
    assertThat(parse(value).serialize()).isEqualTo(value).hasToString(parse(value).toString());
    assertThat(parse(parse(value).serialize()).serialize()).isEqualTo(value);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "sig",
        "sig=1",
        "sig=\"@method\"",
        "sig=(\"@method\"",
        "sig=(\"@method\"),",
        "sig=(@method)",
        "sig=(method)",
        "sig=(1)",
        "sig=(\"Date\")",
        "sig=(\"\")",
        "sig=(\"@\")",
        "sig=(\"a b\")",
        "sig=((\"a\"))",
        "Sig=()",
        "=()",
        "sig=();created=1",
        "sig=();created=\"1\"",
        "sig=();created=?0",
        "sig=();expires=1",
        "sig=();nonce",
        "sig=();nonce=1",
        "sig=();nonce=n",
        "sig=();tag",
        "sig=();tag=t",
        "sig=();keyid=k",
        "sig=();keyid=?0",
        "sig=();alg=ed25519",
        "sig=();alg=1",
        "sig=();created;created",
        "sig=();tag=\"a\";tag=\"a\"",
        "sig=();x;x",
        "sig=(), sig=()",
        "sig=(), other",
        "sig=()\u0000",
        "s\u00efg=()",
        "sig=()\r\n, b=()",
      })
  void field_thatIsNone_isMalformed(String value) {
    assertThat(refusal(value)).hasMessageStartingWith("Accept-Signature: ");
  }

  @Test
  void label_inTwoLines_isMalformed() {
    assertThat(refusal("sig=()", "sig=()")).hasMessageContaining("sig");
  }

  @Test
  void fields_ofManyMembers_areReadSoon() {
    String many = many("s%d=(\"@method\");created");
    assertThat(soon(() -> parse(many)).requests()).hasSize(MANY);
    assertThat(soon(() -> parse(many).serialize())).isEqualTo(many);
    soon(() -> refusal(many, "s1=()"));
    String components = "s=(" + many("\"x%d\"").replace(",", "") + ")";
    assertThat(soon(() -> parse(components)).serialize()).isEqualTo(components);
    String parameters = "s=()" + many(";p%d").replace(", ", "");
    assertThat(soon(() -> parse(parameters)).serialize()).isEqualTo(parameters);
    soon(() -> refusal("s=(".repeat(MANY)));
    soon(() -> refusal("s=();x".repeat(MANY)));
  }

  private static String many(String format) {
    return IntStream.range(0, MANY)
        .mapToObj(i -> format.replace("%d", "" + i))
        .collect(Collectors.joining(", "));
  }

  @Test
  void request_isWrittenFromItsParts() {
    SignatureRequest request =
        SignatureRequest.of("sig1", Values.components("\"@status\"", "\"@method\";req"))
            .withCreated()
            .withExpires()
            .withKeyid("a\"b")
            .withNonce("n")
            .withAlg("ed25519")
            .withTag("t");
    AcceptSignature field = new AcceptSignature(List.of(request));

    assertThat(field.serialize())
        .isEqualTo(
            "sig1=(\"@status\" \"@method\";req);created;expires;keyid=\"a\\\"b\";nonce=\"n\""
                + ";alg=\"ed25519\";tag=\"t\"");
    assertThat(parse(field.serialize()).serialize()).isEqualTo(field.serialize());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "Sig", "a b", "1", "a=(), b", "a\r\nX: y", "\u00e9"})
  void request_withALabelThatIsNoKey_isRefusedAtOnce(String label) {
    assertThatIllegalArgumentException().isThrownBy(() -> SignatureRequest.of(label, List.of()));
  }

  @Test
  void request_withTextThatCannotBeSent_isRefusedAtOnce() {
    SignatureRequest request = SignatureRequest.of("a", List.of());
    assertThatIllegalArgumentException().isThrownBy(() -> request.withNonce("a\r\n"));
    assertThatIllegalArgumentException().isThrownBy(() -> request.withTag("\u00e9"));
    assertThatIllegalArgumentException().isThrownBy(() -> request.withKeyid("\u0000"));
    assertThatIllegalArgumentException().isThrownBy(() -> request.withAlg("\n"));
  }

  @Test
  void requests_withOneLabel_areRefusedAtOnce() {
    SignatureRequest request = SignatureRequest.of("a", List.of());
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new AcceptSignature(List.of(request, request.withCreated())));
  }
}
