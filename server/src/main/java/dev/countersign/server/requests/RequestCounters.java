package dev.countersign.server.requests;

import dev.countersign.server.access.outcome.TrustLevel;
import java.util.Map;

/**
 * The numbers of requests that were stored and dropped since this node started, by trust level.
 * Requests are dropped if too many arrive at once or if the store fails.
 */
public record RequestCounters(Map<TrustLevel, Long> stored, Map<TrustLevel, Long> dropped) {
  public RequestCounters {
    stored = Map.copyOf(stored);
    dropped = Map.copyOf(dropped);
  }
}
