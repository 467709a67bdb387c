package dev.countersign.server.operators.signin;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.countersign.server.operators.Addresses;
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
 * Slows down password guessing, by account and by address. It counts attempts for each typed name,
 * so it never reveals whether an account exists.
 *
 * <p>Nobody can lock out another user. An attempt is refused only because of earlier attempts from
 * the same network or the same known device. Attempts from other networks can only delay an
 * attempt, by at most two seconds.
 *
 * <p>Use it where a wrong answer to a question is a guess.
 *
 * <p>The numbers: a person mistypes a password a few times, so five attempts at a name are free,
 * and twenty in a network that several people share. After that, the wait doubles from one second
 * to fifteen minutes. So one network has fewer than twenty guesses at a name in the first hour, and
 * then four an hour, or about twelve if it pauses for an hour each time. After fifty failures under
 * a name, attempts without a known device are delayed by two seconds, which a person accepts.
 *
 * <p>Design note: each node keeps its own bounded counters in memory. A flood from more networks
 * than the counters can hold makes the node forget older networks, but {@link PasswordHashLimiter}
 * still limits such a flood.
 */
final class SignInThrottle {
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

  SignInThrottle(Clock clock, Sleeper sleeper) {
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
   * @param deviceHash the hash of a known device of the account, whose attempts are counted
   *     separately; null if the browser is unknown
   * @throws SignInException if the attempt must wait; such an attempt is not counted
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

  /**
   * An attempt that has begun. It counts as failed until {@link #succeeded} or {@link #abandoned}
   * is called.
   */
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

    /**
     * Marks the attempt as successful. Forgets the account's failures from this network or device,
     * but not those of other accounts from this network.
     */
    void succeeded() {
      own.forEach(SlowingBucket::forget);
      shared.forEach(SlowingBucket::takeBack);
      uncount();
    }

    /** Takes the attempt back because no password was checked. */
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

    // If too many attempts wait already, this one continues without a delay, because a refusal
    // could lock out the owner of the account.
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

  /** Waits for a time. It is injected, so that tests do not have to wait. */
  @FunctionalInterface
  interface Sleeper {
    void sleep(Duration time) throws InterruptedException;
  }

  /**
   * Counts failed attempts. The first ones are free; after that, each failure doubles the wait
   * before the next attempt. An attempt counts as failed when it begins, so that parallel attempts
   * do not bypass the limit.
   */
  private static final class SlowingBucket {
    private static final Duration FIRST_WAIT = Duration.ofSeconds(1);
    private static final Duration LONGEST_WAIT = Duration.ofMinutes(15);
    private static final int LARGEST_SHIFT = 10;

    private final int free;
    private int failures;
    private Instant openAt = Instant.MIN;

    SlowingBucket(int free) {
      this.free = free;
    }

    /** Begins an attempt. Returns how long it must wait, or zero if it has begun. */
    synchronized Duration begin(Instant now) {
      if (now.isBefore(openAt)) {
        return Duration.between(now, openAt);
      }
      failures++;
      if (failures >= free) {
        openAt = now.plus(wait(failures - free));
      }
      return Duration.ZERO;
    }

    /** Takes back an attempt that did not fail or whose password was not checked. */
    synchronized void takeBack() {
      failures = Math.max(0, failures - 1);
      // No attempt begins during a wait, so the wait was caused by this attempt.
      openAt = Instant.MIN;
    }

    synchronized void forget() {
      failures = 0;
      openAt = Instant.MIN;
    }

    private static Duration wait(int times) {
      Duration wait = FIRST_WAIT.multipliedBy(1L << Math.min(times, LARGEST_SHIFT));
      return wait.compareTo(LONGEST_WAIT) < 0 ? wait : LONGEST_WAIT;
    }
  }
}
