package dev.countersign.server.audit;

import de.siegmar.fastcsv.writer.CsvWriter;
import de.siegmar.fastcsv.writer.QuoteStrategies;
import dev.countersign.protocol.PlainText;
import dev.countersign.server.store.Database;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The trail as CSV of RFC 4180, with a header and CRLF at the end of each line. Every field is
 * quoted, except that a missing address is an empty field without quotes; no other field is empty.
 * No field can run as a formula ({@link PlainText#spreadsheetCell}); to get the fields as they were
 * hashed, remove one leading apostrophe from each field that has one.
 */
final class CsvExport {
  private static final int BATCH = 1000;
  private static final String HEADER =
      "seq,at,author,channel,address,action,subject,before,after,previous_hash,hash\r\n";

  private final Database database;
  private final Writer out;

  CsvExport(Database database, Writer out) {
    this.database = database;
    this.out = out;
  }

  long write(AuditFilter filter) throws IOException {
    out.write(HEADER);
    CsvWriter csv = CsvWriter.builder().quoteStrategy(QuoteStrategies.NON_EMPTY).build(out);
    long last = database.read(sql -> new AuditRows(sql).head().seq());
    long count = 0;
    try {
      for (List<AuditEntry> batch = batch(filter, 0, last);
          !batch.isEmpty();
          batch = batch(filter, batch.getLast().seq(), last)) {
        batch.forEach(entry -> csv.writeRecord(cells(entry)));
        count += batch.size();
      }
      csv.flush();
    } catch (UncheckedIOException failed) {
      throw failed.getCause();
    }
    return count;
  }

  private List<AuditEntry> batch(AuditFilter filter, long after, long last) {
    return database.read(sql -> new AuditRows(sql).batch(filter, after, last, BATCH));
  }

  private static List<@Nullable String> cells(AuditEntry entry) {
    List<@Nullable String> cells = new ArrayList<>();
    EntryHash.fields(entry).forEach(field -> cells.add(cell(field)));
    cells.add(entry.hash());
    return cells;
  }

  private static @Nullable String cell(@Nullable String field) {
    return field == null ? null : PlainText.spreadsheetCell(field);
  }
}
