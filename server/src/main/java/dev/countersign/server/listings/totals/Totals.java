package dev.countersign.server.listings.totals;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Ticker;
import dev.countersign.server.store.StoreUnavailableException.CountTimeout;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The totals of lists. A list whose count took its full time twice in a row is not counted again
 * for 30 s. The log and the portal say what would make such a count faster.
 */
public final class Totals {
  private static final Logger LOG = LoggerFactory.getLogger(Totals.class);
  private static final Duration LIMIT = Duration.ofSeconds(5);
  private static final Duration PAUSE = Duration.ofSeconds(30);
  private static final int TIMEOUTS = 2;
  // Bounded, because callers choose the filters.
  private static final int LISTS_KEPT = 10_000;
  private static final Duration LOGGED_EVERY = Duration.ofMinutes(1);
  private static final Duration SHOWN = Duration.ofHours(1);

  private final Ticker ticker;
  private final Duration limit;
  private final Cache<CountedList, Timeouts> timeouts;
  // By the path of the listing.
  private final Cache<String, SlowCount> slow;

  /** Creates an instance with the usual limits. */
  public Totals() {
    this(Ticker.systemTicker(), LIMIT);
  }

  /**
   * Creates an instance.
   *
   * @param limit how long a count may take, in whole seconds
   */
  public Totals(Ticker ticker, Duration limit) {
    this.ticker = ticker;
    this.limit = limit;
    this.timeouts =
        Caffeine.newBuilder()
            .ticker(ticker)
            .maximumSize(LISTS_KEPT)
            .expireAfterWrite(SHOWN)
            .build();
    this.slow = Caffeine.newBuilder().ticker(ticker).expireAfterWrite(SHOWN).build();
  }

  /**
   * Identifies a list.
   *
   * @param listing the path of the listing
   * @param client identifies the client with its attributes
   * @param filters identifies the filters
   */
  public record CountedList(String listing, Object client, Object filters) {}

  /**
   * The timeouts of a list in a row.
   *
   * @param last the time of the last one, in nanoseconds of the ticker
   */
  private record Timeouts(int number, long last) {}

  /**
   * A count that was not done in time.
   *
   * @param advice the advice in the log; empty until it is found
   * @param logged when the log said so, in nanoseconds of the ticker
   */
  private record SlowCount(String advice, long logged) {}

  /**
   * Counts a list.
   *
   * @param count counts the list; its argument is the time that it may take
   * @throws CountTimeout if the list cannot be counted in time, or is not to be counted now
   */
  public long count(CountedList list, ToLongFunction<Duration> count) {
    Timeouts before = timeouts.getIfPresent(list);
    if (before != null
        && before.number >= TIMEOUTS
        && ticker.read() - before.last < PAUSE.toNanos()) {
      throw new CountTimeout("the list could not be counted in time, and is not counted now");
    }
    try {
      long total = count.applyAsLong(limit);
      timeouts.invalidate(list);
      return total;
    } catch (CountTimeout e) {
      if (e.hadItsFullTime()) {
        timeouts
            .asMap()
            .merge(
                list,
                new Timeouts(1, ticker.read()),
                (known, next) -> new Timeouts(known.number + 1, next.last));
      }
      throw e;
    }
  }

  /**
   * Reports that a list could not be counted. The log says so at most once a minute for each
   * listing.
   *
   * @param advice finds out what would make the count faster, on another thread, so that the
   *     request does not wait for it
   */
  public void reportTimeout(String listing, Supplier<String> advice) {
    long now = ticker.read();
    AtomicBoolean isDue = new AtomicBoolean();
    slow.asMap()
        .compute(
            listing,
            (path, before) -> {
              isDue.set(before == null || now - before.logged >= LOGGED_EVERY.toNanos());
              return isDue.get() ? new SlowCount("", now) : before;
            });
    if (isDue.get()) {
      Thread.ofVirtual().name("count-advice").start(() -> log(listing, advice.get(), now));
    }
  }

  private void log(String listing, String advice, long now) {
    slow.put(listing, new SlowCount(advice, now));
    LOG.warn(
        "cannot count the records of {} within {} s, so requests without totals=none are refused"
            + " as total_unavailable: {}",
        listing,
        limit.toSeconds(),
        advice);
  }

  /**
   * Returns what would make the counts of a listing faster; empty if all were done in time during
   * the last hour.
   */
  public Optional<String> slowCount(String listing) {
    return Optional.ofNullable(slow.getIfPresent(listing)).map(SlowCount::advice);
  }
}
