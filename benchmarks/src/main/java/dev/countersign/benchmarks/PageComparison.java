package dev.countersign.benchmarks;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Random;

/**
 * Compares the time of two pages of one service. The two requests of a round follow each other in
 * random order, so that other load on the machine affects both.
 */
public final class PageComparison {
  private static final int WARM_UP = 5_000;
  private static final int SEED = 20_261_123;

  private PageComparison() {}

  /**
   * Prints both medians and their ratio.
   *
   * @param args the service's URL, the clientId, the file of its private key, the number of rounds,
   *     the path and query of the page, and those of the page to compare it with
   */
  public static void main(String[] args) throws IOException {
    if (args.length != 6) {
      throw new IllegalArgumentException("give URL, clientId, private key file, rounds, two pages");
    }
    int rounds = Integer.parseInt(args[3]);
    double[] page = new double[rounds];
    double[] other = new double[rounds];
    Random random = new Random(SEED);
    try (TimedCalls calls = new TimedCalls(args[0], args[1], Path.of(args[2]))) {
      for (int round = -WARM_UP; round < rounds; round++) {
        byte[] first = calls.get(args[4]);
        byte[] second = calls.get(args[5]);
        boolean isSwapped = random.nextBoolean();
        double early = calls.call(isSwapped ? second : first, 200) / 1e3;
        double late = calls.call(isSwapped ? first : second, 200) / 1e3;
        if (round >= 0) {
          page[round] = isSwapped ? late : early;
          other[round] = isSwapped ? early : late;
        }
      }
    }
    double ratio = median(page) / median(other);
    System.out.printf(
        Locale.ROOT,
        "%d rounds, medians %.0f and %.0f us, ratio %.3f%n",
        rounds,
        median(page),
        median(other),
        ratio);
  }

  static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
  }
}
