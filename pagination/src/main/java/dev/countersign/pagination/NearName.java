package dev.countersign.pagination;

import java.util.List;
import java.util.Locale;

/** Guesses which parameter a caller meant: {@code pagesize}, {@code Offset}, {@code siez}. */
final class NearName {
  private NearName() {}

  static List<String> among(List<String> known, String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    return known.stream().filter(candidate -> isNear(candidate, lower)).toList();
  }

  /** Contains the candidate, or is a slip of the finger (two in a longer word) away from it. */
  private static boolean isNear(String candidate, String name) {
    int slips = candidate.length() / 3;
    // The lengths first, so that a long name costs nothing.
    return name.contains(candidate)
        || (Math.abs(name.length() - candidate.length()) <= slips
            && distance(candidate, name) <= slips);
  }

  /** Insertions, deletions, replacements and swaps of neighbours. */
  private static int distance(String a, String b) {
    int[][] cost = new int[a.length() + 1][b.length() + 1];
    for (int i = 0; i <= a.length(); i++) {
      for (int j = 0; j <= b.length(); j++) {
        cost[i][j] = i == 0 || j == 0 ? i + j : step(cost, a, b, i, j);
      }
    }
    return cost[a.length()][b.length()];
  }

  private static int step(int[][] cost, String a, String b, int i, int j) {
    int replaced = cost[i - 1][j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
    int least = Math.min(replaced, Math.min(cost[i - 1][j], cost[i][j - 1]) + 1);
    boolean swapped =
        i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1);
    return swapped ? Math.min(least, cost[i - 2][j - 2] + 1) : least;
  }
}
