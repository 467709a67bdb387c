package dev.countersign.signatures.diagnosis;

import static dev.countersign.signatures.Soon.soon;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.util.Optional;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The causes for bodies; {@code -} means that no cause may be named. */
class BodyDifferenceTest {

  @Test
  void between_equalBodies_isEmpty() {
    assertThat(BodyDifference.between(utf8("{}"), utf8("{}"))).isEmpty();
    assertThat(BodyDifference.between(new byte[0], new byte[0])).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "BODY_JSON_WHITE_SPACE | {\"a\":1,\"b\":[1,2]} | {\"a\": 1, \"b\": [1, 2]}",
        "BODY_JSON_WHITE_SPACE | {\"a\":\"x y\"} | { \"a\" : \"x y\" }",
        "BODY_JSON_WHITE_SPACE | {\"a\":\"\\\" y\"} | {\"a\": \"\\\" y\"}",
        "- | {\"a\":\"x y\"} | {\"a\":\"xy\"}",
        "- | {\"a\":\"\\\" y\"} | {\"a\":\"\\\"y\"}",
        "- | [1 2] | [12]",
        "- | [\"a\" \"b\"] | [\"a\"\"b\"]",
        "- | a=1 | a= 1",
        "BODY_JSON_ESCAPES | {\"a\":\"\\/\"} | {\"a\":\"/\"}",
        "BODY_JSON_ESCAPES | {\"a\":\"\\u00e9\"} | {\"a\":\"\u00e9\"}",
        "BODY_JSON_ESCAPES | {\"a\":\"\\ud83d\\uDE00\"} | {\"a\":\"\ud83d\ude00\"}",
        "BODY_JSON_ESCAPES | {\"a\":\"\\u000a\"} | {\"a\": \"\\n\"}",
        "BODY_JSON_ESCAPES | {\"a\":\"\\u0022\"} | {\"a\":\"\\\"\"}",
        "- | [\"a\\\",\\\"b\"] | [\"a\",\"b\"]",
        "- | {\"a\":\"\\u0022\"} | {\"a\":\"\"\"}",
        "- | {\"a\":\"\\x1\"} | {\"a\":\"\\x2\"}",
        "- | {\"a\":1,\"b\":2} | {\"b\":2,\"a\":1}",
        "- | {\"a\":1} | {\"a\":2}",
        "BODY_CUT | {\"a\":1} | {\"a\"",
        "BODY_MISSING | {\"a\":1} | ~~",
        "BODY_BYTE_ORDER_MARK | \ufeff{\"a\":1} | {\"a\":1}",
        "- | \ufeff{\"a\":1} | {\"a\":2}",
      })
  void body_thatDiffers_hasItsCause(String cause, String one, String other) {
    assertCause(cause, utf8(one), utf8(other));
  }

  @Test
  void lineBreaks_thatDiffer_haveTheirCause() {
    assertCause("BODY_LINE_ENDS", utf8("a\r\nb\n"), utf8("a\nb\n"));
    assertCause("BODY_FINAL_LINE_BREAK", utf8("{}\n"), utf8("{}"));
    assertCause("BODY_FINAL_LINE_BREAK", utf8("{}\r\n"), utf8("{}"));
    assertCause("-", utf8("a\r\nb\n"), utf8("a\nc\n"));
    assertCause("-", utf8("a\rb"), utf8("a\nb"));
    assertCause("BODY_JSON_WHITE_SPACE", utf8("{\r\n}\r\n"), utf8("{}"));
  }

  @Test
  void bytes_thatDiffer_haveTheirCause() throws Exception {
    assertCause("BODY_CHARSET", "Gr\u00fc\u00dfe".getBytes(ISO_8859_1), utf8("Gr\u00fc\u00dfe"));
    assertCause("-", "Gr\u00fc\u00dfe".getBytes(ISO_8859_1), utf8("Gr\u00fc\u00dfen"));
    assertCause("BODY_COMPRESSED", gzip(utf8("hello")), utf8("hello"));
    assertCause("-", gzip(utf8("hello")), gzip(utf8("hallo")));
    assertCause("-", new byte[] {'[', (byte) 0xff}, new byte[] {'[', (byte) 0xfe});
  }

  @Test
  void drawing_ofTwoBodies_hasTheCaretUnderTheDifference() {
    BodyDifference difference =
        BodyDifference.between(
                utf8("{\"name\":\"Caf\u00e9\",\"currency\":\"EUR\"}\r\n"),
                utf8("{\"name\":\"Caf\u00e9\", \"currency\":\"EUR\"}"))
            .orElseThrow();

    assertThat(difference.offset()).isEqualTo(16);
    assertThat(difference.drawing())
        .isEqualTo(
            """
            byte 16:
              signed    {"name":"Caf<C3><A9>","currency":"EUR"}<CR><LF>
              received  {"name":"Caf<C3><A9>", "currency":"EUR"}
                                              ^
              the JSON was re-serialised with other white space: hash and send the same bytes\
            """);
    assertThat(difference).hasToString(difference.drawing());
  }

  @ParameterizedTest
  @ValueSource(strings = {"{", "{\"a\": ", "[\\u0022", "[ ", "\r\n", "\u00e9"})
  void body_ofManyParts_isComparedQuickly(String part) {
    byte[] one = utf8("[" + part.repeat(300_000) + "1");
    byte[] other = utf8("[" + part.repeat(300_000) + " 2");

    BodyDifference difference = soon(() -> BodyDifference.between(one, other).orElseThrow());

    assertThat(difference.drawing()).hasSizeLessThan(1500);
  }

  private static void assertCause(String cause, byte[] one, byte[] other) {
    Optional<LikelyCause> expected =
        cause.equals("-") ? Optional.empty() : Optional.of(LikelyCause.valueOf(cause));
    assertThat(BodyDifference.between(one, other).orElseThrow().likelyCause()).isEqualTo(expected);
    assertThat(BodyDifference.between(other, one).orElseThrow().likelyCause()).isEqualTo(expected);
  }

  private static byte[] utf8(String body) {
    return body.getBytes(UTF_8);
  }

  private static byte[] gzip(byte[] body) throws Exception {
    ByteArrayOutputStream compressed = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(compressed)) {
      gzip.write(body);
    }
    return compressed.toByteArray();
  }
}
