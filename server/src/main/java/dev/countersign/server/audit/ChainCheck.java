package dev.countersign.server.audit;

import dev.countersign.server.audit.AuditRows.ChainHead;
import dev.countersign.server.audit.ChainVerification.Broken;
import dev.countersign.server.audit.ChainVerification.Fault;
import dev.countersign.server.audit.ChainVerification.HeadUnknown;
import dev.countersign.server.audit.ChainVerification.Intact;
import dev.countersign.server.store.Database;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Checks the chain from its first entry to the head, in batches, so that no read takes long and
 * changes can continue.
 */
final class ChainCheck {
  // Entries per read.
  private static final int BATCH = 1000;

  private final Database database;
  private final @Nullable String noted;
  // The number of the entry with the noted hash; 0 until it is found.
  private long notedAt;
  private long seq;
  private String hash = EntryHash.NONE;

  /**
   * @param noted the hash of an earlier head that must be in the chain; null for none
   */
  ChainCheck(Database database, @Nullable String noted) {
    this.database = database;
    this.noted = noted;
  }

  ChainVerification run() {
    ChainHead head = read(AuditRows::head);
    List<AuditEntry> batch = batch(Long.MIN_VALUE, head);
    while (!batch.isEmpty()) {
      for (AuditEntry entry : batch) {
        Fault fault = fault(entry);
        if (fault != null) {
          return new Broken(fault == Fault.MISSING ? seq + 1 : entry.seq(), fault);
        }
        seq = entry.seq();
        hash = entry.hash();
        if (hash.equals(noted)) {
          notedAt = seq;
        }
      }
      batch = batch(seq, head);
    }
    return checkHead(head);
  }

  private List<AuditEntry> batch(long after, ChainHead head) {
    return read(rows -> rows.batch(AuditFilter.all(), after, head.seq(), BATCH));
  }

  private @Nullable Fault fault(AuditEntry entry) {
    if (entry.seq() > seq + 1) {
      return Fault.MISSING;
    }
    boolean continues = entry.previousHash().equals(hash);
    boolean matchesHash = EntryHash.of(entry).equals(entry.hash());
    if (continues) {
      return matchesHash ? null : Fault.ALTERED;
    }
    return matchesHash ? Fault.REPLACED : reorderedOrAltered(entry);
  }

  /**
   * Returns the fault of an entry that neither continues the previous entry nor matches its own
   * hash.
   */
  private Fault reorderedOrAltered(AuditEntry entry) {
    boolean continuesAnother =
        entry.previousHash().equals(EntryHash.NONE)
            || read(rows -> rows.hasHash(entry.previousHash()));
    return continuesAnother ? Fault.REORDERED : Fault.ALTERED;
  }

  private ChainVerification checkHead(ChainHead head) {
    if (seq < head.seq()) {
      return new Broken(seq + 1, Fault.TRUNCATED);
    }
    if (!hash.equals(head.hash())) {
      return new Broken(seq, Fault.REPLACED);
    }
    // Entries may have been appended during the check, so the head is read again, in the same
    // transaction as the last entry.
    if (read(rows -> rows.last() > rows.head().seq())) {
      return new Broken(seq + 1, Fault.UNEXPECTED);
    }
    return noted == null || notedAt > 0 ? new Intact(seq, hash, notedAt) : new HeadUnknown(noted);
  }

  private <T> T read(Function<AuditRows, T> work) {
    return database.read(sql -> work.apply(new AuditRows(sql)));
  }
}
