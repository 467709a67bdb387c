package dev.countersign.cli.list;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * One record of comma-separated values (<a
 * href="https://www.rfc-editor.org/rfc/rfc4180#section-2">RFC 4180, section 2</a>), without its
 * line end.
 */
final class CsvLine {
  private CsvLine() {}

  static String of(List<String> cells) {
    String line = cells.stream().map(CsvLine::quoted).collect(Collectors.joining(","));
    // A single empty cell would be an empty line, which readers skip.
    return line.isEmpty() ? "\"\"" : line;
  }

  // 2.6 and 2.7: a cell with a comma, a quote or a line break is quoted, and its quotes are
  // doubled.
  private static String quoted(String cell) {
    boolean needed = cell.chars().anyMatch(c -> c == ',' || c == '"' || c == '\r' || c == '\n');
    return needed ? '"' + cell.replace("\"", "\"\"") + '"' : cell;
  }

  /**
   * Reads the cells of a record.
   *
   * @throws IllegalArgumentException when there is a misplaced quote
   */
  static List<String> read(String line) {
    List<String> cells = new ArrayList<>();
    int at = 0;
    while (at <= line.length()) {
      int end = line.startsWith("\"", at) ? afterQuotes(line, at) : until(line, at);
      String cell = line.substring(at, end);
      cells.add(cell.startsWith("\"") ? unquoted(cell) : cell);
      at = end + 1;
    }
    return cells;
  }

  /** The end of an unquoted cell; 2.5 allows no quote in it. */
  private static int until(String line, int start) {
    int comma = line.indexOf(',', start);
    int end = comma < 0 ? line.length() : comma;
    if (line.substring(start, end).contains("\"")) {
      throw misplaced(line);
    }
    return end;
  }

  private static int afterQuotes(String line, int start) {
    int quote = line.indexOf('"', start + 1);
    while (quote >= 0 && line.startsWith("\"\"", quote)) {
      quote = line.indexOf('"', quote + 2);
    }
    if (quote < 0 || (quote + 1 < line.length() && line.charAt(quote + 1) != ',')) {
      throw misplaced(line);
    }
    return quote + 1;
  }

  private static String unquoted(String cell) {
    return cell.substring(1, cell.length() - 1).replace("\"\"", "\"");
  }

  private static IllegalArgumentException misplaced(String line) {
    return new IllegalArgumentException(
        "quotes must enclose a whole name and be doubled inside it, was " + line);
  }
}
