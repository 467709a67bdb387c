package dev.countersign.server.access;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.countersign.protocol.Reason;
import dev.countersign.server.access.outcome.Denial;
import dev.countersign.server.access.outcome.DeniedException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

/**
 * Refuses to verify signatures of unproven senders while too many requests wait for a processor. A
 * sender is a clientId together with an address. It is proven for ten minutes after its last
 * signature that verified.
 *
 * <p>While the limit is exceeded, all proven senders are verified, and at most 100 unproven ones
 * each second, so that a client can still become proven.
 *
 * <p>Design note: the access path computes and never waits, so there are never more requests in it
 * than processors. A flood therefore waits in front of it, and that queue is what is counted.
 */
public final class LoadShedder {
  private static final int WAITING_PER_PROCESSOR = 64;
  private static final int UNPROVEN_PER_SECOND = 100;
  private static final Duration PROVEN_FOR = Duration.ofMinutes(10);
  private static final long MOST_SENDERS = 100_000;

  private final int limit;
  private final AtomicInteger waiting = new AtomicInteger();
  private final Cache<Sender, Boolean> proven;
  private final RateLimiter unproven;

  /**
   * Creates a shedder.
   *
   * @param limit the number of waiting requests above which load is shed; 0 means 64 per processor
   * @param nanoTime the time in nanoseconds, from any origin
   */
  LoadShedder(int limit, LongSupplier nanoTime) {
    this.limit =
        limit > 0 ? limit : WAITING_PER_PROCESSOR * Runtime.getRuntime().availableProcessors();
    this.unproven = new RateLimiter(UNPROVEN_PER_SECOND, nanoTime);
    this.proven =
        Caffeine.newBuilder()
            .maximumSize(MOST_SENDERS)
            .expireAfterWrite(PROVEN_FOR)
            .ticker(nanoTime::getAsLong)
            .build();
  }

  /** Returns an executor that counts the tasks that wait for their start in another executor. */
  public Executor counting(Executor engine) {
    return task -> {
      waiting.incrementAndGet();
      try {
        engine.execute(
            () -> {
              waiting.decrementAndGet();
              task.run();
            });
      } catch (RejectedExecutionException e) {
        waiting.decrementAndGet();
        throw e;
      }
    };
  }

  /**
   * Admits a request to the check of its signature.
   *
   * @param clientId the client that the request names
   * @param address the caller's address
   * @throws DeniedException {@link Reason#OVERLOADED} if the limit is exceeded and the sender is
   *     not proven
   */
  void admit(String clientId, InetAddress address) {
    if (waiting.get() > limit
        && proven.getIfPresent(new Sender(clientId, address)) == null
        && !unproven.admits("")) {
      throw Denial.of(
              Reason.OVERLOADED, "too many requests wait for the service at the moment; try again")
          .withHeader("Retry-After", "1")
          .asException();
    }
  }

  /** Records that a signature of this client from this address has verified. */
  void noteProven(String clientId, InetAddress address) {
    proven.put(new Sender(clientId, address), true);
  }

  private record Sender(String clientId, InetAddress address) {}
}
