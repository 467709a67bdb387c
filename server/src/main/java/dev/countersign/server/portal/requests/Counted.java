package dev.countersign.server.portal.requests;

import dev.countersign.server.access.outcome.Standing;
import dev.countersign.server.requests.RequestCounters;

/** The numbers of requests that this node has recorded and dropped since it started, as text. */
record Counted(RequestCounters counters) {

  public long stored() {
    return counters.stored().values().stream().mapToLong(Long::longValue).sum();
  }

  public long dropped() {
    return counters.dropped().values().stream().mapToLong(Long::longValue).sum();
  }

  public long droppedVerified() {
    return dropped(Standing.VERIFIED);
  }

  public long droppedClaimed() {
    return dropped(Standing.CLAIMED);
  }

  public long droppedAnonymous() {
    return dropped(Standing.ANONYMOUS);
  }

  private long dropped(Standing standing) {
    return counters.dropped().getOrDefault(standing, 0L);
  }
}
