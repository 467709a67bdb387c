package dev.countersign.cli.list;

import dev.countersign.protocol.PlainText;
import java.io.IOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Writes a table for people. Columns are as wide as their widest cell so far, because only one page
 * at a time is measured and written. Long cells are cut and end with {@code …}.
 */
final class TableWriter implements ItemWriter {
  // The maximum length of a cell, in characters.
  private static final int MAX_CELL = 60;

  private final Writer out;
  private @Nullable Columns columns;
  private boolean headerDue;
  private int[] widths = {};

  TableWriter(Writer out, @Nullable Columns columns, boolean header) {
    this.out = out;
    this.columns = columns;
    this.headerDue = header;
  }

  @Override
  public void write(List<JsonNode> items) throws IOException {
    if (columns == null && items.isEmpty()) {
      out.flush();
      return;
    }
    Columns known = columns == null ? Columns.of(items) : columns;
    columns = known;
    List<String> header =
        known.names().stream().map(name -> cut(name.toUpperCase(Locale.ROOT))).toList();
    List<List<String>> rows = new ArrayList<>();
    items.forEach(item -> rows.add(known.cells(item).stream().map(TableWriter::cut).toList()));
    measure(known, header, rows);
    if (headerDue) {
      headerDue = false;
      out.write(line(header, new boolean[header.size()]));
    }
    for (int i = 0; i < rows.size(); i++) {
      out.write(line(rows.get(i), rightAligned(known, items.get(i))));
    }
    out.flush();
  }

  @Override
  public void end() throws IOException {
    out.flush();
  }

  @Override
  public List<String> resumeOptions() {
    return columns == null ? List.of() : columns.options(headerDue);
  }

  private void measure(Columns known, List<String> header, List<List<String>> rows) {
    int[] newWidths = new int[known.names().size()];
    for (int i = 0; i < newWidths.length; i++) {
      int column = i;
      int widest = rows.stream().mapToInt(row -> row.get(column).length()).max().orElse(0);
      int previous = i < widths.length ? widths[i] : 0;
      newWidths[i] = Math.max(Math.max(previous, header.get(i).length()), widest);
    }
    widths = newWidths;
  }

  private static boolean[] rightAligned(Columns known, JsonNode item) {
    boolean[] numbers = new boolean[known.names().size()];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = Columns.isNumber(item, known.names().get(i));
    }
    return numbers;
  }

  private String line(List<String> cells, boolean[] rightAligned) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < cells.size(); i++) {
      String space = " ".repeat(widths[i] - cells.get(i).length());
      line.append(i == 0 ? "" : "  ");
      line.append(rightAligned[i] ? space + cells.get(i) : cells.get(i) + space);
    }
    return line.toString().stripTrailing() + '\n';
  }

  private static String cut(String cell) {
    String line = PlainText.compactLine(cell);
    if (line.length() <= MAX_CELL) {
      return line;
    }
    // Never splits a surrogate pair.
    int end = Character.isHighSurrogate(line.charAt(MAX_CELL - 2)) ? MAX_CELL - 2 : MAX_CELL - 1;
    return line.substring(0, end) + "…";
  }
}
