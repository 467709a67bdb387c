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
 * <p>Use it for what costs a row and nothing else, and can be begun without an account.
 *
 * <p>The number: a person begins one or two sign-ins, and several people may share a network. A
 * sign-in that is not completed is kept for ten minutes, so a network has about 200 of the 10,000
 * rows that are kept.
 *
 * <p>Design note: each node keeps its own bounded counters in memory.
 */
public final class OpenIdAttemptLimiter {
  private static final int MOST_A_MINUTE = 20;
  // At most this many networks have a counter at the same time.
  private static final int MOST_NETWORKS = 100_000;
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final Clock clock;
  private final Cache<String, Window> windows =
      Caffeine.newBuilder().maximumSize(MOST_NETWORKS).build();

  public OpenIdAttemptLimiter(Clock clock) {
    this.clock = clock;
  }

  /** Begins a sign-in. Returns how long the caller must wait, or zero if the sign-in has begun. */
  public Duration begin(InetAddress address) {
    Instant now = clock.instant();
    Window window =
        windows
            .asMap()
            .compute(
                Addresses.network(address),
                (network, last) ->
                    last == null || !now.isBefore(last.end())
                        ? new Window(now.plus(MINUTE), 1)
                        : new Window(last.end(), last.begun() + 1));
    return window.begun() > MOST_A_MINUTE ? Duration.between(now, window.end()) : Duration.ZERO;
  }

  /** The end of a network's current minute, and the number of sign-ins begun in that minute. */
  private record Window(Instant end, int begun) {}
}
