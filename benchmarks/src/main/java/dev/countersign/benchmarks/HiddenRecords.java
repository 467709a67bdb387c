package dev.countersign.benchmarks;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/**
 * Tests whether the time of a response reveals that a record exists and belongs to another client.
 * Records of other clients and records that do not exist are requested in random order; every
 * response has status 404.
 *
 * <p>Keys with an even number belong to records, keys with an odd number to none, so that both have
 * the same length and the same places in the index.
 */
public final class HiddenRecords {
  private static final int WARM_UP = 4_000;
  private static final int PERMUTATIONS = 10_000;
  private static final double TAIL = 0.05;

  private HiddenRecords() {}

  /**
   * Prints the difference in time, and how often a random assignment of the times to the two kinds
   * has a difference as large.
   *
   * @param args the service's URL, the clientId, the file of its private key, the number of calls,
   *     the seed, the largest key number, and the path of a record with {@code %d} for its number,
   *     which may have a width
   */
  public static void main(String[] args) throws IOException {
    if (args.length != 7) {
      throw new IllegalArgumentException(
          "give URL, clientId, private key file, calls, seed, largest number, path");
    }
    int calls = Integer.parseInt(args[3]) / 2 * 2;
    long seed = Long.parseLong(args[4]);
    Random random = new Random(seed);
    Keys keys = new Keys(args[6], Integer.parseInt(args[5]));
    try (TimedCalls warmUp = new TimedCalls(args[0], args[1], Path.of(args[2]));
        TimedCalls service = new TimedCalls(args[0], args[1], Path.of(args[2]))) {
      measure(warmUp, WARM_UP, random, keys);
      print(measure(service, calls, random, keys), seed);
    }
  }

  /** The keys of the calls. */
  private record Keys(String path, int largest) {
    String target(Random random, boolean exists) {
      return String.format(
          Locale.ROOT, path, 2L * (1 + random.nextInt(largest / 2 - 1)) + (exists ? 0 : 1));
    }
  }

  /** Returns the microseconds of each call, those for existing records first. */
  private static double[] measure(TimedCalls service, int count, Random random, Keys keys)
      throws IOException {
    List<Boolean> kinds = new ArrayList<>(Collections.nCopies(count / 2, true));
    kinds.addAll(Collections.nCopies(count / 2, false));
    Collections.shuffle(kinds, random);
    List<byte[]> requests =
        kinds.stream().map(exists -> service.get(keys.target(random, exists))).toList();
    double[] all = new double[count];
    int existing = 0;
    int missing = count / 2;
    for (int i = 0; i < count; i++) {
      double took = service.call(requests.get(i), 404) / 1e3;
      all[kinds.get(i) ? existing++ : missing++] = took;
    }
    return all;
  }

  private static void print(double[] all, long seed) {
    int half = all.length / 2;
    double[] winsorized = winsorized(all);
    System.out.printf(
        Locale.ROOT,
        "%d calls, seed %d: medians %.1f (of another) and %.1f us (unknown); difference of means"
            + " %+.2f us, p %.4f; with outliers limited %+.2f us, p %.4f%n",
        all.length,
        seed,
        PageComparison.median(Arrays.copyOfRange(all, 0, half)),
        PageComparison.median(Arrays.copyOfRange(all, half, all.length)),
        difference(all),
        pValue(all, new Random(seed)),
        difference(winsorized),
        pValue(winsorized, new Random(seed)));
  }

  /** Returns the times with the largest and smallest five percent set to the limit of the rest. */
  private static double[] winsorized(double[] all) {
    double[] sorted = all.clone();
    Arrays.sort(sorted);
    int tail = (int) (all.length * TAIL);
    double low = sorted[tail];
    double high = sorted[all.length - 1 - tail];
    return Arrays.stream(all).map(time -> Math.clamp(time, low, high)).toArray();
  }

  /** Returns the mean of the first half minus the mean of the second. */
  static double difference(double[] times) {
    int half = times.length / 2;
    double difference = 0;
    for (int i = 0; i < half; i++) {
      difference += times[i] - times[half + i];
    }
    return difference / half;
  }

  /** Returns the p-value of the two-sided permutation test of the difference of means. */
  static double pValue(double[] times, Random random) {
    double observed = Math.abs(difference(times));
    double[] permuted = times.clone();
    int asLarge = 1;
    for (int n = 0; n < PERMUTATIONS; n++) {
      for (int i = 0; i < permuted.length / 2; i++) {
        int other = i + random.nextInt(permuted.length - i);
        double time = permuted[i];
        permuted[i] = permuted[other];
        permuted[other] = time;
      }
      if (Math.abs(difference(permuted)) >= observed) {
        asLarge++;
      }
    }
    return asLarge / (PERMUTATIONS + 1.0);
  }
}
