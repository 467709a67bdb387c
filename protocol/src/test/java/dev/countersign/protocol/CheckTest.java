package dev.countersign.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class CheckTest {

  @Test
  void words_ofAllChecks_areLowerCaseAndTheirOwn() {
    assertThat(Arrays.stream(Check.values()).map(Check::word))
        .allMatch(word -> word.matches("[a-z]+"))
        .doesNotHaveDuplicates();
  }

  @Test
  void number_countsFromOne() {
    assertThat(Check.FIELDS.number()).isEqualTo(1);
    assertThat(Check.REPLAY.number()).isEqualTo(Check.values().length);
  }

  @Test
  void ofWord_wordOfACheck_findsIt() {
    assertThat(Arrays.stream(Check.values()).map(check -> Check.ofWord(check.word()).orElseThrow()))
        .containsExactly(Check.values());
    assertThat(Check.ofWord("of_a_newer_release")).isEmpty();
  }
}
