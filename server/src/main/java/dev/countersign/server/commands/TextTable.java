package dev.countersign.server.commands;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** A table with aligned columns, for a terminal. */
public final class TextTable {
  // Values may come from callers: they must not move the cursor or change the direction of text.
  private static final Pattern INVISIBLE = Pattern.compile("[\\p{Cc}\\p{Cf}\\u2028\\u2029]");

  private final List<List<String>> rows = new ArrayList<>();

  public TextTable(String... header) {
    rows.add(List.of(header));
  }

  public void add(String... cells) {
    rows.add(List.of(cells).stream().map(c -> INVISIBLE.matcher(c).replaceAll("?")).toList());
  }

  public List<String> lines() {
    int[] widths = new int[rows.getFirst().size()];
    rows.forEach(row -> widen(widths, row));
    return rows.stream().map(row -> aligned(row, widths)).toList();
  }

  private static void widen(int[] widths, List<String> row) {
    for (int i = 0; i < widths.length; i++) {
      widths[i] = Math.max(widths[i], row.get(i).length());
    }
  }

  private static String aligned(List<String> row, int[] widths) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < widths.length; i++) {
      line.append(row.get(i)).repeat(' ', widths[i] - row.get(i).length() + 2);
    }
    return line.toString().stripTrailing();
  }
}
