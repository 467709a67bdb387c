package dev.countersign.server.listings.totals;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Ticker;
import dev.countersign.server.store.StoreUnavailableException;
import dev.countersign.server.store.StoreUnavailableException.CountTimeout;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The totals of lists. A list whose count took its full time twice in a row is not counted again
 * for 30 s. The log and the portal say what would make such a count faster. If a listing accepts
 * older totals ({@code totals.cache}), they are kept in memory. They are kept separately for each
 * client and its attributes, because a view or a policy may show different records for them.
 */
public final class Totals {
  private static final Logger LOG = LoggerFactory.getLogger(Totals.class);
  private static final Duration LIMIT = Duration.ofSeconds(5);
  private static final Duration PAUSE_AFTER_TIMEOUTS = Duration.ofSeconds(30);
  private static final int MAX_TIMEOUTS = 2;
  // Bounded, because callers choose the filters.
  private static final int MAX_LISTS = 10_000;
  private static final int MAX_LISTS_PER_CLIENT = 100;
  private static final Duration WAIT_SLICE = Duration.ofMillis(100);
  private static final Duration LOG_INTERVAL = Duration.ofMinutes(1);
  private static final Duration TIMEOUTS_KEPT = Duration.ofHours(1);

  private final Ticker ticker;
  private final Duration limit;
  private final Cache<ListKey, Timeouts> timeouts;
  // By the clientId, the oldest total first.
  private final Cache<String, Map<ListKey, KnownTotal>> known;
  private final ConcurrentMap<ListKey, RunningCount> running = new ConcurrentHashMap<>();
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
            .maximumSize(MAX_LISTS)
            .expireAfterWrite(TIMEOUTS_KEPT)
            .build();
    this.known =
        Caffeine.newBuilder()
            .ticker(ticker)
            .expireAfterWrite(TotalsMode.MAX_CACHE)
            .maximumWeight(MAX_LISTS)
            .weigher((String client, Map<ListKey, KnownTotal> lists) -> lists.size())
            .executor(Runnable::run)
            .build();
    this.slow = Caffeine.newBuilder().ticker(ticker).expireAfterWrite(TIMEOUTS_KEPT).build();
  }

  /**
   * The identity of a list.
   *
   * @param listing the path of the listing
   * @param clientId the client
   * @param attributes all attributes of the client
   * @param filters the identity of the filters
   */
  public record ListKey(String listing, String clientId, Object attributes, Object filters) {}

  /**
   * A total.
   *
   * @param countedAt a time before the snapshot that was counted, in nanoseconds of the ticker
   */
  private record KnownTotal(long total, long countedAt) {}

  /** A count that other requests wait for. */
  private static final class RunningCount {
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile @Nullable CountTimeout timeout;
  }

  /** Signals that an attempt needs a total while another request is counting the list. */
  private static final class CountRunningException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient RunningCount other;

    CountRunningException(RunningCount other) {
      super("another request is counting the list", null, false, false);
      this.other = other;
    }
  }

  /**
   * The consecutive timeouts of a list.
   *
   * @param number how many there were
   * @param last when the last one happened, in nanoseconds of the ticker
   */
  private record Timeouts(int number, long last) {}

  /**
   * A count that took too long.
   *
   * @param advice what would make the count faster; empty until it is known
   * @param loggedAt when the log reported this count, in nanoseconds of the ticker
   */
  private record SlowCount(String advice, long loggedAt) {}

  /**
   * Reads something that may need the total of a list, such as a page.
   *
   * <p>This method calls {@code attempt}, which opens a transaction and reads in it. If {@code
   * attempt} needs the total, it asks the supplier that is its argument. The supplier returns a
   * known total that is not too old, or else calls {@code count}. So {@code count} runs on the same
   * thread, inside the transaction that {@code attempt} has opened.
   *
   * <p>If the mode has a maximum age and another request is counting the list, the supplier throws
   * an exception, which ends {@code attempt} and its transaction. This method then waits until the
   * other request has counted, and calls {@code attempt} again. So a request holds no connection to
   * the database while it waits for the count of another request.
   *
   * @param hasTimeAfter whether the request has time left after a pause
   * @param count counts the list in the transaction of the attempt; its argument is the time that
   *     it may take
   * @param attempt opens a transaction and reads in it; its argument returns the total
   * @throws CountTimeout if the list cannot be counted in time, or is not to be counted now
   * @throws StoreUnavailableException if another request counts the list for longer than this one
   *     can wait
   */
  public <T> T read(
      ListKey list,
      TotalsMode mode,
      Predicate<Duration> hasTimeAfter,
      ToLongFunction<Duration> count,
      Function<LongSupplier, T> attempt) {
    if (mode.maximumAge().isEmpty()) {
      return attempt.apply(() -> count(list, count));
    }
    Duration maximumAge = mode.maximumAge().get();
    while (true) {
      // Before the snapshot of the attempt.
      long begun = ticker.read();
      try {
        return attempt.apply(() -> knownOrCounted(list, maximumAge, begun, count));
      } catch (CountRunningException e) {
        await(e.other, hasTimeAfter);
      }
    }
  }

  private long count(ListKey list, ToLongFunction<Duration> count) {
    Timeouts before = timeouts.getIfPresent(list);
    if (before != null
        && before.number >= MAX_TIMEOUTS
        && ticker.read() - before.last < PAUSE_AFTER_TIMEOUTS.toNanos()) {
      throw new CountTimeout("the list could not be counted in time, and is not counted now");
    }
    try {
      long total = count.applyAsLong(limit);
      timeouts.invalidate(list);
      return total;
    } catch (CountTimeout e) {
      if (e.hadFullLimit()) {
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

  private long knownOrCounted(
      ListKey list, Duration maximumAge, long begun, ToLongFunction<Duration> count) {
    OptionalLong before = known(list, maximumAge);
    if (before.isPresent()) {
      return before.getAsLong();
    }
    RunningCount own = new RunningCount();
    RunningCount other = running.putIfAbsent(list, own);
    if (other != null) {
      throw new CountRunningException(other);
    }
    try {
      // Another request may have finished its count since the first lookup.
      OptionalLong between = known(list, maximumAge);
      if (between.isPresent()) {
        return between.getAsLong();
      }
      KnownTotal total = new KnownTotal(count(list, count), begun);
      keep(list, total);
      return total.total;
    } catch (CountTimeout e) {
      own.timeout = e;
      throw e;
    } finally {
      running.remove(list);
      own.ended.countDown();
    }
  }

  private OptionalLong known(ListKey list, Duration maximumAge) {
    Map<ListKey, KnownTotal> lists = known.getIfPresent(list.clientId);
    KnownTotal last = lists == null ? null : lists.get(list);
    return last == null || ticker.read() - last.countedAt > maximumAge.toNanos()
        ? OptionalLong.empty()
        : OptionalLong.of(last.total);
  }

  private void keep(ListKey list, KnownTotal total) {
    known
        .asMap()
        .compute(
            list.clientId,
            (client, before) -> with(before == null ? Map.of() : before, list, total));
  }

  /** Returns a copy with the total as its last entry, and without the first one if it was full. */
  private static Map<ListKey, KnownTotal> with(
      Map<ListKey, KnownTotal> before, ListKey list, KnownTotal total) {
    Map<ListKey, KnownTotal> lists = new LinkedHashMap<>(before);
    lists.remove(list);
    if (lists.size() == MAX_LISTS_PER_CLIENT) {
      lists.remove(lists.keySet().iterator().next());
    }
    lists.put(list, total);
    return lists;
  }

  private static void await(RunningCount other, Predicate<Duration> hasTimeAfter) {
    boolean ended = false;
    try {
      while (!ended && hasTimeAfter.test(WAIT_SLICE)) {
        ended = other.ended.await(WAIT_SLICE.toMillis(), TimeUnit.MILLISECONDS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (!ended) {
      throw new StoreUnavailableException("another request was still counting the list");
    }
    // If the other request cut its count short, this one may have enough time for a count.
    CountTimeout timeout = other.timeout;
    if (timeout != null && timeout.hadFullLimit()) {
      throw new CountTimeout(String.valueOf(timeout.getMessage()), false, timeout);
    }
  }

  /**
   * Reports that a list could not be counted in time. The log says so at most once a minute for
   * each listing.
   *
   * @param advice finds out what would make the count faster; called on another thread, so that the
   *     request does not wait for it
   */
  public void reportTimeout(String listing, Supplier<String> advice) {
    long now = ticker.read();
    AtomicBoolean isDue = new AtomicBoolean();
    slow.asMap()
        .compute(
            listing,
            (path, before) -> {
              isDue.set(before == null || now - before.loggedAt >= LOG_INTERVAL.toNanos());
              return isDue.get() ? new SlowCount("", now) : before;
            });
    if (isDue.get()) {
      Thread.ofVirtual()
          .name("count-advice")
          .start(() -> publishAdvice(listing, advice.get(), now));
    }
  }

  private void publishAdvice(String listing, String advice, long now) {
    LOG.warn(
        "cannot count the records of {} within {} s, so requests without totals=none are refused"
            + " as total_unavailable: {}",
        listing,
        limit.toSeconds(),
        advice);
    slow.put(listing, new SlowCount(advice, now));
  }

  /**
   * Returns the advice in the log on how to make the counts of a listing faster; an empty text
   * until the log has it. The result is empty if no count took too long during the last hour.
   */
  public Optional<String> slowCountAdvice(String listing) {
    return Optional.ofNullable(slow.getIfPresent(listing)).map(SlowCount::advice);
  }
}
