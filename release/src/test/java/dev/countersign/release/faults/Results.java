package dev.countersign.release.faults;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * The results of a campaign, in a file with a line for each run, which a later start of the same
 * release continues.
 */
final class Results {
  private static final String SEPARATOR = "\t";
  private static final String ABORTED = "aborted: ";

  /** The limit of a request: what the product promises, and half a second for the connection. */
  private static final long LONGEST_MILLIS = 10_500;

  private static final String HEADING =
      String.join(
          SEPARATOR,
          "fault",
          "index",
          "seed",
          "acknowledged",
          "lost",
          "replays",
          "accepted",
          "races",
          "doubled",
          "contradicted",
          "errors",
          "revocations",
          "late",
          "revoked-ms",
          "revoked-in-fault-ms",
          "outage-ms",
          "longest-ms",
          "detail");

  private final Path file;
  private final List<Row> rows = new ArrayList<>();

  private Results(Path file) {
    this.file = file;
  }

  /**
   * The result of one run.
   *
   * @param seed the seed of its random numbers
   * @param acknowledged the payments that were acknowledged
   * @param lost those of them, or of earlier runs, that are not stored
   * @param replays the requests that were sent again, with an answer that tells whether the node
   *     recognized the copy
   * @param accepted the requests that were executed a second time
   * @param races the requests or keys that were sent to all nodes at once
   * @param doubled the payments that are stored twice
   * @param contradicted the payments that are stored although every answer was a refusal
   * @param errors the answers {@code internal_error}
   * @param revocations the clients that were disabled
   * @param late those of them that were served too long afterwards
   * @param revoked how long one was served after it, without a fault, in milliseconds
   * @param revokedInFault the same during the fault
   * @param outage the longest time without an acknowledged payment, in milliseconds
   * @param longest the longest request, in milliseconds
   * @param detail what distinguishes this run from others with the same fault
   */
  record Row(
      Fault fault,
      int index,
      long seed,
      long acknowledged,
      long lost,
      long replays,
      long accepted,
      long races,
      long doubled,
      long contradicted,
      long errors,
      long revocations,
      long late,
      long revoked,
      long revokedInFault,
      long outage,
      long longest,
      String detail) {
    /** The result of a run that could not be completed. */
    static Row aborted(Fault fault, int index, long seed, Exception why) {
      String detail = (ABORTED + why).replaceAll("\\s+", " ");
      return new Row(fault, index, seed, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, detail);
    }

    boolean isFailed() {
      return lost + accepted + doubled + contradicted + errors + late > 0
          || detail.startsWith(ABORTED)
          || longest > LONGEST_MILLIS && !fault.holdsRequests();
    }

    private String line() {
      List<Object> cells = new ArrayList<>(List.of(fault.word(), index, seed, acknowledged, lost));
      cells.addAll(List.of(replays, accepted, races, doubled, contradicted, errors));
      cells.addAll(List.of(revocations, late, revoked, revokedInFault, outage, longest, detail));
      return String.join(SEPARATOR, cells.stream().map(Object::toString).toList());
    }

    private static Row read(String line) {
      String[] cells = line.split(SEPARATOR, -1);
      long[] n = Arrays.stream(cells, 1, 17).mapToLong(Long::parseLong).toArray();
      return new Row(
          Fault.of(cells[0]),
          (int) n[0],
          n[1],
          n[2],
          n[3],
          n[4],
          n[5],
          n[6],
          n[7],
          n[8],
          n[9],
          n[10],
          n[11],
          n[12],
          n[13],
          n[14],
          n[15],
          cells[17]);
    }
  }

  /**
   * Reads the results that a file has, if there is one. A line that was not completed is dropped.
   *
   * @param release the checksum of the release
   * @throws IllegalArgumentException if the results are of another release
   */
  static Results open(Path file, String release) throws IOException {
    Results results = new Results(file);
    String head = "# release " + release + "\n" + HEADING + "\n";
    String before = Files.exists(file) ? Files.readString(file) : head;
    if (!before.startsWith(head)) {
      throw new IllegalArgumentException(
          file + " has the results of another release; use --fresh to start again");
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

  /** Returns how many runs of a fault there are. */
  int count(Fault fault) {
    return (int) rows.stream().filter(row -> row.fault == fault).count();
  }

  /** Returns whether a run shows that a promise was broken, or could not be completed. */
  boolean areFailed() {
    return rows.stream().anyMatch(Row::isFailed);
  }

  /** Returns a table in Markdown, with a line for each fault and one for all. */
  String table() {
    StringBuilder table =
        new StringBuilder(
            """
            | fault | runs | writes acknowledged | lost | replays | accepted | races | doubled \
            | refused, but stored | revocations | served too long | internal errors | failed runs \
            | longest outage | longest request |
            |---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|
            """);
    for (Fault fault : Fault.values()) {
      List<Row> some = rows.stream().filter(row -> row.fault == fault).toList();
      if (!some.isEmpty()) {
        table.append(line("`" + fault.word() + "`", some));
      }
    }
    return table.append(line("all", rows)).toString();
  }

  private static String line(String name, List<Row> rows) {
    long[] sums = new long[11];
    long outage = 0;
    long longest = 0;
    for (Row row : rows) {
      long[] counts = {
        row.acknowledged,
        row.lost,
        row.replays,
        row.accepted,
        row.races,
        row.doubled,
        row.contradicted,
        row.revocations,
        row.late,
        row.errors,
        row.isFailed() ? 1 : 0
      };
      Arrays.setAll(sums, i -> sums[i] + counts[i]);
      outage = Math.max(outage, row.outage);
      longest = Math.max(longest, row.longest);
    }
    StringBuilder line = new StringBuilder("| " + name + " | " + rows.size());
    for (long sum : sums) {
      line.append(String.format(Locale.ROOT, " | %,d", sum));
    }
    return line.append(String.format(Locale.ROOT, " | %.1f s", outage / 1000.0))
        .append(String.format(Locale.ROOT, " | %.1f s |%n", longest / 1000.0))
        .toString();
  }
}
