package dev.countersign.server.audit;

import dev.countersign.server.store.Database;
import java.io.IOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The trail as CSV of RFC 4180, with a header and CRLF at the end of each line. Every field is
 * quoted, except that a missing address is an empty field without quotes.
 *
 * <p>A spreadsheet runs a cell that begins with {@code = + - @}, a tab or a carriage return as a
 * formula. Such a field gets a leading apostrophe, and so does a field that begins with an
 * apostrophe. To get the fields as they were hashed, remove one leading apostrophe from each field
 * that has one.
 */
final class CsvExport {
  private static final int BATCH = 1000;
  private static final String GUARDED = "=+-@\t\r'";
  private static final String HEADER =
      "seq,at,author,channel,address,action,subject,before,after,previous_hash,hash";

  private final Database database;
  private final Writer out;

  CsvExport(Database database, Writer out) {
    this.database = database;
    this.out = out;
  }

  long write(AuditFilter filter) throws IOException {
    out.write(HEADER + "\r\n");
    long last = database.read(sql -> new AuditRows(sql).head().seq());
    long count = 0;
    for (List<AuditEntry> batch = batch(filter, 0, last);
        !batch.isEmpty();
        batch = batch(filter, batch.getLast().seq(), last)) {
      for (AuditEntry entry : batch) {
        out.write(line(entry));
      }
      count += batch.size();
    }
    out.flush();
    return count;
  }

  private List<AuditEntry> batch(AuditFilter filter, long after, long last) {
    return database.read(sql -> new AuditRows(sql).batch(filter, after, last, BATCH));
  }

  private static String line(AuditEntry entry) {
    List<String> cells = new ArrayList<>();
    EntryHash.fields(entry).forEach(field -> cells.add(cell(field)));
    cells.add(cell(entry.hash()));
    return String.join(",", cells) + "\r\n";
  }

  static String cell(@Nullable String field) {
    if (field == null) {
      return "";
    }
    boolean guarded = !field.isEmpty() && GUARDED.indexOf(field.charAt(0)) >= 0;
    return '"' + (guarded ? "'" : "") + field.replace("\"", "\"\"") + '"';
  }
}
