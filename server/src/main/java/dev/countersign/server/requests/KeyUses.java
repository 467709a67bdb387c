package dev.countersign.server.requests;

import dev.countersign.server.access.outcome.CompletedRequest;
import dev.countersign.server.store.BulkInsert;
import dev.countersign.server.store.Database;
import dev.countersign.server.store.FailureLog;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Records when each key was last used to verify a request. The times are written every few seconds.
 * Only a verified signature counts as a use, so that nobody without the private key can make an
 * unused key look recently used.
 */
final class KeyUses {
  // A use that is older than this is removed from memory once it is written.
  private static final Duration FORGOTTEN_AFTER = Duration.ofMinutes(10);
  private static final BulkInsert UPSERT =
      new BulkInsert(
          "INSERT INTO client_key_uses (client_id, fingerprint, last_used_at)",
          3,
          // Another node may have written a later use.
          "ON CONFLICT (client_id, fingerprint) DO UPDATE SET last_used_at = excluded.last_used_at"
              + " WHERE client_key_uses.last_used_at < excluded.last_used_at");

  private final Map<Key, Use> uses = new ConcurrentHashMap<>();
  private final FailureLog failureLog = new FailureLog("uses of keys are not written");
  private final Database database;
  private final Clock clock;

  KeyUses(Database database, Clock clock) {
    this.database = database;
    this.clock = clock;
  }

  private record Key(String clientId, String fingerprint) implements Comparable<Key> {
    private static final Comparator<Key> ORDER =
        Comparator.comparing(Key::clientId).thenComparing(Key::fingerprint);

    @Override
    public int compareTo(Key other) {
      return ORDER.compare(this, other);
    }
  }

  private static final class Use {
    private final AtomicLong last = new AtomicLong();
    private volatile long written;
  }

  void note(CompletedRequest request) {
    String clientId = request.clientId();
    String fingerprint = request.keyFingerprint();
    if (clientId == null || fingerprint == null) {
      return;
    }
    AtomicLong last = uses.computeIfAbsent(new Key(clientId, fingerprint), key -> new Use()).last;
    long now = request.time().toEpochMilli();
    if (last.get() < now) {
      last.accumulateAndGet(now, Math::max);
    }
  }

  /** Writes the uses since the last flush. If the write fails, the next flush writes them. */
  void flush() {
    Map<Key, Long> unwritten = new TreeMap<>();
    uses.forEach(
        (key, use) -> {
          long last = use.last.get();
          if (last > use.written) {
            unwritten.put(key, last);
          }
        });
    if (!unwritten.isEmpty() && failureLog.attempt(() -> write(unwritten))) {
      unwritten.forEach((key, last) -> uses.computeIfPresent(key, (k, use) -> written(use, last)));
    }
    long past = clock.instant().minus(FORGOTTEN_AFTER).toEpochMilli();
    uses.values().removeIf(use -> use.written == use.last.get() && use.written < past);
  }

  private static Use written(Use use, long last) {
    use.written = last;
    return use;
  }

  private void write(Map<Key, Long> unwritten) {
    List<List<@Nullable Object>> rows = new ArrayList<>();
    unwritten.forEach((key, last) -> rows.add(List.of(key.clientId, key.fingerprint, last)));
    database.write(
        sql -> {
          UPSERT.run(sql, rows);
          return rows;
        });
  }
}
