package dev.countersign.server.audit;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The SQL of the audit trail, the same on SQLite and PostgreSQL. */
final class AuditRows {
  private static final String ENTRY =
      "SELECT seq, at, author, channel, address, action, subject, before, after, previous_hash,"
          + " hash FROM audit_entries ";

  private final JdbcClient sql;

  AuditRows(JdbcClient sql) {
    this.sql = sql;
  }

  /**
   * Takes the next position of the chain, and returns it with the hash of the entry before it. The
   * row lock blocks all other appends, on all nodes, until this transaction ends.
   */
  ChainHead takeNextPosition() {
    return sql.sql("UPDATE audit_head SET seq = seq + 1 WHERE id = 1 RETURNING seq, hash")
        .query((row, number) -> new ChainHead(row.getLong(1), row.getString(2)))
        .single();
  }

  void insert(AuditEntry entry) {
    sql.sql(
            "INSERT INTO audit_entries (seq, at, author, channel, address, action, subject,"
                + " before, after, previous_hash, hash) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
        .param(entry.seq())
        .param(entry.at().toEpochMilli())
        .param(entry.author())
        .param(entry.channel())
        .param(entry.address())
        .param(entry.action())
        .param(entry.subject())
        .param(entry.before())
        .param(entry.after())
        .param(entry.previousHash())
        .param(entry.hash())
        .update();
    sql.sql("UPDATE audit_head SET hash = ? WHERE id = 1").param(entry.hash()).update();
  }

  /** Returns the head of the chain. */
  ChainHead head() {
    return sql.sql("SELECT seq, hash FROM audit_head WHERE id = 1")
        .query((row, number) -> new ChainHead(row.getLong(1), row.getString(2)))
        .single();
  }

  /** Returns the highest position of an entry; 0 if there are no entries. */
  long last() {
    return sql.sql("SELECT coalesce(max(seq), 0) FROM audit_entries").query(Long.class).single();
  }

  boolean hasHash(String hash) {
    return sql.sql("SELECT count(*) FROM audit_entries WHERE hash = ?")
            .param(hash)
            .query(Long.class)
            .single()
        > 0;
  }

  long count(AuditFilter filter) {
    return filter
        .bind(sql.sql("SELECT count(*) FROM audit_entries WHERE " + filter.condition()))
        .query(Long.class)
        .single();
  }

  /** Returns a page of entries, newest first. */
  List<AuditEntry> page(AuditFilter filter, long offset, int size) {
    return filter
        .bind(
            sql.sql(ENTRY + "WHERE " + filter.condition() + " ORDER BY seq DESC LIMIT ? OFFSET ?"))
        .param(size)
        .param(offset)
        .query(AuditRows::entry)
        .list();
  }

  /**
   * Returns the entries after position {@code after}, up to position {@code last}, oldest first.
   */
  List<AuditEntry> batch(AuditFilter filter, long after, long last, int size) {
    return filter
        .bind(
            sql.sql(
                ENTRY
                    + "WHERE "
                    + filter.condition()
                    + " AND seq > ? AND seq <= ? ORDER BY seq LIMIT ?"))
        .param(after)
        .param(last)
        .param(size)
        .query(AuditRows::entry)
        .list();
  }

  private static AuditEntry entry(ResultSet row, int number) throws SQLException {
    return new AuditEntry(
        row.getLong("seq"),
        Instant.ofEpochMilli(row.getLong("at")),
        row.getString("author"),
        row.getString("channel"),
        row.getString("address"),
        row.getString("action"),
        row.getString("subject"),
        row.getString("before"),
        row.getString("after"),
        row.getString("previous_hash"),
        row.getString("hash"));
  }

  /** The number of entries in the chain, and the hash of the last entry. */
  record ChainHead(long seq, String hash) {}
}
