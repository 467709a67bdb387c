package dev.countersign.server.audit;

import dev.countersign.server.store.Database;
import java.io.IOException;
import java.io.Writer;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * The record of every change: who made it, when, from where, and the state before and after.
 *
 * <p>Entries can only be appended; the database refuses to change or delete an entry. Each entry
 * contains the hash of the previous entry, so a check of the chain detects entries that were
 * changed or deleted nevertheless.
 */
public final class AuditTrail {
  private static final Pattern HASH = Pattern.compile("[0-9a-f]{64}");
  private static final JsonMapper JSON =
      JsonMapper.builder().enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS).build();

  private final Database database;
  private final Clock clock;

  public AuditTrail(Database database, Clock clock) {
    this.database = database;
    this.clock = clock;
  }

  /**
   * Appends an entry in the transaction of its change. Either the change and the entry are both
   * committed, or neither is.
   *
   * <p>Call this method last in the transaction, because it blocks all other appends until the
   * transaction ends. A transaction that took another lock afterwards could deadlock with one of
   * those appends.
   *
   * @param sql the JDBC client of the caller's {@link Database#write}
   */
  public void append(JdbcClient sql, Author author, Change change) {
    AuditRows rows = new AuditRows(sql);
    AuditRows.ChainHead head = rows.takeNextPosition();
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
   * Returns the entries that match a filter, newest first.
   *
   * @param offset the number of entries to skip
   * @param size the maximum number of entries to return
   */
  public AuditSearchResult page(AuditFilter filter, long offset, int size) {
    return database.read(
        sql -> {
          AuditRows rows = new AuditRows(sql);
          return new AuditSearchResult(rows.page(filter, offset, size), rows.count(filter));
        });
  }

  /** Checks the position and the hash of every entry. Reads the whole trail. */
  public ChainVerification verify() {
    return new ChainCheck(database, null).run();
  }

  /**
   * Checks the trail like {@link #verify()}, and also that it still contains an entry with a hash
   * that somebody wrote down earlier. Without this hash, a chain that was rewritten from some entry
   * on would look intact.
   *
   * @param knownHash the hash, as {@link #parseHash} returns it
   */
  public ChainVerification verify(String knownHash) {
    return new ChainCheck(database, knownHash).run();
  }

  /**
   * Parses a hash that a person has entered: 64 hexadecimal digits in upper or lower case. White
   * space is ignored. Returns empty if the text is not a hash.
   */
  public static Optional<String> parseHash(String text) {
    String digits = text.replaceAll("\\s+", "").toLowerCase(Locale.ROOT);
    return HASH.matcher(digits).matches() ? Optional.of(digits) : Optional.empty();
  }

  /**
   * Writes the entries that match a filter as CSV, oldest first. Entries that are appended during
   * the export are omitted. No database transaction is open while the writer is used.
   *
   * @return the number of entries written
   */
  public long exportCsv(AuditFilter filter, Writer out) throws IOException {
    return new CsvExport(database, out).write(filter);
  }
}
