package dev.countersign.signatures;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.signatures.base.FieldType;
import dev.countersign.signatures.base.StructuredFieldRegistry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The values of fields, plain and as bytes (RFC 9421 sections 2.1, 2.1.3 and 2.1.4). */
class FieldComponentTest {

  private static AnyRequest lines(String... values) {
    AnyRequest request = AnyRequest.GET.plus("X-Other", "other");
    for (String value : values) {
      request = request.plus("X-A", value);
    }
    return request;
  }

  private static String value(String... values) {
    return Values.of(lines(values), "\"x-a\"");
  }

  @Test
  void lines_areTrimmedAndJoinedInTheirOrder() {
    assertThat(value("a")).isEqualTo("a");
    assertThat(value("", "")).isEqualTo(", ");
    assertThat(value("  a\t", "\t", "b, c  ,d")).isEqualTo("a, , b, c  ,d");
    assertThat(value("b", "a")).isEqualTo("b, a").isNotEqualTo(value("a", "b"));
    assertThat(value(" \t ")).isEmpty();
    assertThat(value("a  b\tc")).isEqualTo("a  b\tc");
    assertThat(value("\"a\": b")).isEqualTo("\"a\": b");
  }

  @Test
  void names_areComparedInAnyCase() {
    assertThat(Values.of(AnyRequest.GET.plus("X-a", "1").plus("x-A", "2"), "\"x-a\""))
        .isEqualTo("1, 2");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a\r\n b",
        "a\r\n\tb",
        "a\n b",
        "a\n\t b",
        "a \t\r\n \t b",
        "a\r\n \r\n b",
        "a\n \n\tb",
        "a\r\n  \t  \r\n\t\t\n b"
      })
  void foldedLine_isUnfoldedToOneSpace(String folded) {
    assertThat(value(folded)).isEqualTo("a b");
    assertThat(value("x", folded, "y")).isEqualTo("x, a b, y");
    assertThat(Values.of(lines(folded), "\"x-a\";bs")).isEqualTo(":YSBi:");
  }

  @Test
  void lineWithSeveralFoldings_isUnfoldedAtEach() {
    assertThat(value("a\r\n b  c\r\n\td\n e")).isEqualTo("a b  c d e");
  }

  /** A server that replaces a fold by spaces trims afterwards (RFC 9112 section 5.2). */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "\r\n a",
        "\n\ta",
        " \r\n a",
        "\r\n \r\n a",
        "a\r\n ",
        "a\n\t",
        "a \r\n\t ",
        "a\r\n \r\n ",
        "\r\n a\r\n "
      })
  void foldingAtAnEnd_isTrimmed(String folded) {
    assertThat(value(folded)).isEqualTo("a");
    assertThat(Values.of(lines(folded), "\"x-a\";bs")).isEqualTo(":YQ==:");
  }

  @Test
  void lineOfNothingButFoldings_isEmpty() {
    assertThat(value("\r\n ")).isEmpty();
    assertThat(value("\r\n \r\n\t")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a\rb",
        "a\r b",
        "\ra",
        "a\r",
        "a\nb",
        "a\r\nb",
        "a\r\n",
        "\r\na",
        "\n",
        "a\r\r\n b",
        "a\n\r b",
        "a\r\n\r\n b",
        "a\u0000b",
        "a\r\n\u000bb",
        "a\r\n\u00a0b"
      })
  void lineBreakThatIsNoFolding_isRefused(String line) {
    Values.assertRefused(lines(line), "\"x-a\"");
    Values.assertRefused(lines("a", line, "b"), "\"x-a\"");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a\rb", "a\r", "a\nb", "a\r\nb", "a\r\n", "\n", "a\r\r\n b", "a\u0000b"})
  void lineBreakThatIsNoFolding_isRefusedAsBytesToo(String line) {
    Values.assertRefused(lines(line), "\"x-a\";bs");
    Values.assertRefused(lines("a", line, "b"), "\"x-a\";bs");
  }

  @ParameterizedTest
  @ValueSource(strings = {"\u00e9", "a\u0080", "\u00ff", "\u00a0a", "a\u0085b"})
  void obsText_needsBytes(String line) {
    assertThat(Values.assertRefused(lines(line), "\"x-a\"")).hasMessageContaining("bs");
    Values.assertRefused(lines("a", line), "\"x-a\"");
    assertThat(Values.of(lines(line), "\"x-a\";bs")).startsWith(":").endsWith(":");
  }

  @ParameterizedTest
  @ValueSource(strings = {"\u0100", "\u20ac", "\ud83d\udca9", "\u0141"})
  void characterThatIsNoByte_isRefusedInAnyForm(String line) {
    Values.assertRefused(lines(line), "\"x-a\"");
    Values.assertRefused(lines(line), "\"x-a\";bs");
  }

  @Test
  void bytes_areTrimmedAndWrappedLineByLine() {
    assertThat(Values.of(lines("value, with, lots", "of, commas"), "\"x-a\";bs"))
        .isEqualTo(":dmFsdWUsIHdpdGgsIGxvdHM=:, :b2YsIGNvbW1hcw==:");
    assertThat(Values.of(lines("value, with, lots, of, commas"), "\"x-a\";bs"))
        .isEqualTo(":dmFsdWUsIHdpdGgsIGxvdHMsIG9mLCBjb21tYXM=:");
    assertThat(Values.of(lines(" \u00e9\t", "", "\t"), "\"x-a\";bs")).isEqualTo(":6Q==:, ::, ::");
    assertThat(Values.of(lines("\u0080\u00ff"), "\"x-a\";bs")).isEqualTo(":gP8=:");
  }

  @Test
  void trailer_isAnotherFieldThanTheHeader() {
    AnyRequest request =
        AnyRequest.GET.plus("X-A", "head").plusTrailer("X-A", " one").plusTrailer("x-a", "two ");
    assertThat(Values.of(request, "\"x-a\"")).isEqualTo("head");
    assertThat(Values.of(request, "\"x-a\";tr")).isEqualTo("one, two");
    assertThat(Values.of(request, "\"x-a\";bs;tr")).isEqualTo(":b25l:, :dHdv:");
    Values.assertRefused(lines("a"), "\"x-a\";tr");
    Values.assertRefused(AnyRequest.GET.plusTrailer("X-A", "a"), "\"x-a\"");
    AnyResponse response = AnyResponse.to(request).plusTrailer("X-A", "mine");
    assertThat(Values.of(response, "\"x-a\";tr")).isEqualTo("mine");
    assertThat(Values.of(response, "\"x-a\";tr;req")).isEqualTo("one, two");
    assertThat(Values.of(response, "\"x-a\";req")).isEqualTo("head");
    Values.assertRefused(response, "\"x-a\"");
  }

  @Test
  void trailers_ofAMessageThatDoesNotSay_areNone() {
    Values.assertRefused(WireRequest.GET, "\"date\";tr");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"x-a\";sf=?0",
        "\"x-a\";bs=?0",
        "\"x-a\";tr=?0",
        "\"x-a\";bs=1",
        "\"x-a\";bs=\"\"",
        "\"x-a\";key",
        "\"x-a\";key=a",
        "\"x-a\";key=1",
        "\"x-a\";unknown",
        "\"x-a\";name",
        "\"x-a\";bs;bs",
        "\"x-a\";bs;sf",
        "\"x-a\";sf;bs",
        "\"x-a\";bs;key=\"a\"",
        "\"x-a\";bs;x=\"a\"",
        "\"x-a\";req",
        "\"x-a\";req=?0",
      })
  void parameter_thatDoesNotFit_isRefused(String identifier) {
    AnyRequest request = AnyRequest.GET.plus("X-A", "a=1").plusTrailer("X-A", "a=1");
    Values.assertRefused(
        request,
        identifier,
        StructuredFieldRegistry.registered().with("X-A", FieldType.DICTIONARY));
  }

  @ParameterizedTest
  @ValueSource(strings = {"\"x-a\";req", "\"x-a\";req;bs", "\"@method\";req", "\"x-a\";req;tr"})
  void req_withoutARequest_isRefused(String identifier) {
    AnyRequest request = lines("a").plusTrailer("X-A", "a");
    Values.assertRefused(request, identifier);
    Values.assertRefused(AnyResponse.of(200).plus("X-A", "a").plusTrailer("X-A", "a"), identifier);
    assertThat(Values.of(AnyResponse.to(request), identifier)).isNotEmpty();
    Values.assertRefused(AnyResponse.to(request), identifier + "=?0");
  }
}
