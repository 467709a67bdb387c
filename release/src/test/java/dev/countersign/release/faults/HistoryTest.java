package dev.countersign.release.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class HistoryTest {
  private static final long MILLISECOND = 1_000_000;

  private final History history = new History();

  @Test
  void compare_acknowledgedButNotStored_isLost() {
    history.acknowledged("kept");
    history.acknowledged("gone");
    history.unknown("unknown");
    assertThat(history.compare(Map.of("kept", 1)).lost()).containsExactly("gone");
  }

  @Test
  void compare_storedTwice_isDoubled_alsoWithoutAnswer() {
    history.acknowledged("once");
    history.unknown("twice");
    assertThat(history.compare(Map.of("once", 1, "twice", 2)).doubled()).containsExactly("twice");
  }

  @Test
  void compare_storedThoughEveryAnswerWasARefusal_isContradicted() {
    history.refused("refused");
    history.refused("refused, then acknowledged");
    history.acknowledged("refused, then acknowledged");
    history.refused("refused, then unknown");
    history.unknown("refused, then unknown");
    history.refused("refused, not stored");
    Map<String, Integer> stored =
        Map.of("refused", 1, "refused, then acknowledged", 1, "refused, then unknown", 1);
    assertThat(history.compare(stored))
        .isEqualTo(new History.Verdict(Set.of(), Set.of(), Set.of("refused")));
  }

  @Test
  void compare_refusedEachTimeButExecuted_isContradicted() {
    history.refused("told too late");
    history.acknowledged("told too late");
    history.contradicted("told too late");
    assertThat(history.compare(Map.of("told too late", 1)).contradicted())
        .containsExactly("told too late");
  }

  @Test
  void since_leavesOutWhatWasReported() {
    history.acknowledged("gone");
    History.Verdict first = history.compare(Map.of());
    history.acknowledged("gone later");
    assertThat(history.compare(Map.of()).since(first).lost()).containsExactly("gone later");
  }

  @Test
  void longestOutage_isBetweenTheAnswers_orAtTheEnds() {
    long begin = System.nanoTime();
    assertThat(history.longestOutage(begin, begin + 7 * MILLISECOND)).isEqualTo(7);
    history.acknowledged("by a node alone");
    assertThat(history.longestOutage(begin, begin + 7 * MILLISECOND)).isEqualTo(7);
    history.served();
    long end = System.nanoTime();
    long later = end + 5_000 * MILLISECOND;
    assertThat(history.longestOutage(begin, later))
        .isBetween(5_000L, 5_000L + (end - begin) / MILLISECOND + 1);
    assertThat(history.longestOutage(later, later + 3 * MILLISECOND)).isEqualTo(3);
  }
}
