package dev.countersign.pagination;

import dev.countersign.pagination.spelling.EditDistance;
import java.util.List;
import java.util.Locale;

/** Guesses which parameter a caller meant by {@code pagesize}, {@code Offset} or {@code siez}. */
final class NearName {
  private NearName() {}

  static List<String> among(List<String> known, String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    return known.stream()
        .filter(candidate -> isNear(candidate.toLowerCase(Locale.ROOT), lower))
        .toList();
  }

  /**
   * Returns whether a name contains the candidate, or differs from the candidate by at most one
   * typing error for every three letters of the candidate.
   */
  private static boolean isNear(String candidate, String name) {
    return name.contains(candidate)
        || EditDistance.isWithin(candidate.length() / 3, candidate, name);
  }
}
