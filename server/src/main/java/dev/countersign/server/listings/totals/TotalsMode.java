package dev.countersign.server.listings.totals;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.ConstructorBinding;

/** The totals of a listing: {@code exact}, {@code none}, or {@code { cache: 30s }}. */
public final class TotalsMode {
  /** Each page has the total of the snapshot in which it was read. */
  public static final TotalsMode EXACT = new TotalsMode("exact", null);

  /** No page has a total. */
  public static final TotalsMode NONE = new TotalsMode("none", null);

  // A request may take 10 s, and its total must not be too old for the requests that wait for it.
  private static final Duration MIN_CACHE = Duration.ofSeconds(15);
  static final Duration MAX_CACHE = Duration.ofHours(1);

  private final String word;
  private final @Nullable Duration maximumAge;

  private TotalsMode(String word, @Nullable Duration maximumAge) {
    this.word = word;
    this.maximumAge = maximumAge;
  }

  /**
   * Creates the mode in which a total is counted once for several requests.
   *
   * @param cache the maximum age of a total, 15 s to 1 h; parts of a second do not count
   * @throws IllegalArgumentException if the age is out of that range
   */
  @ConstructorBinding
  public TotalsMode(@Nullable Duration cache) {
    if (cache == null || cache.compareTo(MIN_CACHE) < 0 || cache.compareTo(MAX_CACHE) > 0) {
      throw new IllegalArgumentException(
          "the cache of a listing's totals must be 15s to 1h, such as 30s, was " + words(cache));
    }
    this.word = "cached for " + cache.toSeconds() + " s";
    this.maximumAge = cache.truncatedTo(ChronoUnit.SECONDS);
  }

  private static String words(@Nullable Duration cache) {
    if (cache == null) {
      return "empty";
    }
    return cache.toMillis() % 1000 == 0 ? cache.toSeconds() + "s" : cache.toMillis() + "ms";
  }

  /**
   * Returns the mode of a word in the configuration.
   *
   * @throws IllegalArgumentException if there is no such mode
   */
  public static TotalsMode of(String word) {
    return switch (word) {
      case "exact" -> EXACT;
      case "none" -> NONE;
      default ->
          throw new IllegalArgumentException(
              "the totals of a listing must be exact, none or { cache: 30s }, was " + word);
    };
  }

  /** Returns whether pages have totals. */
  public boolean isCounted() {
    return !equals(NONE);
  }

  /** Returns the maximum age of a total; empty if it is counted for each page. */
  public Optional<Duration> maximumAge() {
    return Optional.ofNullable(maximumAge);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof TotalsMode mode
        && word.equals(mode.word)
        && Objects.equals(maximumAge, mode.maximumAge);
  }

  @Override
  public int hashCode() {
    return Objects.hash(word, maximumAge);
  }

  /** Returns the words for the operator, such as {@code cached for 30 s}. */
  @Override
  public String toString() {
    return word;
  }
}
