package dev.countersign.signatures.diagnosis;

import static dev.countersign.signatures.Soon.soon;
import static dev.countersign.signatures.diagnosis.TestedBases.POST;
import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.signatures.Cases;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Bases of megabytes and of random text are compared in linear time and drawn in a few lines. */
class HugeBasesTest {
  private static final int MANY = 300_000;

  @Test
  void value_ofManyParameters_isComparedQuickly() {
    value_ofManyParts_isComparedQuickly("@target-uri", "https://a/?", "a=1&");
  }

  @Tag("full")
  @ParameterizedTest
  @CsvSource({
    "@target-uri,https://a/,%2C",
    "@target-uri,https://a/?,a=1&",
    "@target-uri,https://a/,../",
    "@target-uri,https://,a:@",
    "@query-param,a,+%20",
    "x-a,a,'\"a, '",
    "x-a,a,'a, '",
    "x-a,a,' '",
    "x-a,a,'\\\"'",
    "content-digest,sha-256=:YQ==:,',a=:YQ==:'",
    "date,Tue,', 05'",
    "@signature-params,(),;a=1",
    "@signature-params,(,'\"a\" '",
    "@signature-params,'();a=\"','\\\"'",
    "@signature-params,a,a=",
  })
  void value_ofManyParts_isComparedQuickly(String name, String start, String part) {
    String value = start + part.repeat(MANY);
    String identifier = '"' + name + '"';

    assertDrawnQuickly(
        TestedBases.of(identifier, value + "1"), TestedBases.of(identifier, value + "2"));
    assertDrawnQuickly(TestedBases.of(identifier, value), TestedBases.of(identifier, start));
  }

  @Tag("full")
  @ParameterizedTest
  @ValueSource(
      strings = {"\n", "\r\n", "\r", "\"a\": b\n", "\"", "\\n\"@", "\\\"", "\\u0000", "(", " "})
  void text_ofManyParts_isComparedQuickly(String part) {
    assertDrawnQuickly(part.repeat(MANY), POST);
    assertDrawnQuickly(part.repeat(MANY) + POST, part.repeat(MANY) + "x");
    assertDrawnQuickly("\\\"" + part.repeat(MANY), "\"" + part.repeat(MANY));
  }

  /** Any combination gives a drawing of at most five lines, and never an exception. */
  @Test
  void between_piecesOfBasesInAnyOrder_isDrawn() {
    Random random = new Random(9530);
    String[] pieces = {
      "\"@method\": ",
      "\"date\": ",
      "\"@signature-params\": ",
      "\"content-digest\"",
      ": ",
      "\n",
      "\r",
      "\\n",
      "\\\"",
      "\"",
      "(",
      ")",
      ";",
      "=",
      "created",
      "1709622489",
      "https://",
      "/",
      "?",
      "#",
      "%2c",
      "%",
      "+",
      "&",
      "@",
      ":443",
      "[",
      "]",
      ",",
      " ",
      "\t",
      "\u00e9",
      "\ud83d",
      "a",
      "..",
      "Tue, 05 Mar 2024 07:08:09 GMT",
      "sha-256=:YQ==:",
      "\"@target-uri\": https://a/"
    };
    for (int round = 0; round < Cases.of(50_000, 3000); round++) {
      String common = any(pieces, random);
      String one = common + any(pieces, random);
      String other = common + any(pieces, random);
      if (!one.equals(other)) {
        assertDrawn(BaseDifference.between(one, other).orElseThrow());
      }
    }
  }

  private static String any(String[] pieces, Random random) {
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(8); i > 0; i--) {
      text.append(pieces[random.nextInt(pieces.length)]);
    }
    return text.toString();
  }

  private static void assertDrawnQuickly(String one, String other) {
    assertDrawn(soon(() -> BaseDifference.between(one, other).orElseThrow()));
    assertDrawn(soon(() -> BaseDifference.between(other, one).orElseThrow()));
  }

  private static void assertDrawn(BaseDifference difference) {
    assertThat(difference.drawing()).hasSizeLessThan(3000).matches("[\\x20-\\x7e\n…]*");
    assertThat(difference.drawing().lines().count())
        .isEqualTo(difference.likelyCause().isPresent() ? 5 : 4);
  }
}
