package dev.countersign.server.operators.signin;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.countersign.server.operators.Addresses;
import java.net.InetAddress;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;

/**
 * Limits each network to 20 new OpenID sign-ins per minute. Anybody may begin a sign-in, and each
 * new sign-in adds a row to the database.
 *
 * <p>Use it for requests that anybody may send without an account and that cost only a row.
 *
 * <p>The number: a person begins one or two sign-ins, and several people may share a network. A
 * sign-in that is not completed is kept for ten minutes, so a network has about 200 of the 10,000
 * rows that are kept.
 *
 * <p>Design note: each node keeps its own bounded counters in memory.
 */
public final class OpenIdAttemptLimiter {
  private static final int MAX_PER_MINUTE = 20;
  // At most this many networks have a counter at the same time.
  private static final int MAX_NETWORKS = 100_000;
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final Clock clock;
  private final Cache<String, Window> windows =
      Caffeine.newBuilder().maximumSize(MAX_NETWORKS).build();

  public OpenIdAttemptLimiter(Clock clock) {
    this.clock = clock;
  }

  /**
   * Counts an attempt to begin a sign-in. Returns how long the caller must wait, or zero if the
   * sign-in may begin. Attempts that must wait count too.
   */
  public Duration tryBegin(InetAddress address) {
    Instant now = clock.instant();
    Window window =
        windows
            .asMap()
            .compute(
                Addresses.network(address),
                (network, last) ->
                    last == null || !now.isBefore(last.end())
                        ? new Window(now.plus(MINUTE), 1)
                        : new Window(last.end(), last.attempts() + 1));
    return window.attempts() > MAX_PER_MINUTE ? Duration.between(now, window.end()) : Duration.ZERO;
  }

  /** The end of a network's current minute, and the number of attempts in that minute. */
  private record Window(Instant end, int attempts) {}
}
