package dev.countersign.server.audit;

import dev.countersign.server.store.Database;
import dev.countersign.server.store.TestStore;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;

/** A trail in its own database, with a way around its triggers. */
final class TestTrail implements AutoCloseable {
  static final Instant NOW = Instant.parse("2026-11-20T12:00:00.120Z");

  // A transaction may take 10 s, also on a busy machine.
  private static final int IN_ONE_TRANSACTION = 100;

  private final Database database;
  private final AuditTrail trail;

  TestTrail(TestStore store, Path directory) {
    this.database = store.open(directory);
    this.trail = new AuditTrail(database, Clock.fixed(NOW, ZoneOffset.UTC));
  }

  Database database() {
    return database;
  }

  AuditTrail trail() {
    return trail;
  }

  void append(Author author, Change change) {
    database.write(
        sql -> {
          trail.append(sql, author, change);
          return true;
        });
  }

  /** Appends entries about clients {@code 1} to {@code count}. */
  void fill(int count) {
    for (int first = 1; first <= count; first += IN_ONE_TRANSACTION) {
      fill(first, Math.min(count, first + IN_ONE_TRANSACTION - 1));
    }
  }

  private void fill(int first, int last) {
    database.write(
        sql -> {
          for (int i = first; i <= last; i++) {
            Change change =
                new Change(
                    "client.updated",
                    "client:" + i,
                    Map.of("name", "Acme " + i),
                    Map.of("name", "Acme & Söhne " + i));
            trail.append(sql, Author.operator("ada", "203.0.113." + i % 250), change);
          }
          return true;
        });
  }

  List<AuditEntry> entries() {
    return trail.page(AuditFilter.all(), 0, 10_000).entries().reversed();
  }

  /** Acts as somebody with full access to the database. */
  void tamper(String... statements) {
    for (String trigger : List.of("no_update", "no_delete")) {
      drop("audit_entries", "audit_entries_" + trigger);
    }
    drop("audit_head", "audit_head_no_way_back");
    for (String statement : statements) {
      database.write(sql -> sql.sql(statement).update());
    }
  }

  private void drop(String table, String trigger) {
    boolean sqlite = database.dialect().databaseName().equals("SQLite");
    String on = sqlite ? "" : " ON " + table;
    database.write(sql -> sql.sql("DROP TRIGGER IF EXISTS " + trigger + on).update());
  }

  @Override
  public void close() {
    database.close();
  }
}
