package dev.countersign.cli.explain;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class BodyGuessesTest {
  private static List<String> guesses(String body) {
    return BodyGuesses.of(body.getBytes(UTF_8)).stream()
        .map(bytes -> new String(bytes, UTF_8))
        .toList();
  }

  @Test
  void python_spacesColonsAndCommasOutsideStrings() {
    assertThat(guesses("{\"a\":\"x,\\\\\",\"b\":\"\\\",:\"}"))
        .contains("{\"a\": \"x,\\\\\", \"b\": \"\\\",:\"}");
  }

  @Test
  void lineBreaks_atTheEnd_areTakenAwayWhereverElseTheyStand() {
    assertThat(guesses("\n\na\r\n\n")).contains("\n\na");
    assertThat(guesses("\n\r\n")).contains("");
  }

  @Test
  void body_ofMoreThanAMebibyte_hasNoGuesses() {
    assertThat(guesses("\n".repeat(1024 * 1024) + "x")).isEmpty();
    assertThat(guesses("\n".repeat(1024 * 1024 - 1) + "x")).isNotEmpty();
  }
}
