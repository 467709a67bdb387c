package dev.countersign.server.once;

import dev.countersign.server.store.Database;
import dev.countersign.server.store.StoreUnavailableException;
import dev.countersign.server.store.purge.Purge;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Deletes expired rows: claims whose signatures are too old to be accepted, and stored answers that
 * are older than a day. Each transaction also raises the {@link ReplayFloor} to the latest times of
 * the rows that it deletes, and no higher.
 */
public final class ReplayPurge {
  private static final Logger LOG = LoggerFactory.getLogger(ReplayPurge.class);

  private final Database database;
  private final Purge purge;
  private final Clock clock;
  private final ReplayFloor floor = new ReplayFloor();
  private final AtomicLong oldestKeptUntil = new AtomicLong(Long.MAX_VALUE);

  public ReplayPurge(Database database, Purge purge, Clock clock) {
    this.database = database;
    this.purge = purge;
    this.clock = clock;
  }

  /**
   * Deletes the expired rows. Several nodes may call this method at the same time.
   *
   * @param isEnding whether to end after the current batch
   * @return the number of rows deleted
   */
  public long run(BooleanSupplier isEnding) {
    long deleted;
    try {
      deleted =
          purge.run(
              List.of(
                  new Expired("replay_claims", "client_id, digest", true),
                  new Expired("idempotent_answers", "client_id, idempotency_key", false)),
              isEnding);
    } finally {
      readOldest();
    }
    String now = database.dialect().epochSeconds(clock);
    database.read(sql -> floor.logIfAhead(sql, now));
    return deleted;
  }

  /** Reads when the oldest row expires. If the store fails, the time that was read last stays. */
  private void readOldest() {
    try {
      oldestKeptUntil.set(
          database.read(
              sql ->
                  sql.sql(
                          "SELECT coalesce(min(kept_until), "
                              + Long.MAX_VALUE
                              + ") FROM (SELECT min(kept_until) AS kept_until FROM replay_claims"
                              + " UNION ALL SELECT min(kept_until) FROM idempotent_answers) oldest")
                      .query(Long.class)
                      .single()));
    } catch (StoreUnavailableException | DataAccessException e) {
      LOG.debug("the oldest claim is not known", e);
    }
  }

  /** Returns for how many seconds the oldest row has been expired; 0 if no row is expired. */
  long overdueSeconds() {
    long keptUntil = oldestKeptUntil.get();
    long now = clock.instant().getEpochSecond();
    return keptUntil < now ? now - keptUntil : 0;
  }

  /** The expired rows of one table, during one run. */
  private final class Expired implements Purge.Batch {
    private final String table;
    private final String key;
    private final boolean areClaims;
    // The earliest kept_until of the last batch, from which the next one searches. Without it,
    // PostgreSQL would scan the index entries of all rows deleted before, as long as another
    // transaction may still see these rows. The latest kept_until would save more, but if the
    // transaction is rolled back and runs again, the rows of the last batch are still there.
    private long from;

    Expired(String table, String key, boolean areClaims) {
      this.table = table;
      this.key = key;
      this.areClaims = areClaims;
    }

    @Override
    public int delete(JdbcClient sql, Instant now, int limit) {
      List<Times> deleted =
          sql.sql(statement(limit))
              .param("from", from)
              .param("now", now.getEpochSecond())
              .query((row, n) -> new Times(row.getLong(1), row.getLong(2)))
              .list();
      if (!deleted.isEmpty()) {
        long keptUntil = deleted.stream().mapToLong(Times::keptUntil).max().getAsLong();
        long created = deleted.stream().mapToLong(Times::created).max().getAsLong();
        floor.raise(sql, areClaims ? keptUntil : 0, created);
        from = deleted.stream().mapToLong(Times::keptUntil).min().getAsLong();
      }
      return deleted.size();
    }

    private String statement(int limit) {
      Purge.Rows rows =
          new Purge.Rows(
              table, key, "kept_until >= :from", "kept_until", "kept_until < :now", ", kept_until");
      return rows.deletion(database.dialect(), limit) + " RETURNING kept_until, created";
    }
  }

  /** The times of a deleted row, in seconds since 1970. */
  private record Times(long keptUntil, long created) {}
}
