package dev.countersign.server.operators;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.net.InetAddress;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;

/**
 * Bounds how many sign-ins by OpenID an address begins: twenty a minute. Strangers may begin them,
 * and each is a row in the database.
 *
 * <p>Design note: this is kept in memory, on each node for itself, and bounded.
 */
public final class BegunSignIns {
  private static final int MOST_A_MINUTE = 20;
  private static final int MOST_NETWORKS = 100_000;
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final Clock clock;
  private final Cache<String, Window> windows =
      Caffeine.newBuilder().maximumSize(MOST_NETWORKS).build();

  public BegunSignIns(Clock clock) {
    this.clock = clock;
  }

  /** Begins a sign-in; how long it must wait instead, zero when it has begun. */
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

  /** A minute of one network, and how many it has begun in it. */
  private record Window(Instant end, int begun) {}
}
