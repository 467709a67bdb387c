package dev.countersign.cli;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/** Guesses which word was meant: {@code lsit}, {@code --fromat}. */
final class NearWord {
  private static final int SLIPS = 2;

  private NearWord() {}

  /** The nearest of the known words; none where all are further than two slips of a finger. */
  static List<String> among(Collection<String> known, String typed) {
    return known.stream()
        .filter(word -> distance(word, typed) <= Math.min(SLIPS, word.length() / 2))
        .sorted(Comparator.comparingInt(word -> distance(word, typed)))
        .limit(2)
        .toList();
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
