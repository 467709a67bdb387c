package dev.countersign.release.faults;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The results of a campaign, in a file with a line for each run, which a later start with the same
 * release and the same checks continues.
 */
final class Results {
  private static final String SEPARATOR = "\t";
  private static final String ABORTED = "aborted: ";

  private final Path file;
  private final List<Row> rows = new ArrayList<>();

  private Results(Path file) {
    this.file = file;
  }

  /** A number that each run has. */
  enum Column {
    ACKNOWLEDGED("writes acknowledged", Kind.MEASURED),
    LOST("lost", Kind.BROKEN),
    REPLAYS("replays", Kind.MEASURED),
    EXECUTED_AGAIN("executed again", Kind.BROKEN),
    RACES("races", Kind.MEASURED),
    DOUBLED("stored twice", Kind.BROKEN),
    CONTRADICTED("refused, but stored", Kind.BROKEN),
    UNRESOLVED("outcome never learnt", Kind.BROKEN),
    REVOCATIONS("revocations", Kind.MEASURED),
    SERVED_TOO_LONG("served too long", Kind.BROKEN),
    INTERNAL_ERRORS("internal errors", Kind.BROKEN),
    TOO_SLOW("requests over 10.5 s", Kind.BROKEN),
    SERVED_AFTERWARDS("served after a revocation", Kind.LONGEST_MILLIS),
    SERVED_IN_FAULT("served after one during a fault", Kind.LONGEST_MILLIS),
    OUTAGE("outage", Kind.LONGEST_MILLIS),
    REQUEST("request", Kind.LONGEST_MILLIS);

    private final String heading;
    private final Kind kind;

    Column(String heading, Kind kind) {
      this.heading = heading;
      this.kind = kind;
    }

    /** Returns the sum or, of times, the longest, as it is shown. */
    private String shown(List<Row> rows) {
      return kind == Kind.LONGEST_MILLIS
          ? String.format(
              Locale.ROOT,
              "%.1f s",
              rows.stream().mapToLong(row -> row.value(this)).max().orElse(0) / 1000.0)
          : String.format(
              Locale.ROOT, "%,d", rows.stream().mapToLong(row -> row.value(this)).sum());
    }
  }

  private enum Kind {
    /** A run in which nothing was measured says nothing. */
    MEASURED,
    /** Every one is a promise that was broken. */
    BROKEN,
    LONGEST_MILLIS
  }

  /**
   * The result of one run.
   *
   * @param index the number of the run among those with the same fault, from 0
   * @param seed the seed of the campaign; with the index, it repeats the run
   * @param detail what distinguishes this run from others with the same fault
   */
  record Row(Fault fault, int index, long seed, Map<Column, Long> values, String detail) {
    Row {
      values = Map.copyOf(values);
    }

    /** The result of a run that could not be completed. */
    static Row aborted(Fault fault, int index, long seed, Map<Column, Long> values, Throwable why) {
      return new Row(fault, index, seed, values, (ABORTED + why).replaceAll("\\s+", " "));
    }

    long value(Column column) {
      return values.getOrDefault(column, 0L);
    }

    boolean isAborted() {
      return detail.startsWith(ABORTED);
    }

    /** Returns whether the run shows that a promise was broken. */
    boolean isBroken() {
      return Arrays.stream(Column.values())
          .anyMatch(column -> column.kind == Kind.BROKEN && value(column) > 0);
    }

    /** Returns the headings of what was not measured. */
    List<String> unmeasured() {
      return Arrays.stream(Column.values())
          .filter(column -> column.kind == Kind.MEASURED && value(column) == 0)
          .map(column -> column.heading)
          .toList();
    }

    @Override
    public String toString() {
      String numbers =
          Arrays.stream(Column.values())
              .map(column -> column.heading + " " + column.shown(List.of(this)))
              .collect(Collectors.joining(", "));
      return fault.option()
          + " #"
          + index
          + (isBroken() ? " BROKEN: " : ": ")
          + numbers
          + (detail.isEmpty() ? "" : " (" + detail + ")");
    }

    private String line() {
      List<String> cells =
          new ArrayList<>(List.of(fault.option(), String.valueOf(index), String.valueOf(seed)));
      for (Column column : Column.values()) {
        cells.add(String.valueOf(value(column)));
      }
      cells.add(detail);
      return String.join(SEPARATOR, cells);
    }

    private static Row read(String line) {
      String[] cells = line.split(SEPARATOR, -1);
      Map<Column, Long> values = new EnumMap<>(Column.class);
      for (Column column : Column.values()) {
        values.put(column, Long.parseLong(cells[3 + column.ordinal()]));
      }
      return new Row(
          Fault.of(cells[0]),
          Integer.parseInt(cells[1]),
          Long.parseLong(cells[2]),
          values,
          cells[3 + Column.values().length]);
    }
  }

  /**
   * Reads the results that a file has, if there is one. A line that was not completed is dropped.
   *
   * @param checksum what was tried, and how
   * @throws IllegalArgumentException if the results are of something else
   */
  static Results open(Path file, String checksum) throws IOException {
    Results results = new Results(file);
    String head =
        Arrays.stream(Column.values())
            .map(column -> column.name().toLowerCase(Locale.ROOT))
            .collect(
                Collectors.joining(
                    SEPARATOR, "# " + checksum + "\nfault\tindex\tseed\t", SEPARATOR + "detail\n"));
    String before = Files.exists(file) ? Files.readString(file) : head;
    if (!before.startsWith(head)) {
      throw new IllegalArgumentException(
          file + " has the results of another release or script; use --fresh to start again");
    }
    String complete = before.substring(0, before.lastIndexOf('\n') + 1);
    complete.lines().skip(2).map(Row::read).forEach(results.rows::add);
    Files.writeString(file, complete);
    return results;
  }

  void add(Row row) throws IOException {
    rows.add(row);
    Files.writeString(file, row.line() + "\n", StandardOpenOption.APPEND);
  }

  /** Returns how many runs of a fault were completed. */
  int count(Fault fault) {
    return completed(fault).size();
  }

  private List<Row> completed(Fault fault) {
    return rows.stream().filter(row -> row.fault == fault && !row.isAborted()).toList();
  }

  /** Returns whether a run shows that a promise was broken. */
  boolean hasBroken() {
    return rows.stream().anyMatch(Row::isBroken);
  }

  /** Returns a table in Markdown, with a line for each fault and one for all. */
  String table() {
    StringBuilder table = new StringBuilder("| fault | runs |");
    for (Column column : Column.values()) {
      String longest = column.kind == Kind.LONGEST_MILLIS ? "longest " : "";
      table.append(' ').append(longest).append(column.heading).append(" |");
    }
    table.append("\n|").append("---|".repeat(2 + Column.values().length)).append('\n');
    List<Row> all = new ArrayList<>();
    for (Fault fault : Fault.values()) {
      List<Row> some = completed(fault);
      if (!some.isEmpty()) {
        table.append(line("`" + fault.option() + "`", some));
      }
      all.addAll(some);
    }
    table.append(line("all", all));
    long aborted = rows.stream().filter(Row::isAborted).count();
    return table + (aborted == 0 ? "" : "\n" + aborted + " further runs were not completed\n");
  }

  private static String line(String name, List<Row> rows) {
    return Arrays.stream(Column.values())
        .map(column -> column.shown(rows))
        .collect(Collectors.joining(" | ", "| " + name + " | " + rows.size() + " | ", " |\n"));
  }
}
