package dev.countersign.cli;

import dev.countersign.pagination.spelling.EditDistance;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/** Guesses the intended word: {@code lsit}, {@code --fromat}. */
final class NearWord {
  private static final int SLIPS = 2;

  private NearWord() {}

  /** The nearest of the known words; none if all differ by more than two typing errors. */
  static List<String> among(Collection<String> known, String typed) {
    return known.stream()
        .filter(word -> EditDistance.isWithin(Math.min(SLIPS, word.length() / 2), word, typed))
        .sorted(Comparator.comparingInt(word -> EditDistance.between(word, typed)))
        .limit(2)
        .toList();
  }
}
