package dev.countersign.signatures.fields;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Random texts of pieces that mean something to the parser; the seed is fixed. */
class RandomFieldsTest {

  private static final int TEXTS = 200_000;
  private static final String[] PIECES = {
    "a",
    "b",
    "*",
    "A",
    "_",
    "1",
    "0",
    "-",
    ".",
    "12345678901234",
    "\"",
    "\\",
    "\\\"",
    ":",
    "YQ==",
    "?1",
    "?0",
    "?",
    "@",
    "%\"",
    "%",
    "c3",
    "bc",
    "(",
    ")",
    ";",
    "=",
    ",",
    " ",
    "\t",
    "ü",
    "\u0000",
    "a=1",
    "b;x",
    "\"s\"",
    "(1 2)",
    ":YQ:",
    ", ",
    ";y=2",
    "@5",
    "%\"%c3%bc\"",
    "1.5",
    "tok/en"
  };

  @ParameterizedTest
  @EnumSource
  void parse_randomText_isRefusedOrComesBack(FieldType type) {
    Random random = new Random(9651);
    int accepted = 0;
    for (int i = 0; i < TEXTS; i++) {
      String text = text(random);
      try {
        Object value = type.parse(text);
        assertThat(type.parse(FieldType.serialize(value))).as(text).isEqualTo(value);
        accepted++;
      } catch (FieldParseException e) {
        assertThat(e.position()).as(text).isBetween(0, text.length());
        assertThat(e.caret()).as(text).doesNotContain("\u0000");
      }
    }
    assertThat(accepted).isGreaterThan(TEXTS / 50);
  }

  @Test
  void textOf_randomText_parsesToTheSameMember() {
    Random random = new Random(9421);
    int compared = 0;
    for (int i = 0; i < TEXTS; i++) {
      String text = "a=" + text(random) + ", b=" + text(random);
      try {
        Dictionary dictionary = Dictionary.parse(text);
        for (String key : dictionary.keys()) {
          String alone = alone(key, dictionary.textOf(key).orElseThrow());
          assertThat(text).contains(alone);
          assertThat(Dictionary.parse(alone).get(key)).as(text).isEqualTo(dictionary.get(key));
          compared++;
        }
      } catch (FieldParseException e) {
        assertThat(e.input()).isEqualTo(text);
      }
    }
    assertThat(compared).isGreaterThan(TEXTS / 50);
  }

  /** A member as it is written; no value is empty or begins with a semicolon. */
  private static String alone(String key, String text) {
    return text.isEmpty() || text.startsWith(";") ? key + text : key + "=" + text;
  }

  private static String text(Random random) {
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(6); i >= 0; i--) {
      text.append(PIECES[random.nextInt(PIECES.length)]);
    }
    return text.toString();
  }
}
