package dev.countersign.server.requests;

import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;

/**
 * Counts in memory until they are written, for every thread at once and without a lock.
 *
 * <p>Design note: counters only grow, and beside each stands how much of it was written. So no
 * count is lost to whoever counts while another writes, nor where a write fails.
 */
final class Tally<K extends Comparable<K>> {
  private final Map<K, Cell> cells = new ConcurrentHashMap<>();
  private final int limit;

  /**
   * An empty tally.
   *
   * @param limit how many keys it holds; a further one is not counted until some are forgotten
   */
  Tally(int limit) {
    this.limit = limit;
  }

  void add(K key) {
    Cell cell = cells.get(key);
    if (cell == null) {
      if (cells.size() >= limit) {
        return;
      }
      cell = cells.computeIfAbsent(key, k -> new Cell());
    }
    cell.total.increment();
  }

  /** What has been counted and not written, in the order of the keys. */
  SortedMap<K, Long> unwritten() {
    SortedMap<K, Long> counts = new TreeMap<>();
    cells.forEach(
        (key, cell) -> {
          long more = cell.total.sum() - cell.written.get();
          if (more > 0) {
            counts.put(key, more);
          }
        });
    return counts;
  }

  /** These counts are in the store; called by the one thread that writes. */
  void written(Map<K, Long> counts) {
    counts.forEach(
        (key, count) -> {
          Cell cell = cells.get(key);
          if (cell != null) {
            cell.written.addAndGet(count);
          }
        });
  }

  /** Forgets what nobody counts any more, where all of it was written. */
  void forget(Predicate<K> past) {
    cells
        .entrySet()
        .removeIf(
            entry ->
                past.test(entry.getKey())
                    && entry.getValue().total.sum() == entry.getValue().written.get());
  }

  private static final class Cell {
    private final LongAdder total = new LongAdder();
    private final AtomicLong written = new AtomicLong();
  }
}
