package dev.countersign.server.operators;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.net.InetAddress;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Slows guessing down, by account and by address, and never says whether an account exists: it
 * knows names as they are typed and nothing else.
 *
 * <p>Nobody can lock somebody else out. What makes an attempt wait is what came from its own
 * address, or its own known device; what came from other addresses delays it by two seconds at
 * most.
 *
 * <p>Design note: this is kept in memory, on each node for itself, and bounded. A flood from more
 * networks than it holds makes it forget, and is still bounded by {@link HashGate}.
 */
final class Attempts {
  private static final int FREE_OF_ACCOUNT = 5;
  private static final int FREE_OF_ADDRESS = 20;
  private static final int UNDELAYED_OF_NAME = 50;
  private static final int MOST = 100_000;
  private static final int WAITING = 100;
  private static final Duration KEPT = Duration.ofHours(1);
  private static final Duration DELAY = Duration.ofSeconds(2);

  private final Clock clock;
  private final Sleeper sleeper;
  private final Semaphore waiting = new Semaphore(WAITING);
  private final Cache<String, SlowingBucket> byAccountAndAddress;
  private final Cache<String, SlowingBucket> byAddress;
  private final Cache<String, SlowingBucket> byDevice;
  private final Cache<String, AtomicInteger> byName;

  Attempts(Clock clock, Sleeper sleeper) {
    this.clock = clock;
    this.sleeper = sleeper;
    this.byAccountAndAddress = bounded().expireAfterAccess(KEPT).build();
    this.byAddress = bounded().expireAfterAccess(KEPT).build();
    this.byDevice = bounded().expireAfterAccess(KEPT).build();
    this.byName = bounded().expireAfterWrite(KEPT).build();
  }

  /**
   * Begins an attempt.
   *
   * @param deviceHash a known device of the account, which counts for itself; null for a stranger
   * @throws SignInException where it must wait; it is then not counted
   */
  Attempt begin(String nameKey, InetAddress address, @Nullable String deviceHash) {
    if (deviceHash != null) {
      return begun(
          new Attempt(List.of(bucket(byDevice, deviceHash, FREE_OF_ACCOUNT)), List.of(), null));
    }
    String network = Addresses.network(address);
    SlowingBucket account = bucket(byAccountAndAddress, network + " " + nameKey, FREE_OF_ACCOUNT);
    SlowingBucket all = bucket(byAddress, network, FREE_OF_ADDRESS);
    Attempt attempt = begun(new Attempt(List.of(account), List.of(all), counter(nameKey)));
    attempt.waitOut();
    return attempt;
  }

  private Attempt begun(Attempt attempt) {
    Duration wait = attempt.begin(clock.instant());
    if (!wait.isZero()) {
      throw SignInException.slowed(wait);
    }
    return attempt;
  }

  private static SlowingBucket bucket(Cache<String, SlowingBucket> in, String key, int free) {
    return in.get(key, unseen -> new SlowingBucket(free));
  }

  private AtomicInteger counter(String nameKey) {
    return byName.get(nameKey, unseen -> new AtomicInteger());
  }

  private Caffeine<Object, Object> bounded() {
    return Caffeine.newBuilder()
        .maximumSize(MOST)
        .executor(Runnable::run)
        .ticker(() -> nanoseconds(clock.instant()));
  }

  private static long nanoseconds(Instant time) {
    return TimeUnit.SECONDS.toNanos(time.getEpochSecond()) + time.getNano();
  }

  /** An attempt that has begun, which has failed unless it says otherwise. */
  final class Attempt {
    private final List<SlowingBucket> own;
    private final List<SlowingBucket> shared;
    private final @Nullable AtomicInteger ofName;

    private Attempt(
        List<SlowingBucket> own, List<SlowingBucket> shared, @Nullable AtomicInteger ofName) {
      this.own = own;
      this.shared = shared;
      this.ofName = ofName;
    }

    /** It succeeded: the account's own failures from here are forgotten, others' are not. */
    void succeeded() {
      own.forEach(SlowingBucket::forget);
      shared.forEach(SlowingBucket::takeBack);
      uncount();
    }

    /** It came to nothing that anybody learned from. */
    void abandoned() {
      own.forEach(SlowingBucket::takeBack);
      shared.forEach(SlowingBucket::takeBack);
      uncount();
    }

    private Duration begin(Instant now) {
      for (SlowingBucket bucket : own) {
        Duration wait = bucket.begin(now);
        if (!wait.isZero()) {
          return wait;
        }
      }
      for (SlowingBucket bucket : shared) {
        Duration wait = bucket.begin(now);
        if (!wait.isZero()) {
          own.forEach(SlowingBucket::takeBack);
          return wait;
        }
      }
      if (ofName != null) {
        ofName.incrementAndGet();
      }
      return Duration.ZERO;
    }

    private void uncount() {
      if (ofName != null) {
        ofName.decrementAndGet();
      }
    }

    // Where too many wait already, the next ones go on: refusing them would lock out the owner.
    private void waitOut() {
      if (ofName == null || ofName.get() <= UNDELAYED_OF_NAME || !waiting.tryAcquire()) {
        return;
      }
      try {
        sleeper.sleep(DELAY);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        abandoned();
        throw SignInException.busy();
      } finally {
        waiting.release();
      }
    }
  }
}
