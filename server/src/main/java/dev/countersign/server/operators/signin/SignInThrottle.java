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
 * Slows down password guessing, by account and by network. It counts attempts for each typed name,
 * so it never reveals whether an account exists.
 *
 * <p>Nobody can lock out another user. An attempt is refused only because of earlier attempts from
 * the same network or the same known device. Attempts from other networks can only delay an
 * attempt, by at most two seconds.
 *
 * <p>Use it where a failed attempt may be a guess at a secret.
 *
 * <p>The numbers: a person mistypes a password a few times, so a network may fail five times at a
 * name without a wait. Several people may share a network, so it may fail twenty times in all. Each
 * further failure doubles the wait, from one second to fifteen minutes. So one network can guess 17
 * times at a name in the first hour, and then four times an hour. Its failures are forgotten after
 * an hour without an attempt. So it has about twelve guesses an hour if it always pauses for an
 * hour after 14 guesses, which take nine minutes. After fifty failures under a name, attempts
 * without a known device are delayed by two seconds, which a person accepts.
 *
 * <p>Design note: each node keeps its own bounded counters in memory. A flood from more networks
 * than the counters can hold makes the node forget older networks, but {@link PasswordHashLimiter}
 * still limits such a flood.
 */
final class SignInThrottle {
  private static final int FREE_PER_ACCOUNT = 5;
  private static final int FREE_PER_NETWORK = 20;
  private static final int UNDELAYED_PER_NAME = 50;
  private static final int MAX_COUNTERS = 100_000;
  private static final int MAX_DELAYED = 100;
  private static final Duration RETENTION = Duration.ofHours(1);
  private static final Duration DELAY = Duration.ofSeconds(2);

  private final Clock clock;
  private final Sleeper sleeper;
  private final Semaphore delayed = new Semaphore(MAX_DELAYED);
  private final Cache<String, Backoff> byAccountAndNetwork;
  private final Cache<String, Backoff> byNetwork;
  private final Cache<String, Backoff> byDevice;
  private final Cache<String, AtomicInteger> byName;

  SignInThrottle(Clock clock, Sleeper sleeper) {
    this.clock = clock;
    this.sleeper = sleeper;
    this.byAccountAndNetwork = newBoundedCache().expireAfterAccess(RETENTION).build();
    this.byNetwork = newBoundedCache().expireAfterAccess(RETENTION).build();
    this.byDevice = newBoundedCache().expireAfterAccess(RETENTION).build();
    this.byName = newBoundedCache().expireAfterWrite(RETENTION).build();
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
      return beginNow(
          new Attempt(List.of(backoff(byDevice, deviceHash, FREE_PER_ACCOUNT)), List.of(), null));
    }
    String network = Addresses.network(address);
    Backoff account = backoff(byAccountAndNetwork, network + " " + nameKey, FREE_PER_ACCOUNT);
    Backoff allAccounts = backoff(byNetwork, network, FREE_PER_NETWORK);
    Attempt attempt =
        beginNow(new Attempt(List.of(account), List.of(allAccounts), counter(nameKey)));
    attempt.delayAfterManyFailures();
    return attempt;
  }

  private Attempt beginNow(Attempt attempt) {
    Duration wait = attempt.tryBegin(clock.instant());
    if (!wait.isZero()) {
      throw SignInException.slowed(wait);
    }
    return attempt;
  }

  private static Backoff backoff(Cache<String, Backoff> cache, String key, int free) {
    return cache.get(key, unseen -> new Backoff(free));
  }

  private AtomicInteger counter(String nameKey) {
    return byName.get(nameKey, unseen -> new AtomicInteger());
  }

  private Caffeine<Object, Object> newBoundedCache() {
    return Caffeine.newBuilder()
        .maximumSize(MAX_COUNTERS)
        .executor(Runnable::run)
        .ticker(() -> nanoseconds(clock.instant()));
  }

  private static long nanoseconds(Instant time) {
    return TimeUnit.SECONDS.toNanos(time.getEpochSecond()) + time.getNano();
  }

  /**
   * An attempt, which counts as failed from its beginning until {@link #markSuccessful} or {@link
   * #abandon} is called.
   */
  final class Attempt {
    private final List<Backoff> own;
    private final List<Backoff> shared;
    private final @Nullable AtomicInteger failuresOfName;

    private Attempt(
        List<Backoff> own, List<Backoff> shared, @Nullable AtomicInteger failuresOfName) {
      this.own = own;
      this.shared = shared;
      this.failuresOfName = failuresOfName;
    }

    /**
     * Marks the attempt as successful. Forgets the account's failures from this network or device,
     * but not those of other accounts from this network.
     */
    void markSuccessful() {
      own.forEach(Backoff::forget);
      shared.forEach(Backoff::takeBack);
      uncount();
    }

    /** Takes the attempt back because no password was checked. */
    void abandon() {
      own.forEach(Backoff::takeBack);
      shared.forEach(Backoff::takeBack);
      uncount();
    }

    private Duration tryBegin(Instant now) {
      for (Backoff backoff : own) {
        Duration wait = backoff.tryBegin(now);
        if (!wait.isZero()) {
          return wait;
        }
      }
      for (Backoff backoff : shared) {
        Duration wait = backoff.tryBegin(now);
        if (!wait.isZero()) {
          own.forEach(Backoff::takeBack);
          return wait;
        }
      }
      if (failuresOfName != null) {
        failuresOfName.incrementAndGet();
      }
      return Duration.ZERO;
    }

    private void uncount() {
      if (failuresOfName != null) {
        failuresOfName.decrementAndGet();
      }
    }

    // If too many attempts are delayed already, this one continues without a delay, because a
    // refusal could lock out the owner of the account.
    private void delayAfterManyFailures() {
      if (failuresOfName == null
          || failuresOfName.get() <= UNDELAYED_PER_NAME
          || !delayed.tryAcquire()) {
        return;
      }
      try {
        sleeper.sleep(DELAY);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        abandon();
        throw SignInException.busy();
      } finally {
        delayed.release();
      }
    }
  }

  /** Waits for a time. It is injected, so that tests do not have to wait. */
  @FunctionalInterface
  interface Sleeper {
    void sleep(Duration time) throws InterruptedException;
  }

  /**
   * An exponential backoff: it counts failed attempts. The first ones are free; after that, each
   * failure doubles the wait before the next attempt. An attempt counts as failed when it begins,
   * so that parallel attempts do not bypass the limit.
   */
  private static final class Backoff {
    private static final Duration FIRST_WAIT = Duration.ofSeconds(1);
    private static final Duration MAX_WAIT = Duration.ofMinutes(15);
    private static final int MAX_DOUBLINGS = 10;

    private final int free;
    private int failures;
    private Instant nextAttemptAt = Instant.MIN;

    Backoff(int free) {
      this.free = free;
    }

    /** Begins an attempt. Returns how long it must wait, or zero if it has begun. */
    synchronized Duration tryBegin(Instant now) {
      if (now.isBefore(nextAttemptAt)) {
        return Duration.between(now, nextAttemptAt);
      }
      failures++;
      if (failures >= free) {
        nextAttemptAt = now.plus(waitAfter(failures - free));
      }
      return Duration.ZERO;
    }

    /** Takes back an attempt that did not fail or whose password was not checked. */
    synchronized void takeBack() {
      failures = Math.max(0, failures - 1);
      // The attempt that began last has set the wait. Usually that is this attempt, because no
      // attempt begins during a wait. If another attempt began later, the wait that it set ends
      // too, but that attempt still counts.
      nextAttemptAt = Instant.MIN;
    }

    synchronized void forget() {
      failures = 0;
      nextAttemptAt = Instant.MIN;
    }

    private static Duration waitAfter(int doublings) {
      Duration wait = FIRST_WAIT.multipliedBy(1L << Math.min(doublings, MAX_DOUBLINGS));
      return wait.compareTo(MAX_WAIT) < 0 ? wait : MAX_WAIT;
    }
  }
}
