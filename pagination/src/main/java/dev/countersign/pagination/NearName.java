package dev.countersign.pagination;

import dev.countersign.pagination.spelling.EditDistance;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;

/**
 * Guesses which parameter a caller meant by {@code pagesize}, {@code Offset}, {@code siez} or
 * {@code amount[gte]}.
 */
final class NearName {
  // Almost any name contains a shorter one, such as id.
  private static final int MIN_PART_LENGTH = 4;

  private NearName() {}

  /**
   * Returns the known names that {@code name} resembles most; empty if it resembles none of them.
   */
  static List<String> among(List<String> known, String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    Map<String, Integer> errors = new LinkedHashMap<>();
    for (String candidate : known) {
      errors(candidate.toLowerCase(Locale.ROOT), lower)
          .ifPresent(count -> errors.put(candidate, count));
    }
    int fewest = errors.isEmpty() ? 0 : Collections.min(errors.values());
    return errors.entrySet().stream()
        .filter(near -> near.getValue() == fewest)
        .map(Map.Entry::getKey)
        .toList();
  }

  /**
   * Returns the number of typing errors between a name and a candidate. Empty if they exceed one
   * for every three letters of the candidate, unless the name contains the candidate.
   */
  private static OptionalInt errors(String candidate, String name) {
    if (candidate.length() >= MIN_PART_LENGTH && name.contains(candidate)) {
      return OptionalInt.of(name.length() - candidate.length());
    }
    // A plain word such as amountdue is not a misspelling of amount.gte, which has a dot.
    boolean isComparable = candidate.indexOf('.') < 0 || !isWord(name);
    return isComparable && EditDistance.isWithin(candidate.length() / 3, candidate, name)
        ? OptionalInt.of(EditDistance.between(candidate, name))
        : OptionalInt.empty();
  }

  private static boolean isWord(String name) {
    return name.chars().allMatch(Character::isLetterOrDigit);
  }
}
