package dev.countersign.cli.list;

import de.siegmar.fastcsv.writer.CsvWriter;
import dev.countersign.protocol.PlainText;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Writes comma-separated values in UTF-8 with a header line (<a
 * href="https://www.rfc-editor.org/rfc/rfc4180#section-2">RFC 4180, section 2</a>). No cell can run
 * as a formula in a spreadsheet ({@link PlainText#spreadsheetCell}).
 */
final class CsvItemWriter implements ItemWriter {
  private final Writer out;
  private final Consumer<String> warnings;
  private @Nullable Columns columns;
  private @Nullable CsvWriter csv;
  private boolean headerDue;
  private boolean warned;

  /**
   * @param columns the columns in their order, or null for the columns of the first page
   * @param header whether the first line contains the columns' names
   */
  CsvItemWriter(Writer out, @Nullable Columns columns, boolean header, Consumer<String> warnings) {
    this.out = out;
    this.columns = columns;
    this.headerDue = header;
    this.warnings = warnings;
  }

  @Override
  public void write(List<JsonNode> items) throws IOException {
    if (columns == null && items.isEmpty()) {
      out.flush();
      return;
    }
    boolean columnsFromThisPage = columns == null;
    Columns known = columns == null ? Columns.of(items) : columns;
    columns = known;
    header(known);
    for (JsonNode item : items) {
      line(known, known.cells(item));
      if (!columnsFromThisPage && !warned) {
        warn(known.others(item));
      }
    }
    out.flush();
  }

  @Override
  public void end() throws IOException {
    if (columns != null) {
      header(columns);
    }
    out.flush();
  }

  @Override
  public List<String> resumeOptions() {
    return columns == null ? List.of() : columns.options(headerDue);
  }

  private void header(Columns known) throws IOException {
    if (headerDue) {
      headerDue = false;
      line(known, known.names());
    }
  }

  private void line(Columns known, List<String> cells) throws IOException {
    CsvWriter records = csv == null ? known.csvWriter(out) : csv;
    csv = records;
    try {
      Columns.write(records, cells.stream().map(PlainText::spreadsheetCell).toList());
    } catch (UncheckedIOException failed) {
      throw failed.getCause();
    }
  }

  private void warn(List<String> others) {
    if (!others.isEmpty()) {
      warned = true;
      warnings.accept(
          "the members "
              + String.join(", ", others)
              + " have no column and are left out;"
              + " name the columns with --columns");
    }
  }
}
