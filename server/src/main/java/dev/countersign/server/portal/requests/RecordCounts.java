package dev.countersign.server.portal.requests;

import dev.countersign.server.access.outcome.TrustLevel;
import dev.countersign.server.requests.RequestCounters;

/**
 * The numbers of requests that this node has recorded and dropped since it started, as the page
 * shows them.
 */
record RecordCounts(RequestCounters counters) {

  public long stored() {
    return counters.stored().values().stream().mapToLong(Long::longValue).sum();
  }

  public long dropped() {
    return counters.dropped().values().stream().mapToLong(Long::longValue).sum();
  }

  public long droppedVerified() {
    return dropped(TrustLevel.VERIFIED);
  }

  public long droppedClaimed() {
    return dropped(TrustLevel.CLAIMED);
  }

  public long droppedAnonymous() {
    return dropped(TrustLevel.ANONYMOUS);
  }

  private long dropped(TrustLevel trust) {
    return counters.dropped().getOrDefault(trust, 0L);
  }
}
