package dev.countersign.release.faults;

import dev.countersign.release.faults.Caller.Signed;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The answers that partners received for each payment, to be compared with the payments that are
 * stored. A payment is sent several times, but only with the same signature or the same
 * Idempotency-Key, so it may be stored once at most.
 */
final class History {
  private final Set<String> acknowledged = ConcurrentHashMap.newKeySet();
  private final Set<String> unknown = ConcurrentHashMap.newKeySet();
  private final Set<String> refused = ConcurrentHashMap.newKeySet();
  private final Set<String> contradicted = ConcurrentHashMap.newKeySet();
  private final Set<Long> servedAt = new ConcurrentSkipListSet<>();
  private final List<Signed> archive = new CopyOnWriteArrayList<>();

  /** A partner was told that the payment is stored. */
  void acknowledged(String reference) {
    acknowledged.add(reference);
  }

  /** A partner was told that this request did not store the payment. */
  void refused(String reference) {
    refused.add(reference);
  }

  /** A partner was told nothing, or that the outcome is unknown. */
  void unknown(String reference) {
    unknown.add(reference);
  }

  /** A partner who was refused each time learnt that one of the requests was executed. */
  void contradicted(String reference) {
    contradicted.add(reference);
  }

  /** The balancer's partners are served now. */
  void served() {
    servedAt.add(System.nanoTime());
  }

  /** Keeps an executed request for as long as the campaign lasts. */
  void archive(Signed executed) {
    archive.add(executed);
  }

  /** Returns the executed requests that were kept, oldest first. */
  List<Signed> archived() {
    return List.copyOf(archive);
  }

  int countAcknowledged() {
    return acknowledged.size();
  }

  /** Returns the longest time between two times in which nobody was served, in milliseconds. */
  long longestOutage(long from, long to) {
    long longest = 0;
    long last = from;
    for (long at : servedAt) {
      if (at >= from && at <= to) {
        longest = Math.max(longest, at - last);
        last = at;
      }
    }
    return Math.max(longest, to - last) / 1_000_000;
  }

  /**
   * The difference between the answers and the payments that are stored.
   *
   * @param lost payments that were acknowledged and are not stored
   * @param doubled payments that are stored more than once
   * @param contradicted payments that are stored although every answer to them was a refusal
   */
  record Verdict(Set<String> lost, Set<String> doubled, Set<String> contradicted) {
    /** Returns what an earlier verdict does not have. */
    Verdict since(Verdict earlier) {
      return new Verdict(
          without(lost, earlier.lost),
          without(doubled, earlier.doubled),
          without(contradicted, earlier.contradicted));
    }

    private static Set<String> without(Set<String> all, Set<String> some) {
      Set<String> rest = new HashSet<>(all);
      rest.removeAll(some);
      return rest;
    }
  }

  /**
   * Compares the history with the payments that are stored.
   *
   * @param stored how often each payment is stored, by its reference
   */
  Verdict compare(Map<String, Integer> stored) {
    Set<String> lost = new HashSet<>(acknowledged);
    lost.removeAll(stored.keySet());
    Set<String> doubled = new HashSet<>();
    Set<String> stillStored = new HashSet<>(contradicted);
    stored.forEach(
        (reference, count) -> {
          if (count > 1) {
            doubled.add(reference);
          }
          if (refused.contains(reference)
              && !acknowledged.contains(reference)
              && !unknown.contains(reference)) {
            stillStored.add(reference);
          }
        });
    return new Verdict(lost, doubled, stillStored);
  }
}
