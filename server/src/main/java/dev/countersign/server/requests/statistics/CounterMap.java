package dev.countersign.server.requests.statistics;

import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;

/**
 * Keeps counts in memory until they are written. Any thread may count, without a lock.
 *
 * <p>Design note: counters only grow, and each has a second counter for the part that was written.
 * So no count is lost if a thread counts during a write, or if a write fails.
 */
final class CounterMap<K extends Comparable<K>> {
  private final Map<K, Cell> cells = new ConcurrentHashMap<>();
  private final int limit;

  /**
   * Creates an empty map.
   *
   * @param limit the maximum number of keys; further keys are not counted until some keys are
   *     removed
   */
  CounterMap(int limit) {
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

  /** Returns the counts that were not written yet, in the order of the keys. */
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

  /** Marks the counts as written. Only the writing thread calls this. */
  void markWritten(Map<K, Long> counts) {
    counts.forEach(
        (key, count) -> {
          Cell cell = cells.get(key);
          if (cell != null) {
            cell.written.addAndGet(count);
          }
        });
  }

  /** Removes the keys that {@code past} accepts, if all their counts are written. */
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
