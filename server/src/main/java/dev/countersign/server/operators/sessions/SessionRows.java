package dev.countersign.server.operators.sessions;

import dev.countersign.server.operators.Operator;
import dev.countersign.server.operators.OperatorRows;
import dev.countersign.server.store.Dialect;
import dev.countersign.server.store.purge.Purge;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * The SQL of sessions, the same on SQLite and PostgreSQL. It also finds sessions that have ended;
 * the callers leave these out.
 */
final class SessionRows {
  private static final String SELECT =
      "SELECT "
          + OperatorRows.COLUMNS
          + ", s.id AS session_id, s.started_at, s.last_active_at, s.address, s.user_agent"
          + " FROM operator_sessions s JOIN operators o ON o.id = s.operator_id ";

  private final JdbcClient sql;

  SessionRows(JdbcClient sql) {
    this.sql = sql;
  }

  void insert(String tokenHash, Row row) {
    sql.sql(
            "INSERT INTO operator_sessions (token_hash, id, operator_id, started_at,"
                + " last_active_at, address, user_agent) VALUES (?, ?, ?, ?, ?, ?, ?)")
        .param(tokenHash)
        .param(row.id())
        .param(row.operator().id())
        .param(row.startedAt().toEpochMilli())
        .param(row.lastActiveAt().toEpochMilli())
        .param(row.address())
        .param(row.userAgent())
        .update();
  }

  Optional<Row> find(String tokenHash) {
    return sql.sql(SELECT + "WHERE s.token_hash = ?")
        .param(tokenHash)
        .query(SessionRows::row)
        .optional();
  }

  List<Row> findByOperator(String operatorId) {
    return sql.sql(SELECT + "WHERE s.operator_id = ? ORDER BY s.started_at DESC, s.id")
        .param(operatorId)
        .query(SessionRows::row)
        .list();
  }

  /** Stores the time of activity; returns false if the session no longer exists. */
  boolean noteActivity(String tokenHash, Instant now) {
    return sql.sql("UPDATE operator_sessions SET last_active_at = ? WHERE token_hash = ?")
            .param(now.toEpochMilli())
            .param(tokenHash)
            .update()
        == 1;
  }

  int delete(String tokenHash) {
    return sql.sql("DELETE FROM operator_sessions WHERE token_hash = ?").param(tokenHash).update();
  }

  /**
   * Deletes ended sessions.
   *
   * @param latestStart a session has ended if it started at this time or before
   * @param latestActivity a session has also ended if it was last active at this time or before
   * @param limit the maximum number of sessions
   * @return the number of sessions deleted
   */
  int deleteEnded(Dialect dialect, Instant latestStart, Instant latestActivity, int limit) {
    // No index sorts sessions by these times, so start and due of Rows are the same condition.
    String due = "(started_at <= :started OR last_active_at <= :active)";
    Purge.Rows rows =
        new Purge.Rows(
            "operator_sessions",
            "token_hash",
            due,
            "token_hash",
            due,
            ", started_at, last_active_at");
    return sql.sql(rows.deletion(dialect, limit))
        .param("started", latestStart.toEpochMilli())
        .param("active", latestActivity.toEpochMilli())
        .update();
  }

  private static Row row(ResultSet row, int number) throws SQLException {
    return new Row(
        row.getString("session_id"),
        OperatorRows.operator(row, number),
        Instant.ofEpochMilli(row.getLong("started_at")),
        Instant.ofEpochMilli(row.getLong("last_active_at")),
        row.getString("address"),
        row.getString("user_agent"));
  }

  /** A session, which may have ended. */
  record Row(
      String id,
      Operator operator,
      Instant startedAt,
      Instant lastActiveAt,
      String address,
      String userAgent) {

    Row withLastActiveAt(Instant now) {
      return new Row(id, operator, startedAt, now, address, userAgent);
    }
  }
}
