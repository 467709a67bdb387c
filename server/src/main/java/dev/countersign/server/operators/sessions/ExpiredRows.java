package dev.countersign.server.operators.sessions;

import dev.countersign.server.operators.OperatorRows;
import dev.countersign.server.store.Dialect;
import dev.countersign.server.store.purge.Purge;
import java.util.List;
import java.util.function.BooleanSupplier;

/** Deletes expired sessions, links, devices and pending sign-ins. */
public final class ExpiredRows {
  private final Purge purge;
  private final Dialect dialect;
  private final SessionStore sessions;

  /**
   * Creates a purge of expired rows.
   *
   * @param purge runs the deletions in batches
   */
  public ExpiredRows(Purge purge, Dialect dialect, SessionStore sessions) {
    this.purge = purge;
    this.dialect = dialect;
    this.sessions = sessions;
  }

  /**
   * Deletes expired rows.
   *
   * @param isEnding whether to end after the current batch
   * @return the number of rows deleted
   */
  public long run(BooleanSupplier isEnding) {
    return purge.run(
        List.of(
            locked(sessions.expired()),
            locked(expired("operator_links", "token_hash")),
            locked(expired("operator_devices", "token_hash")),
            locked(expired("openid_sign_ins", "state_hash"))),
        isEnding);
  }

  private Purge.Batch expired(String table, String key) {
    Purge.Rows rows =
        new Purge.Rows(
            table, key, "expires_at > 0", "expires_at", "expires_at <= :now", ", expires_at");
    return (sql, now, limit) ->
        sql.sql(rows.deletion(dialect, limit)).param("now", now.toEpochMilli()).update();
  }

  // Takes the same lock as a change to an account, so that a purge and a change cannot deadlock.
  private static Purge.Batch locked(Purge.Batch batch) {
    return (sql, now, limit) -> {
      new OperatorRows(sql).lock();
      return batch.delete(sql, now, limit);
    };
  }
}
