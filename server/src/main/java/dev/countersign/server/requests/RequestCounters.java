package dev.countersign.server.requests;

import dev.countersign.server.access.Standing;
import java.util.Map;

/**
 * How many requests of each standing got a record since this node started, and how many got none,
 * because there were too many at once or the store failed.
 */
public record RequestCounters(Map<Standing, Long> stored, Map<Standing, Long> dropped) {
  public RequestCounters {
    stored = Map.copyOf(stored);
    dropped = Map.copyOf(dropped);
  }
}
