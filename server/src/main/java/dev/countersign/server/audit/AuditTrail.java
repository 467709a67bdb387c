package dev.countersign.server.audit;

import dev.countersign.server.store.Database;
import java.io.IOException;
import java.io.Writer;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * The record of every change: who, when, from where, what it was before and is after.
 *
 * <p>Entries are only ever appended; the database refuses to change or delete one. Each holds the
 * hash of the one before, so that what was done to the file by other means shows in a check.
 */
public final class AuditTrail {
  private static final JsonMapper JSON =
      JsonMapper.builder().enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS).build();

  private final Database database;
  private final Clock clock;

  public AuditTrail(Database database, Clock clock) {
    this.database = database;
    this.clock = clock;
  }

  /**
   * Writes an entry in the transaction that makes the change, so that there is never one without
   * the other.
   *
   * <p>Call it last in the transaction: it holds up all other appends until the transaction ends,
   * and a lock that is taken after it could wait for one of those.
   *
   * @param sql that of the caller's {@link Database#write}
   */
  public void append(JdbcClient sql, Author author, Change change) {
    AuditRows rows = new AuditRows(sql);
    AuditRows.Head head = rows.next();
    AuditEntry entry =
        new AuditEntry(
            head.seq(),
            clock.instant().truncatedTo(ChronoUnit.MILLIS),
            author.name(),
            author.channel().word(),
            author.address(),
            change.action(),
            change.subject(),
            JSON.writeValueAsString(change.before()),
            JSON.writeValueAsString(change.after()),
            head.hash(),
            "");
    rows.insert(entry.withHash(EntryHash.of(entry)));
  }

  /**
   * Whether an entry about a subject names a thing, such as a key by its fingerprint.
   *
   * @param sql that of the caller's transaction
   * @param name without percent signs, underscores and quotes
   */
  public boolean names(JdbcClient sql, String subject, String name) {
    return new AuditRows(sql).names(subject, name);
  }

  /**
   * The entries that a filter lets through, the newest first.
   *
   * @param offset how many of them to skip
   * @param size how many to return at most
   */
  public AuditPage page(AuditFilter filter, long offset, int size) {
    return database.read(
        sql -> {
          AuditRows rows = new AuditRows(sql);
          return new AuditPage(rows.page(filter, offset, size), rows.count(filter));
        });
  }

  /** Checks every entry, its place and its hash; it reads the whole trail. */
  public Verification verify() {
    return new ChainCheck(database, null).run();
  }

  /**
   * As {@link #verify()}, and that a head which was noted earlier is still in the chain: without
   * one, a chain that was written anew from some entry on looks whole.
   *
   * @param noted 64 lowercase hexadecimal digits
   */
  public Verification verify(String noted) {
    return new ChainCheck(database, noted).run();
  }

  /**
   * Writes the entries that a filter lets through as CSV, the oldest first; what is appended
   * meanwhile is left out. No transaction waits for the writer.
   *
   * @return how many there were
   */
  public long exportCsv(AuditFilter filter, Writer out) throws IOException {
    return new CsvExport(database, out).write(filter);
  }
}
