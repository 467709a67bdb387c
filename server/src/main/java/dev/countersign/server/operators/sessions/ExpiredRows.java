package dev.countersign.server.operators.sessions;

import dev.countersign.server.operators.OperatorRows;
import dev.countersign.server.store.Database;
import java.time.Clock;

/** Deletes expired sessions, links, devices and pending sign-ins. */
public final class ExpiredRows {
  private final Database database;
  private final SessionStore sessions;
  private final Clock clock;

  public ExpiredRows(Database database, SessionStore sessions, Clock clock) {
    this.database = database;
    this.sessions = sessions;
    this.clock = clock;
  }

  /** Deletes expired rows and returns their number. */
  public int purge() {
    return sessions.purge()
        + drop("DELETE FROM operator_links WHERE expires_at <= ?")
        + drop("DELETE FROM operator_devices WHERE expires_at <= ?")
        + drop("DELETE FROM openid_sign_ins WHERE expires_at <= ?");
  }

  // Takes the same lock as a change to an account, so that a purge and a change cannot deadlock.
  private int drop(String statement) {
    return database.write(
        sql -> {
          new OperatorRows(sql).lock();
          return sql.sql(statement).param(clock.millis()).update();
        });
  }
}
