package dev.countersign.server.access;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.countersign.protocol.Reason;
import dev.countersign.server.access.outcome.Denial;
import dev.countersign.server.access.outcome.DeniedException;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Limits the rate of each client's verified requests, with a token bucket per client. A full bucket
 * allows as many requests as the limit allows in one second.
 *
 * <p>Use it for a limit that is agreed with the client. It runs after the signature check, so only
 * verified requests count, and nobody can use up another client's limit. It does not protect the
 * service from senders that it has not verified; {@link LoadShedder} does.
 *
 * <p>The number is a setting, {@code access.rate-limit}, and there is no limit without it, because
 * only the operator knows the agreement. The bucket holds one second's requests, because a client
 * with a pool of connections sends several at once.
 */
final class RateLimiter {
  private final int perSecond;
  private final LongSupplier nanoTime;
  private final Cache<String, Bucket> buckets =
      Caffeine.newBuilder().expireAfterAccess(Duration.ofMinutes(1)).build();

  /**
   * Creates a limiter.
   *
   * @param perSecond requests per second and client; 0 means no limit
   */
  RateLimiter(int perSecond, LongSupplier nanoTime) {
    this.perSecond = perSecond;
    this.nanoTime = nanoTime;
  }

  /**
   * Counts one verified request.
   *
   * @throws DeniedException {@link Reason#RATE_LIMITED} if the client's limit is reached
   */
  void count(String clientId) {
    if (perSecond > 0
        && !buckets.get(clientId, each -> new Bucket(perSecond, nanoTime)).takeOne()) {
      throw Denial.of(
              Reason.RATE_LIMITED,
              "this client may make at most " + perSecond + " requests per second")
          .withHeader("Retry-After", "1")
          .asException();
    }
  }
}
