package dev.countersign.pagination.spelling;

/** The number of typing errors between two words. */
public final class EditDistance {
  private EditDistance() {}

  /** Counts insertions, deletions, replacements and swaps of neighbouring letters; at least 0. */
  public static int between(String a, String b) {
    int[][] cost = new int[a.length() + 1][b.length() + 1];
    for (int i = 0; i <= a.length(); i++) {
      for (int j = 0; j <= b.length(); j++) {
        cost[i][j] = i == 0 || j == 0 ? i + j : step(cost, a, b, i, j);
      }
    }
    return cost[a.length()][b.length()];
  }

  /**
   * Returns whether there are at most this many errors. Words whose lengths differ by more than
   * this number are not compared.
   */
  public static boolean isWithin(int maximum, String a, String b) {
    return Math.abs(a.length() - b.length()) <= maximum && between(a, b) <= maximum;
  }

  private static int step(int[][] cost, String a, String b, int i, int j) {
    int replaced = cost[i - 1][j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
    int least = Math.min(replaced, Math.min(cost[i - 1][j], cost[i][j - 1]) + 1);
    boolean swapped =
        i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1);
    return swapped ? Math.min(least, cost[i - 2][j - 2] + 1) : least;
  }
}
