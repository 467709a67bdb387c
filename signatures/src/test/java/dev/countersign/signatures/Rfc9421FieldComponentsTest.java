package dev.countersign.signatures;

import static dev.countersign.signatures.ExpectedBase.assertLines;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.countersign.signatures.base.ComponentIdentifier;
import dev.countersign.signatures.base.FieldType;
import dev.countersign.signatures.base.HttpMessage;
import dev.countersign.signatures.base.SignatureBase;
import dev.countersign.signatures.base.SignatureInput;
import dev.countersign.signatures.base.SignatureParameters;
import dev.countersign.signatures.base.StructuredFieldRegistry;
import dev.countersign.signatures.base.VerificationException;
import dev.countersign.signatures.base.VerificationFailure;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The examples of RFC 9421, section 2.1: components that are fields. */
class Rfc9421FieldComponentsTest {
  private static final StructuredFieldRegistry TYPES =
      StructuredFieldRegistry.registered().with("example-dict", FieldType.DICTIONARY);

  private static final WireRequest FIELDS =
      WireRequest.parse(
          """
          GET / HTTP/1.1
          Host: www.example.com
          Date: Tue, 20 Apr 2021 02:07:56 GMT
          X-OWS-Header:   Leading and trailing whitespace.\s\s\s
          X-Obs-Fold-Header: Obsolete
              line folding.
          Cache-Control: max-age=60
          Cache-Control:    must-revalidate
          Example-Dict:  a=1,    b=2;x=1;y=2,   c=(a   b   c)
          """);

  private static final WireRequest DICTIONARY =
      WireRequest.parse(
          """
          GET / HTTP/1.1
          Host: www.example.com
          Example-Dict:  a=1, b=2;x=1;y=2, c=(a   b    c), d
          """);

  private static final WireRequest TWO_LINES =
      WireRequest.parse(
          """
          GET / HTTP/1.1
          Host: www.example.com
          Example-Header: value, with, lots
          Example-Header: of, commas
          """);

  private static final WireRequest ONE_LINE =
      WireRequest.parse(
          """
          GET / HTTP/1.1
          Host: www.example.com
          Example-Header: value, with, lots, of, commas
          """);

  private static final WireResponse TRAILERS =
      WireResponse.parse(
          """
          HTTP/1.1 200 OK
          Content-Type: text/plain
          Transfer-Encoding: chunked
          Trailer: Expires

          4
          HTTP
          7
          Message
          a
          Signatures
          0
          Expires: Wed, 9 Nov 2022 07:28:00 GMT
          """);

  @Test
  void rfc9421_2_identifiers_withTheSameParametersInAnotherOrder_areOne() {
    ComponentIdentifier one = ComponentIdentifier.parse("\"foo\";bar;baz");
    ComponentIdentifier other = ComponentIdentifier.parse("\"foo\";baz;bar");
    assertThat(one).isEqualTo(other).hasSameHashCodeAs(other);
    assertThat(one.serialize()).isEqualTo("\"foo\";bar;baz");
    assertThat(other.serialize()).isEqualTo("\"foo\";baz;bar");
    assertThat(ComponentIdentifier.parse("\"foo\";bar"))
        .isNotEqualTo(ComponentIdentifier.parse("\"foo\";baz"));
    assertThat(refusal(FIELDS, "\"date\"", "\"foo\";bar;baz", "\"foo\";baz;bar"))
        .hasMessageContaining("covered twice");
  }

  @Test
  void rfc9421_2_1_fields_trimmedUnfoldedAndJoined() {
    assertLines(
        FIELDS,
        """
        "host": www.example.com
        "date": Tue, 20 Apr 2021 02:07:56 GMT
        "x-ows-header": Leading and trailing whitespace.
        "x-obs-fold-header": Obsolete line folding.
        "cache-control": max-age=60, must-revalidate
        "example-dict": a=1,    b=2;x=1;y=2,   c=(a   b   c)
        """);
  }

  @Test
  void rfc9421_2_1_emptyField_hasAnEmptyValue() {
    WireRequest request =
        WireRequest.parse(
            """
            GET / HTTP/1.1
            Host: www.example.com
            X-Empty-Header:\s
            """);
    assertLines(
        request,
        """
        "x-empty-header":\s
        """);
  }

  @Test
  void rfc9421_2_1_1_sf_reserializesTheField() {
    assertLines(
        FIELDS,
        TYPES,
        """
        "example-dict": a=1,    b=2;x=1;y=2,   c=(a   b   c)
        "example-dict";sf: a=1, b=2;x=1;y=2, c=(a b c)
        """);
  }

  @Test
  void rfc9421_2_1_1_sf_ofUnknownType_isRefused() {
    assertThat(refusal(FIELDS, StructuredFieldRegistry.registered(), "\"example-dict\";sf"))
        .hasMessageContaining("not known to be a structured field");
  }

  @Test
  void rfc9421_2_1_2_key_selectsAMember() {
    assertLines(
        DICTIONARY,
        TYPES,
        """
        "example-dict";key="a": 1
        "example-dict";key="d": ?1
        "example-dict";key="b": 2;x=1;y=2
        "example-dict";key="c": (a b c)
        """);
  }

  @Test
  void rfc9421_2_1_3_bs_tellsTwoLinesFromOne() {
    String combined =
        """
        "example-header": value, with, lots, of, commas
        """;
    assertLines(TWO_LINES, combined);
    assertLines(ONE_LINE, combined);
    assertLines(
        TWO_LINES,
        """
        "example-header";bs: :dmFsdWUsIHdpdGgsIGxvdHM=:, :b2YsIGNvbW1hcw==:
        """);
    assertLines(
        ONE_LINE,
        """
        "example-header";bs: :dmFsdWUsIHdpdGgsIGxvdHMsIG9mLCBjb21tYXM=:
        """);
  }

  @Test
  void rfc9421_2_1_4_tr_takesTheTrailer() {
    assertThat(TRAILERS.bodyText()).isEqualTo("HTTPMessageSignatures");
    assertLines(
        TRAILERS,
        """
        "@status": 200
        "trailer": Expires
        "expires";tr: Wed, 9 Nov 2022 07:28:00 GMT
        """);
  }

  @ParameterizedTest
  @ValueSource(strings = {"\"expires\"", "\"trailer\";tr"})
  void rfc9421_2_1_4_headersAndTrailers_areNeverCombined(String identifier) {
    refusal(TRAILERS, identifier);
  }

  @ParameterizedTest
  @ValueSource(strings = {"\"example-dict\";bs;sf", "\"example-dict\";key=\"a\";bs"})
  void rfc9421_2_1_bs_withSfOrKey_isRefused(String identifier) {
    assertThat(refusal(DICTIONARY, identifier))
        .hasMessageContaining("bs cannot be combined with sf or key");
  }

  /** The list at the end of section 2.5, of whose last item there is an example. */
  @Test
  void rfc9421_2_5_key_withoutMember_isRefused() {
    refusal(FIELDS.with("Example-Dict", "a=1, b=2"), "\"example-dict\";key=\"c\"");
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '\0',
      value = {
        "cache-control, \"cache-control\"",
        "@authority, \"@authority\"",
        "example-dictionary, \"example-dictionary\";key=\"foo\""
      })
  void rfc9421_2_5_identifiers_areWrittenAsRead(String name, String identifier) {
    assertThat(ComponentIdentifier.parse(identifier).name()).isEqualTo(name);
    assertThat(ComponentIdentifier.parse(identifier).serialize()).isEqualTo(identifier);
  }

  @Test
  void rfc9421_2_5_signatureParams_isNeverCovered() {
    refusal(FIELDS, "\"@signature-params\"");
  }

  private static VerificationException refusal(HttpMessage message, String... identifiers) {
    return refusal(message, TYPES, identifiers);
  }

  private static VerificationException refusal(
      HttpMessage message, StructuredFieldRegistry types, String... identifiers) {
    SignatureInput input =
        new SignatureInput(
            Stream.of(identifiers).map(ComponentIdentifier::parse).toList(),
            SignatureParameters.none());
    VerificationException refusal =
        catchThrowableOfType(
            VerificationException.class, () -> SignatureBase.of(input, message, types));
    assertThat(refusal).as(String.join(" ", identifiers)).isNotNull();
    assertThat(refusal.failure()).isEqualTo(VerificationFailure.COMPONENTS_WRONG);
    return refusal;
  }
}
