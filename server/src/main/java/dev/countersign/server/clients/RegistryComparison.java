package dev.countersign.server.clients;

import dev.countersign.server.clients.ClientRows.LastChange;
import dev.countersign.server.clients.ClientRows.Stored;
import dev.countersign.server.store.Database;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares the last changes of all clients in the registry with those in the store, once a minute.
 * Clients that differ are read again; clients that the store does not have are removed.
 *
 * <p>The comparison runs in steps of one short read each, so that it does not delay the watch for
 * changes.
 */
final class RegistryComparison {
  /** The interval between the starts of two comparisons. */
  static final Duration INTERVAL = Duration.ofMinutes(1);

  private static final Logger LOG = LoggerFactory.getLogger(RegistryComparison.class);
  // The maximum number of clients that one step compares.
  private static final int STEP = 5_000;
  // The maximum number of clients that one statement names.
  private static final int NAMED = 500;

  private final Database database;
  private final Map<String, RegistryEntry> entries;

  private long lastStart;
  private boolean running;
  private String after = "";
  // The clients that were in the registry at the start, and that no step has compared yet.
  private Set<String> uncompared = new HashSet<>();

  /**
   * Creates a comparison that first starts after one interval.
   *
   * @param entries the clients in the registry, which only the caller's thread changes
   * @param now the present time, in nanoseconds
   */
  RegistryComparison(Database database, Map<String, RegistryEntry> entries, long now) {
    this.database = database;
    this.entries = entries;
    this.lastStart = now;
  }

  /**
   * Makes one step, if a comparison is running or due.
   *
   * @param now the present time, in nanoseconds
   * @param seen the latest revision in the registry; the watch for changes reads later ones
   */
  void step(long now, long seen) {
    if (!running && now - lastStart >= INTERVAL.toNanos()) {
      running = true;
      lastStart = now;
      after = "";
      uncompared = new HashSet<>(entries.keySet());
    }
    if (running) {
      List<LastChange> changes = database.read(sql -> new ClientRows(sql).lastChanges(after, STEP));
      repair(
          changes.stream()
              .filter(change -> differs(change, seen))
              .map(LastChange::clientId)
              .toList());
      changes.forEach(change -> uncompared.remove(change.clientId()));
      if (changes.size() == STEP) {
        after = changes.getLast().clientId();
      } else {
        running = false;
        repair(List.copyOf(uncompared));
        uncompared = new HashSet<>();
      }
    }
  }

  private boolean differs(LastChange change, long seen) {
    RegistryEntry entry = entries.get(change.clientId());
    return change.position().revision() <= seen
        && (entry == null || !entry.isAt(change.position()));
  }

  private void repair(List<String> clientIds) {
    int differed = 0;
    for (int from = 0; from < clientIds.size(); from += NAMED) {
      List<String> batch = clientIds.subList(from, Math.min(clientIds.size(), from + NAMED));
      Set<String> gone = new HashSet<>(batch);
      List<Stored> found = database.read(sql -> new ClientRows(sql).stored(new ArrayList<>(batch)));
      for (Stored stored : found) {
        gone.remove(stored.client().clientId());
        differed += ClientRegistry.take(entries, stored) ? 1 : 0;
      }
      for (String clientId : gone) {
        differed += entries.remove(clientId) == null ? 0 : 1;
      }
    }
    if (differed > 0) {
      LOG.warn("{} clients differed from the database and were read again", differed);
    }
  }
}
