package dev.countersign.server.operators.signin;

import java.time.Instant;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The SQL of known devices, the same on SQLite and PostgreSQL. */
final class DeviceRows {
  // At most this many devices are kept for one account.
  private static final int MAX_DEVICES = 20;

  private final JdbcClient sql;

  DeviceRows(JdbcClient sql) {
    this.sql = sql;
  }

  /** Returns whether a device is known to the password account with this name. */
  boolean isKnown(String tokenHash, String nameKey, Instant now) {
    return sql.sql(
                """
                SELECT count(*) FROM operator_devices d JOIN operators o ON o.id = d.operator_id
                WHERE d.token_hash = ? AND d.expires_at > ? AND o.name_key = ?\
                """)
            .param(tokenHash)
            .param(now.toEpochMilli())
            .param(nameKey)
            .query(Long.class)
            .single()
        > 0;
  }

  /** Adds a device, and deletes the account's oldest devices if it has more than 20. */
  void insert(String tokenHash, String operatorId, Instant now, Instant end) {
    sql.sql(
            "INSERT INTO operator_devices (token_hash, operator_id, created_at, expires_at)"
                + " VALUES (?, ?, ?, ?)")
        .param(tokenHash)
        .param(operatorId)
        .param(now.toEpochMilli())
        .param(end.toEpochMilli())
        .update();
    sql.sql(
            """
            DELETE FROM operator_devices WHERE operator_id = ? AND token_hash NOT IN (
              SELECT token_hash FROM operator_devices WHERE operator_id = ?
              ORDER BY created_at DESC, token_hash LIMIT ?)\
            """)
        .param(operatorId)
        .param(operatorId)
        .param(MAX_DEVICES)
        .update();
  }

  void delete(String tokenHash) {
    sql.sql("DELETE FROM operator_devices WHERE token_hash = ?").param(tokenHash).update();
  }
}
